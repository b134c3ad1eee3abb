import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import SQLite
import SystemCalls
import Testing
import TestSupport

/// Bookmarks and statistics, told through the programs as they are installed.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct BookmarkStoryTests: DaemonStory {
    let daemon: RunningDaemon
    private let client: DaemonConnection
    private let published: PublishedFeed

    init() throws {
        let audio = try fixture("forty-seconds.mp3")
        published = try PublishedFeed(episodes: [("Long", audio), ("Next", audio)])
        daemon = try RunningDaemon()
        client = try daemon.connect(watching: .player, subscribing: published.feed.url)
        try client.call(AddToQueue { $0.what = ["Long", "Next"] })
    }

    private func waitForDuration(of title: String) throws {
        while try client.call(ShowEpisode { $0.episode = title }).episode.episode.duration == nil {}
    }

    @Test func aPlaceIsMarkedListedPlayedEditedAndRemovedUntilUndo() throws {
        try expectEqual(ctl("bookmarks").output, "")
        try daemon.play("1", "--position", "0:05", watchedBy: client)
        // The decoder runs ahead and measures the duration, unless a seek skips a part first.
        try waitForDuration(of: "Long")
        try client.call(Pause())
        try client.call(Seek { $0.time = .absolute(MediaTime(seconds: 20)) })
        let added = try ctl("bookmark", "the", "good part")
        #expect(added.output.hasPrefix("bookmark 1 at 0:2") && added.output.contains("of Long: the good part"))
        let other = try ctl("bookmark", "--episode", "Next", "--at", "0:05")
        #expect(other.output.hasPrefix("bookmark 2 at 0:05 of Next\n"))
        try expectContains(ctl("bookmark", "--at", "1:00:00").errors, "only 0:40 long")
        let rows = try ctl("bookmarks").output.split(separator: "\n")
        #expect(rows.count == 2 && rows[0].hasPrefix("2\t0:05\t\tNext") && rows[1].contains("the good part\tLong"))
        try expectEqual(ctl("bookmarks", "Long").output.split(separator: "\n").count, 1)
        try expectContains(ctl("show", "Long").output, "the good part")

        try expectEqual(ctl("bookmarks", "play", "2").status, 0)
        let player = try client.player(.playing)
        #expect(player.episode?.title == "Next" && player.position?.seconds ?? 0 >= 5)
        let edited = try ctl("bookmarks", "edit", "2", "a", "new", "text", "--at", "+3")
        expectContains(edited.output, "0:08 of Next: a new text")
        try expectEqual(ctl("bookmarks", "remove", "1", "2").output, "removed 2 bookmarks\n")
        #expect(try ctl("bookmarks", "play", "2").status != 0)
        #expect(try ctl("undo").output.hasPrefix("undid bookmark"))
        try expectEqual(ctl("bookmarks").output.split(separator: "\n").count, 2)
        try expectEqual(ctl("bookmark", "--episode", "Next", "--at", "0:06").status, 0)
        try expectEqual(ctl("bookmarks", "remove", "2", "3").output, "removed 2 bookmarks\n")
        try expectEqual(ctl("bookmarks").output.split(separator: "\n").count, 1)
    }

    @Test func aPlaceThatCannotBeCheckedYetIsAcceptedAndKept() throws {
        let unknown = "the duration of this episode is not known yet"
        try expectContains(ctl("bookmark", "--episode", "Next", "--at", "50%").errors, unknown)
        let added = try ctl("bookmark", "--episode", "Next", "--at", "1:00:00").output
        #expect(added.hasPrefix("bookmark 1 at 1:00:00 of Next\n\(unknown); "), "\(added)")
        try daemon.play("Next")
        try waitForDuration(of: "Next")
        try expectContains(ctl("bookmarks", "play", "1").errors, "only 0:40 long")
        #expect(try ctl("bookmarks").output.hasPrefix("1\t1:00:00\t"))
        try expectEqual(ctl("bookmarks", "edit", "1", "--at", "50%").output, "bookmark 1 at 0:20 of Next\n")
    }

    @Test func aBookmarkIsPlayedAlsoInTheEndThatIsLeftOutAndUndoReturns() throws {
        try expectOutcome(ctl("bookmark", "--episode", "Long", "--at", "0:12"), 0)
        try daemon.play("Long", "--position", "0:05", watchedBy: client)
        try waitForDuration(of: "Long")
        try client.call(Stop())
        let place = try client.call(ShowEpisode { $0.episode = "Long" }).episode.episode.state.position
        try client.call(SetSpeed { $0.speed = 0.5 })
        try expectOutcome(ctl("set", "f1", "skip_end", "30"), 0)
        try expectOutcome(ctl("bookmarks", "play", "1"), 0)
        let player = try client.player(.playing)
        #expect(player.position?.seconds ?? 0 >= 12, "\(player)")
        try client.call(Stop())
        try expectContains(ctl("undo").output, "undid seek")
        try expectContains(ctl("show", "Long").output, "position: \(place)")
        // A saved place in what is left out is the end.
        try daemon.play("Long", "--position", "0:12", watchedBy: client)
        try client.call(Stop())
        try daemon.play("Long")
        try client.player { $0.episode?.title != "Long" }
        try expectContains(ctl("show", "Long").output, "played")
    }

    @Test func aMarkedPartIsSkippedUntilUndo() throws {
        try daemon.play("1", "--position", "0:02", watchedBy: client)
        try client.call(Pause())
        try client.call(Seek { $0.time = .absolute(MediaTime(seconds: 2)) })
        let marked = try ctl("bookmark", "--at", "0:06", "--skip-to", "+20", "advertisement")
        #expect(marked.output.hasPrefix("bookmark 1 at 0:06-0:26 of Long: advertisement\n"))
        #expect(try ctl("bookmark", "--at", "0:06", "--skip-to", "0:05").status != 0)
        #expect(try ctl("bookmarks").output.hasPrefix("1\t0:06-0:26\tadvertisement"))
        try expectContains(ctl("show", "Long").output, "0:06-0:26 advertisement")
        try client.call(TogglePlayback())
        var position = 0.0
        while position < 6 {
            position = try client.call(GetStatus()).player.position?.seconds ?? 0
            #expect(position < 6.5 || position >= 26)
        }
        #expect(position >= 26)
        try client.call(Pause())
        try expectContains(ctl("export", "--state").output, #""skipTo":26.0"#)
        try expectContains(ctl("bookmarks", "edit", "1", "--skip-to", "0:10").output, "0:06-0:10")
        try expectEqual(ctl("undo").status, 0)
        try expectEqual(ctl("undo").status, 0)
        try expectEqual(ctl("bookmarks").output, "")
        // A part that a seek leads into is played.
        try expectEqual(ctl("seek", "0:20").status, 0)
        try client.call(TogglePlayback())
        try client.player { $0.state == .playing && ($0.position?.seconds ?? 0) < 25 }
    }

    @Test func aDownloadedEpisodesLoudnessIsMeasuredBeforeItPlays() throws {
        try expectEqual(ctl("settings", "playback.loudness", "-16").status, 0)
        try expectEqual(ctl("download", "Next").status, 0)
        let library = try Connection(
            path: daemon.scratch.path + "/data/library.db", busyTimeout: .seconds(5), cacheKiB: 64)
        var loudness: Int64?
        while loudness == nil { loudness = try library.value("SELECT hundredths FROM loudness") }
        #expect((-7_000 ... -100).contains(loudness ?? 0))
    }

    @Test func bookmarksMoveToAnotherLibrary() throws {
        try expectEqual(ctl("bookmark", "--episode", "Long", "--at", "0:12", "listen again").status, 0)
        let state = daemon.scratch.path + "/state.json"
        let document = try ctl("export", "--state").output
        expectContains(document, #""bookmarks":[{"position":12.0,"text":"listen again""#)
        try document.write(toFile: state, atomically: true, encoding: .utf8)
        let other = try RunningDaemon()
        try expectEqual(other.ctl("import", state).status, 0)
        let bookmarks = try other.connect().call(ListBookmarks()).rows
        #expect(bookmarks.isEmpty || bookmarks.map(\.text) == ["listen again"])
        try expectEqual(other.ctl("refresh").status, 0)
        try expectEqual(other.connect().call(ListBookmarks()).rows.map(\.text), ["listen again"])
    }

    @Test func whatWasHeardIsCounted() throws {
        try expectEqual(ctl("stats").output, "")
        try daemon.play("1", watchedBy: client)
        let begin = try client.call(GetStatus()).player.position?.seconds ?? 0
        while (try client.call(GetStatus()).player.position?.seconds ?? 0) < begin + 3 {}
        try expectEqual(ctl("stop").status, 0)
        let reply = try client.call(GetStatistics())
        let heard = reply.total.heard.seconds
        // Up to a second is lost if the sound ends before its last position is read.
        #expect(heard > 1.5 && heard < 60)
        #expect(reply.feeds.map(\.name) == ["Test feed"] && reply.feeds[0].heard == reply.total.heard)
        #expect(reply.months.count == 1 && reply.years.count == 1)
        #expect(try ctl("stats").output.hasPrefix("Test feed\tunder 1 min\t"))
        try expectContains(ctl("stats", "--by", "year", "--since", "2000").output, "\tunder 1 min\t")
        #expect(try ctl("stats", "--since", "soon").status != 0)
        try expectEqual(ctl("stats", "--since", "2999-01-01").output, "")
        expectEqual(daemon.stop(), .exited(0))
        let again = try RunningDaemon(in: daemon.scratch)
        #expect(try again.connect().call(GetStatistics()).total.heard.seconds >= heard)
    }

    @Test func whatShortenedPausesSaveIsCounted() throws {
        let wave = SpokenWave(bursts: 4, burst: 0.5, pause: 1.5)
        let endpoint = published.server.serve("/pauses.wav", .resource(Resource(wave.bytes, contentType: "audio/wav")))
        try expectEqual(ctl("clear").status, 0)
        try expectEqual(ctl("settings", "playback.silence", "yes").status, 0)
        try daemon.play(endpoint.url)
        try client.player(.stopped)
        var total = try client.call(GetStatistics()).total
        // Each pause of 1.5 s is shortened to 0.25 s.
        while total.savedBySilence == .zero { total = try client.call(GetStatistics()).total }
        #expect(total.savedBySilence.seconds > 3.5 && total.savedBySilence.seconds <= 5.01)
        #expect(total.savedBySpeed == .zero && total.heard.seconds < 4)
    }
}
