import Foundation
import JSON
import LoopbackServer
import Testing
import TestSupport

@Suite(.ownThread, .timeLimit(.minutes(10)))
struct ProbeTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func probe(_ name: String, _ options: String...) throws -> JSONValue {
        var arguments = ["probe", "--json"] + options
        arguments.append(fixturePath(name))
        let outcome = try PlayProgram.run(arguments)
        expectEqual(outcome.status, 0)
        return try JSONValue(parsing: outcome.text)
    }

    @Test func aFileIsMeasured() throws {
        let report = try probe("three-seconds-mono-44100.mp3")
        expectEqual(report["outcome"], "audio")
        expectEqual(report["container"], "mp3")
        expectEqual(report["codec"], "mp3")
        expectEqual(report["sampleRates"], [44_100])
        expectEqual(report["channels"], [1])
        expectEqual(report["seconds"]?.numberValue, 3)
        expectEqual(report["gapless"]?["samples"]?.integerValue, 132_300)
        expectEqual(report["pcm"], nil)
    }

    @Test func theDecodeIsWrittenInTheFormatThatIsNamed() throws {
        let path = scratch.path + "/out.raw"
        let report = try probe("three-seconds-mono-44100.mp3", "--decode", path)
        expectEqual(report["pcm"], ["format": "s16le", "rate": 44_100, "channels": 1])
        try expectEqual(scratch.bytes("out.raw").count, 132_300 * 2)
    }

    @Test func everyFormatInsideIsListedAndTheDecodeKeepsTheFirst() throws {
        let path = scratch.path + "/out.raw"
        let report = try probe("stereo-44100-then-mono-32000.mp3", "--decode", path)
        expectEqual(report["outcome"], "audio")
        expectEqual(report["sampleRates"], [44_100, 32_000])
        expectEqual(report["channels"], [2, 1])
        expectEqual(report["pcm"], ["format": "s16le", "rate": 44_100, "channels": 2])
        let seconds = try #require(report["seconds"]?.numberValue)
        let written = Double(try scratch.bytes("out.raw").count) / 4 / 44_100
        #expect(abs(written - seconds) < 0.01)
    }

    private func joined(_ names: String...) throws -> String {
        let path = scratch.path + "/joined"
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let parts = try names.map { try Data(contentsOf: tests.appending(path: $0)) }
        try Data(parts.joined()).write(to: URL(filePath: path))
        return path
    }

    /// What the library finds in the rest would be noise at any rate.
    @Test func anMP3FileThatContinuesAsAACIsPlayedUpToThere() throws {
        let path = try joined(
            "PlayToolTests/Fixtures/three-seconds-mono-44100.mp3", "AVDecodingTests/Fixtures/tone.aac")
        let report = try #require(try PlayProgram.run("probe", "--json", path).objects.first)
        expectEqual(report["sampleRates"], [44_100])
        expectEqual(report["channels"], [1])
        let outcome = try PlayProgram.run("--unpaced", "--output", "null", path)
        expectEqual(outcome.status, 65)
        expectContains(outcome.errors, "it continues as AAC")
    }

    @Test(arguments: ["three-seconds-mono-44100.mp3", "tagged-one-second.mp3"])
    func anAACFileThatContinuesAsMP3IsPlayedUpToThere(_ next: String) throws {
        let path = try joined("AVDecodingTests/Fixtures/tone.aac", "PlayToolTests/Fixtures/" + next)
        let outcome = try PlayProgram.run("--unpaced", "--output", "null", path)
        expectEqual(outcome.status, 65)
        expectContains(outcome.errors, "it continues as MP3")
    }

    @Test func anAACFileWithAnMP3FileInsideEnds() throws {
        let path = try joined(
            "AVDecodingTests/Fixtures/sweep.aac", "PlayToolTests/Fixtures/three-seconds-mono-44100.mp3",
            "AVDecodingTests/Fixtures/sweep.aac")
        let report = try #require(try PlayProgram.run("probe", "--json", path).objects.first)
        expectEqual(report["container"], "adts")
        expectEqual(report["sampleRates"]?.arrayValue?.count, 1)
    }

    @Test func tagsAreTold() throws {
        let report = try probe("tagged-one-second.mp3")
        expectEqual(report["tags"]?["title"], "One second")
        expectEqual(report["tags"]?["artist"], "Somebody")
        expectEqual(report["chapters"], [])
    }

    /// A box of Nero's, a text track of QuickTime's, or both; without the box that is named.
    @Test(arguments: [nil, "chpl", "chap"]) func chaptersOfMP4FilesAreTold(_ missing: String?) throws {
        var file = try fixture("thirty-seconds.m4a")
        for place in file.indices.dropLast(3) where Array(file[place..<place + 4]) == missing.map({ Array($0.utf8) }) {
            file.replaceSubrange(place..<place + 4, with: "free".utf8)
        }
        let path = scratch.path + "/talk.m4a"
        try Data(file).write(to: URL(filePath: path))
        let outcome = try PlayProgram.run("probe", "--json", path)
        let chapters = try #require(try outcome.objects.first?["chapters"]?.arrayValue)
        expectEqual(chapters.map { $0["title"]?.stringValue }, ["First", "Zweites Kapitel – ü", "Third"])
        expectEqual(chapters.map { $0["start"]?.numberValue }, [0, 10, 20])
    }

    @Test func noAudioIsAnAnswerInJSON() throws {
        let report = try probe("web-page.mp3", "--content-type", "audio/mpeg")
        expectEqual(report["outcome"], "not-audio")
        expectEqual(report["reason"]?.stringValue?.contains("web page"), true)
    }

    @Test func noAudioIsAFailureForPeople() throws {
        let outcome = try PlayProgram.run("probe", fixturePath("web-page.mp3"))
        expectEqual(outcome.status, 65)
        #expect(outcome.output.isEmpty)
        expectContains(outcome.errors, "cannot play a web page")
    }

    @Test func theBytesAndNotTheDeclaredTypeDecideHowAFileIsDecoded() throws {
        let report = try probe("vorbis.ogg", "--content-type", "audio/mpeg")
        expectEqual(report["outcome"], "audio")
        expectEqual(report["container"], "ogg")
        expectEqual(report["codec"], "vorbis")
    }

    @Test func aMissingFileIsNoAnswerInAnyForm() throws {
        try expectEqual(PlayProgram.run("probe", "--json", scratch.path + "/none.mp3").status, 66)
    }

    @Test func aURLIsProbedAndNothingOfItIsLeftBehind() throws {
        let server = try LoopbackServer()
        let endpoint = server.serve("/e.mp3", .resource(Resource(try fixtureBytes("three-seconds-mono-44100.mp3"))))
        let outcome = try PlayProgram.run("probe", "--json", endpoint.url, temporary: scratch.path)
        expectEqual(outcome.status, 0)
        try expectEqual(outcome.objects.first?["gapless"]?["samples"]?.integerValue, 132_300)
        #expect(try scratch.contents.isEmpty)
    }

    @Test func peopleReadOneFactALine() throws {
        let outcome = try PlayProgram.run("probe", fixturePath("tagged-one-second.mp3"))
        expectEqual(outcome.status, 0)
        expectContains(outcome.text, "\ntitle     One second\n")
        #expect(outcome.text.hasPrefix("outcome   audio\nformat    mp3, 44100 Hz, 1 channel\n"))
    }
}
