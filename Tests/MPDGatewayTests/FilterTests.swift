import PodcastModel
import TestSupport
import Testing

@testable import MPDGateway

@Suite struct FilterTests {
    private let song = MPDSong(
        uri: "The Show/e7.mp3", title: "Straße und \"Wege\"", show: "The Show", number: 12,
        published: Timestamp(seconds: 1_790_000_000), note: "good", duration: MediaTime(seconds: 90.4))

    private func matches(_ words: String..., search: Bool = false) throws -> Bool {
        try MPDFilter(parsing: words, pairs: search ? .contains : .equal).matches(song, foldsCase: search)
    }

    @Test func pairsCompareForEqualityOrAPart() throws {
        #expect(try matches("album", "The Show") && !matches("album", "the show") && !matches("album", "The"))
        #expect(try matches("ALBUM", "show", search: true) && matches("any", "WEGE", search: true))
        #expect(try matches("artist", "The Show", "track", "12") && !matches("artist", "The Show", "track", "13"))
        #expect(try matches("base", "The Show") && !matches("base", "The") && matches("base", ""))
        #expect(try matches("file", "The Show/e7.mp3") && !matches("composer", "x") && matches("composer", ""))
        #expect(try matches("modified-since", "2026-01-01") && !matches("modified-since", "2027-01-01T00:00:00Z"))
    }

    @Test(arguments: [
        ("(album == 'The Show')", true), ("(album != \"The Show\")", false), ("(title contains 'Wege')", true),
        ("(title starts_with 'Straße')", true), ("(title !contains 'Wege')", false), ("(!(track == '12'))", false),
        ("((album == 'The Show') AND (track == '12'))", true), ("((album == 'The Show') AND (track == '1'))", false),
        ("((album == 'The Show') AND (!(track == '1')) AND (base 'The Show'))", true),
        (#"(title == "Straße und \"Wege\"")"#, true), (#"(title == 'Straße und \'Wege\'')"#, false),
        ("(modified-since '2026-01-01T00:00:00Z')", true),
        ("(any == 'good')", true),
        ("(added-since '2020-01-01T00:00:00Z')", true), ("(added-since '2027-01-01T00:00:00Z')", false),
    ])
    func expressionsAreUnderstood(_ text: String, _ isMatch: Bool) throws { try expectEqual(matches(text), isMatch) }

    @Test(arguments: [
        "(album == 'x'", "(album = 'x')", "(album == x)", "album ==", "(dance == 'x')", "()",
        "((album == 'x') OR (album == 'y'))",
        "(AudioFormat == '44100:16:2')", "(prio >= 1)",
        "(album == 'x') y", "(title =~ '.*')", "(album == 'x", "(modified-since 'yesterday')",
        String(repeating: "(", count: 4_000),
    ])
    func whatIsNoFilterIsRefused(_ text: String) { #expect(throws: MPDError.self) { try matches(text) } }

    @Test func theShowOfAFilterIsFound() throws {
        func show(_ words: String...) throws -> MPDFilter.Show? { try MPDFilter(parsing: words, pairs: .equal).show }
        try expectEqual(show("album", "A"), .titled("A"))
        try expectEqual(show("artist", "A"), .by("A"))
        try expectEqual(show("((track == '1') AND (albumartist == 'A'))"), .titled("A"))
        #expect(try show("base", "A/B") == .folder("A") && show("file", "A/e1.mp3") == .folder("A"))
        #expect(try show("(!(album == 'A'))") == nil && show("(album contains 'A')") == nil && show("base", "") == nil)
    }

    @Test func songsAreSortedAndCut() throws {
        let songs = (1...12).map { number in
            MPDSong(
                uri: "x/e\(number)", title: "t\(number % 3)", show: "x", number: number,
                published: Timestamp(seconds: Int64(number)))
        }
        func numbers(_ words: String...) throws -> [Int?] {
            try MPDSelection(words, isSearch: false).ordered(songs).map(\.number)
        }
        try expectEqual(numbers("album", "x", "sort", "track", "window", "0:3"), [1, 2, 3])
        try expectEqual(numbers("album", "x", "sort", "-Track", "window", "0:3"), [12, 11, 10])
        try expectEqual(numbers("album", "x", "sort", "title", "window", "0:5"), [3, 6, 9, 12, 1])
        try expectEqual(numbers("album", "x", "sort", "Last-Modified", "window", "10:"), [11, 12])
        try expectEqual(numbers("album", "x", "window", "11:99"), [12])
        #expect(throws: MPDError.self) { try numbers("album", "x", "sort", "colour") }
        try expectEqual(MPDSelection(["album", "x", "position", "+0"], isSearch: false).position, .after(0))
    }

    @Test func groupsAreTakenFromTheEnd() throws {
        var words = ["artist", "x", "group", "album", "group", "date"]
        let grouping = try MPDGrouping(takingFrom: &words)
        #expect(grouping.tags == [.album, .date] && words == ["artist", "x"])
        expectEqual(grouping.key(of: song), ["The Show", "2026-09-21"])
    }

    @Test func aSongIsWrittenWithTheTagsThatAreWanted() throws {
        var tags = MPDTagSet()
        var answer = MPDAnswer()
        song.write(tags, to: &answer)
        expectEqual(
            String(decoding: answer.bytes, as: UTF8.self),
            """
            file: The Show/e7.mp3
            Last-Modified: 2026-09-21T14:13:20Z
            Artist: The Show
            Album: The Show
            AlbumArtist: The Show
            Title: Straße und "Wege"
            Track: 12
            Genre: Podcast
            Date: 2026-09-21
            Comment: good
            Time: 90
            duration: 90.400

            """)
        try tags.change(["clear"])
        try tags.change(["enable", "title", "MUSICBRAINZ_ARTISTID"])
        expectEqual(tags.tags, [.title])
        #expect(throws: MPDError.self) { try tags.change(["enable", "colour"]) }
        #expect(throws: MPDError.self) { try tags.change(["enable"]) }
    }

    @Test func noTextForgesALine() {
        var answer = MPDAnswer()
        answer.add("Title", "a\nOK\nfile: b\r\u{2028}c\u{0}\u{85}d")
        expectEqual(answer.bytes.filter { $0 == 0x0A }.count, 1)
        expectEqual(MPDError(.system, "a\nOK").line(index: 0, command: "x").filter { $0 == 0x0A }.count, 1)
    }
}
