import Foundation
import JSON
import LoopbackServer
import SystemCalls
import TestSupport
import Testing

/// The program from its command line to its exit status, through the real decoder and real sinks.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct PlayingTests {
    let scratch: Scratch
    /// Exactly 3 s of 44.1 kHz mono, gapless.
    let tone = fixturePath("three-seconds-mono-44100.mp3")
    let tagged = fixturePath("tagged-one-second.mp3")

    init() throws { scratch = try Scratch() }

    @Test func aFileIsPlayedToItsEnd() throws {
        for output in ["raw:\(scratch.path)/raw", "pipe:cat >'\(scratch.path)/pipe'"] {
            let played = try PlayProgram.run("--unpaced", "--output", output, tone)
            expectEqual(played.status, 0)
            #expect(played.output.isEmpty)
            #expect(played.errors.hasSuffix("played three-seconds-mono-44100.mp3\n"))
            try expectEqual(scratch.bytes(String(output.prefix { $0 != ":" })).count, 3 * 44_100 * 2)
        }
    }

    @Test func standardOutputTakesTheSound() throws {
        let played = try PlayProgram.run("--unpaced", "--output", "raw:-", tone)
        expectEqual(played.status, 0)
        expectEqual(played.output.count, 3 * 44_100 * 2)
    }

    @Test func aWAVFileIsWholeWhenTheProgramEnds() throws {
        try expectEqual(PlayProgram.run("--unpaced", "--output", "wav:\(scratch.path)/out.wav", tone).status, 0)
        let wav = try scratch.bytes("out.wav")
        expectEqual(Array(wav.prefix(4)), Array("RIFF".utf8))
        #expect(wav.count >= 44 + 3 * 44_100 * 2)
        let riff = wav[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
        expectEqual(riff, wav.count - 8)
    }

    @Test func startAndEndCutToTheFrame() throws {
        let whole = try PlayProgram.run("--unpaced", "--output", "raw:-", tone).output
        let part = try PlayProgram.run(
            "--unpaced", "--output", "raw:-", "--start", "0:01", "--end", "2.5", tone)
        expectEqual(part.status, 0)
        expectEqual(part.output.count, 66_150 * 2)
        // The synthesis filter's past differs after a seek, so a rounding may fall the other way.
        let differences = zip(samples(part.output), samples(whole).dropFirst(44_100)).map { abs(Int($0) - Int($1)) }
        #expect(differences.max() ?? 0 <= 1)
    }

    private func samples(_ bytes: [UInt8]) -> [Int16] {
        stride(from: 0, to: bytes.count - 1, by: 2).map {
            Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
        }
    }

    @Test func anEndPastTheFilesEndIsTheFilesEnd() throws {
        let played = try PlayProgram.run("--unpaced", "--output", "raw:-", "--end", "1h", tone)
        expectEqual(played.status, 0)
        expectEqual(played.output.count, 3 * 44_100 * 2)
    }

    @Test func aStartPastTheFilesEndIsAnError() throws {
        let played = try PlayProgram.run("--unpaced", "--output", "null", "--start", "10:00", tone)
        expectEqual(played.status, 65)
        expectContains(played.errors, "the start 10:00 is after the end of the file (0:03)")
    }

    @Test func filesFollowOneAnother() throws {
        let played = try PlayProgram.run("--unpaced", "--output", "raw:-", tone, fixturePath("tagged-one-second.mp3"))
        expectEqual(played.status, 0)
        expectEqual(played.output.count, 4 * 44_100 * 2)
        expectContains(played.errors, "played three-seconds-mono-44100.mp3\n")
        #expect(played.errors.hasSuffix("played tagged-one-second.mp3\n"))
    }

    @Test func whatPlaysIsToldByItsOwnTitle() throws {
        try play(["--output", "null"], tagged, until: "playing One second: mp3, 44100 Hz, 1 channel, 0:01\n")
    }

    @Test func aFileThatIsNotThereIsNoInput() throws {
        let played = try PlayProgram.run("--output", "null", scratch.path + "/none.mp3")
        expectEqual(played.status, 66)
        expectContains(played.errors, "No such file or directory")
    }

    @Test func aWebPageIsBadDataAndTheNextFileIsPlayed() throws {
        let played = try PlayProgram.run("--unpaced", "--output", "raw:-", fixturePath("web-page.mp3"), tone)
        expectEqual(played.status, 65)
        expectContains(played.errors, "web page")
        expectEqual(played.output.count, 3 * 44_100 * 2)
    }

    @Test func filesOfSeveralCodecsPlayOneAfterTheOther() throws {
        let played = try PlayProgram.run(
            "--unpaced", "--output", "null", fixturePath("vorbis.ogg"), tone, fixturePath("vorbis.ogg"))
        expectEqual(played.status, 0)
        #expect(!played.errors.contains("error:"))
    }

    /// The table of its samples is at the end of the file, and the server ignores Range.
    @Test func anMP4FileWithItsTableLastIsPlayedFromAServerWithoutRanges() throws {
        let server = try LoopbackServer()
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "AVDecodingTests/Fixtures/moov-last.m4a")
        let bytes = [UInt8](try Data(contentsOf: file))
        let endpoint = server.serve("/e.m4a", .resource(Resource(bytes, contentType: "audio/mp4"), faults: [.noRanges]))
        let played = try PlayProgram.run("--unpaced", "--output", "raw:-", endpoint.url, temporary: scratch.path)
        expectEqual(played.status, 0, "\(played.errors)")
        let local = try PlayProgram.run("--unpaced", "--output", "raw:-", file.path)
        #expect(!played.output.isEmpty && played.output == local.output)
    }

    @Test func aFileThatIsNotAudioIsNamed() throws {
        let played = try PlayProgram.run("--output", "null", fixturePath("web-page.mp3"))
        expectEqual(played.status, 65)
        expectContains(played.errors, "a web page")
    }

    @Test func eachFileThatCannotBePlayedIsNamed() throws {
        var names: [String] = []
        for number in 1...12 { names.append(try scratch.file("empty\(number).mp3", "")) }
        let played = try PlayProgram.run(["--unpaced", "--output", "null"] + names)
        expectEqual(played.status, 65)
        for number in 1...11 { expectContains(played.errors, "error: 'empty\(number).mp3': ") }
        expectEqual(played.errors.split(separator: "\n").count { $0.hasPrefix("error:") }, 12, "\(played.errors)")
    }

    @Test func aSinkThatCannotBeOpenedIsAnIOErrorAndSkipsNothing() throws {
        let played = try PlayProgram.run("--unpaced", "--output", "wav:\(scratch.path)/none/out.wav", tone, tone)
        expectEqual(played.status, 74)
        expectEqual(played.errors.split(separator: "\n").count { $0.hasPrefix("error:") }, 1)
    }

    @Test func aURLIsPlayedAndNothingOfItIsLeftBehind() throws {
        let server = try LoopbackServer()
        let endpoint = server.serve(
            "/e.mp3", .resource(Resource(try fixtureBytes("three-seconds-mono-44100.mp3"))))
        let played = try PlayProgram.run(
            "--unpaced", "--output", "raw:-", endpoint.url, temporary: scratch.path)
        expectEqual(played.status, 0)
        expectEqual(played.output.count, 3 * 44_100 * 2)
        expectEqual(endpoint.requests.count, 1)
        #expect(try scratch.contents.isEmpty)
    }

    @Test func whatCannotBeWrittenEndsAProgramThatIsNotPaced() throws {
        let played = try PlayProgram.run("--unpaced", "--output", "raw:/dev/full", tone)
        expectEqual(played.status, 74)
        expectContains(played.errors, "No space left on device")
    }

    @Test func aURLThatIsGoneIsUnavailableAsForPodcastctl() throws {
        let server = try LoopbackServer()
        let endpoint = server.serve("/gone.mp3", .status(404))
        let played = try PlayProgram.run("--output", "null", endpoint.url, temporary: scratch.path)
        expectEqual(played.status, 69)
        #expect(try scratch.contents.isEmpty)
    }

    @Test func aConnectionThatBreaksIsMadeAgainAndEverySampleComesOnce() throws {
        let server = try LoopbackServer()
        let bytes = try fixtureBytes("three-seconds-mono-44100.mp3")
        let endpoint = server.serve(
            "/e.mp3", .resource(Resource(bytes), faults: [.close(at: 10_000)]), .resource(Resource(bytes)))
        let played = try PlayProgram.run("--unpaced", "--output", "raw:-", endpoint.url, temporary: scratch.path)
        expectEqual(played.status, 0)
        expectEqual(played.output, (try PlayProgram.run("--unpaced", "--output", "raw:-", tone).output))
        expectEqual(endpoint.requests.count, 2)
    }

    @Test func JSONTellsTheCourseAnObjectALine() throws {
        // In real time, so that nothing is joined that a reader wants to see.
        let played = try PlayProgram.run("--json", "--output", "null", tagged)
        expectEqual(played.status, 0)
        let objects = try played.objects
        expectEqual(objects.last?["state"], "stopped")
        expectEqual(objects.last?["error"], .null)
        try play(["--json", "--output", "null"], tagged, until: #""playing","reason":null,"input":"\#(tagged)""#)
        #expect(played.errors.isEmpty)
    }

    @Test func aWaitIsToldWithItsCauseWhileItLasts() throws {
        let server = try LoopbackServer()
        let gate = Gate()
        let endpoint = server.serve(
            "/e.mp3",
            .after(.gate(gate), .resource(Resource(try fixtureBytes("three-seconds-mono-44100.mp3")))))
        let errors = try SystemCalls.Pipe()
        var launch = PlayProgram.launch(["--unpaced", "--output", "null", endpoint.url], temporary: scratch.path)
        launch.descriptors.append(DescriptorMapping(errors.writing.raw, to: 2))
        let child = try ChildProcess(launch)
        let reading = errors.closingWriting()
        let waiting = "Loading episode, connecting to 127.0.0.1:\(server.port): e.mp3\n"
        #expect(try text(from: reading.raw, until: waiting) != nil)
        gate.open()
        #expect(try text(from: reading.raw, until: "played e.mp3\n") != nil)
        expectEqual(child.wait(), .exited(0))
    }

    /// What comes out of a descriptor up to some words; nil when it ends before.
    private func text(from descriptor: Int32, until words: String) throws -> String? {
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !text.contains(words) {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return nil }
            text += String(decoding: buffer.prefix(count), as: UTF8.self)
        }
        return text
    }

    /// Plays a short sound ninety times, so that a busy machine does not miss the sound, until words appear, and then sends a signal.
    private func play(_ options: [String], _ file: String, until words: String, then signal: Int32 = SIGTERM) throws {
        let printed = try SystemCalls.Pipe()
        var launch = PlayProgram.launch(options + Array(repeating: file, count: 90))
        for number: Int32 in [1, 2] { launch.descriptors.append(DescriptorMapping(printed.writing.raw, to: number)) }
        let child = try ChildProcess(launch)
        let reading = printed.closingWriting()
        #expect(try text(from: reading.raw, until: words) != nil)
        child.signal(signal)
        expectEqual(child.wait(), .exited(0))
    }

    @Test func aSignalStopsItCleanly() throws {
        for signal in [SIGTERM, SIGINT] {
            try play(["--output", "wav:\(scratch.path)/\(signal).wav"], tone, until: "playing", then: signal)
            let wav = try scratch.bytes("\(signal).wav")
            expectEqual(wav[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }, wav.count - 8)
        }
    }

    @Test(arguments: ["http", "upnp:kitchen", "icecast:localhost/mount"])
    func refusesOutputsThatNeedTheDaemonAndNamesTheOthers(output: String) throws {
        let played = try PlayProgram.run("--output", output, tone)
        expectEqual(played.status, 64)
        let kind = output.prefix { $0 != ":" }
        expectContains(played.errors, "output \"\(kind)\" needs podcastd; use alsa[:DEVICE], pulse[:DEVICE], snapcast:")
        #expect(!played.errors.contains("upnp:NAME"))
        let help = try PlayProgram.run("--help").text
        #expect(help.contains("snapcast:HOST") && !help.contains("\(kind):") && !help.contains("\(kind)["))
    }

    /// No server is at the address, and nobody can start one through this program.
    @Test func endsWhenNoSoundServerAnswers() throws {
        let played = try PlayProgram.run("--output", "pulse?server=unix:\(scratch.path)/none", tone, tone)
        expectEqual(played.status, 74)
        expectEqual(
            played.errors.split(separator: "\n").last,
            "podcast-play: no PulseAudio or PipeWire answers pulse; "
                + "start it, or name its address: pulse?server=unix:/run/user/1000/pulse/native")
    }

    @Test(arguments: [
        ["--end", "1", "--start", "2", "x.mp3"], ["--start", "+5", "x.mp3"], ["--output", "nowhere", "x.mp3"],
        ["--speed", "9", "x.mp3"], ["--json", "--output", "raw:-", "x.mp3"], [],
        ["probe", "--output", "null", "x.mp3"],
    ])
    func aCommandLineThatMakesNoSenseIsRefused(arguments: [String]) throws {
        let collected = try CollectedOutput.of(PlayProgram.launch(arguments), limit: 1 << 20, timeout: .seconds(60))
        expectEqual(collected.status, .exited(64))
        #expect(!collected.errors.isEmpty)
        #expect(collected.output.isEmpty)
    }
}
