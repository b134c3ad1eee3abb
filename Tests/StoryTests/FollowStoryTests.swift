import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import MachineSupport
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// `status --follow`, told through the programs as they are installed.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct FollowStoryTests {
    @Test(arguments: [["--format", "{state} {position:time}/{duration:time}"], ["--json"], ["--plain"]])
    func followingEndsWhenItsReaderHasClosedThePipe(options: [String]) throws {
        let daemon = try RunningDaemon()
        let command = ([Programs.path("podcastctl"), "--socket", daemon.socketPath, "status", "--follow"] + options)
            .map { "'\($0)'" }.joined(separator: " ")
        // The shell waits for both; the follower has nothing to write after its first line.
        try expectOutcome(
            Programs.run(Launch("/bin/sh", ["-c", "\(command) | head -1"], environment: ["PATH=/usr/bin:/bin"])), 0,
            output: "stopped")
    }

    @Test func aStatusBarGetsALineForEachSecondWithTimesAsPeopleReadThem() throws {
        let published = try PublishedFeed(episodes: [("Long", try minutesOfSpeech())])
        let daemon = try RunningDaemon()
        let client = try daemon.connect(watching: .player, subscribing: published.feed.url)
        try daemon.play("Long", watchedBy: client)
        let template = "{state} {position:time} {episode.title}"
        let command = [Programs.path("podcastctl"), "--socket", daemon.socketPath, "status", "--follow", "--format"]
        let outcome = try Programs.run(
            Launch(
                "/bin/sh", ["-c", "'\(command.joined(separator: "' '"))' '\(template)' | head -3"],
                environment: ["PATH=/usr/bin:/bin"]))
        let lines = outcome.output.split(separator: "\n")
        expectEqual(lines.count, 3)
        expectEqual(Set(lines).count, 3)
        for line in lines { #expect(line.hasPrefix("playing 0:") && line.hasSuffix(" Long"), "\(line)") }
        try expectOutcome(
            daemon.ctl("status", "--format", "{position:clock}"), 64, errors: "after a colon: {position:time}")
    }

    @Test func secondsThatAreCountedAreNoChangesOfTheirOwn() throws {
        // The kernel accepts connections to it; no program answers them.
        let silent = try LoopbackListener()
        let daemon = try RunningDaemon()
        let client = try daemon.connect(watching: .player)
        let follower = try Follower(daemon, ["--plain"])
        try client.call(Play { $0.what = "http://127.0.0.1:\(silent.port)/slow.mp3" })
        // A busy machine may skip a second, or even the time until the host is asked again.
        var reasons: Set<String> = []
        try client.player { player in
            if let reason = player.reason, reason.contains("no answer") { reasons.insert(reason) }
            return reasons.count == 3
        }
        let lines = try follower.lines(until: "no answer").filter { $0.contains("no answer") }
        // No line differs from another one only in its numbers.
        expectEqual(Set(lines.map { $0.filter { !$0.isNumber } }).count, lines.count, "\(lines)")
        silent.shutdown()
    }

    /// A follower whose output is read from a file.
    private final class Follower {
        private let output: String
        private let process: ChildProcess

        /// - Parameter hasErrors: whether its messages are in the file, too.
        init(_ daemon: RunningDaemon, _ options: [String] = [], hasErrors: Bool = false) throws {
            output = daemon.scratch.path + "/followed"
            try Data().write(to: URL(filePath: output))
            let file = try FileHandle(forWritingTo: URL(filePath: output))
            process = try ChildProcess(
                Launch(
                    Programs.path("podcastctl"), ["--socket", daemon.socketPath, "status", "--follow"] + options,
                    environment: ["PATH=/usr/bin:/bin"],
                    descriptors: (hasErrors ? [1, 2] : [1]).map { DescriptorMapping(file.fileDescriptor, to: $0) }))
        }

        deinit { _ = process.terminate(grace: .seconds(1)) }

        /// The lines so far, once one contains a text.
        func lines(until text: String) throws -> [String] {
            try lines { $0.contains { $0.contains(text) } }
        }

        /// The lines so far, once they are as wanted.
        func lines(until isThere: ([String]) -> Bool) throws -> [String] {
            let deadline = Date(timeIntervalSinceNow: 60)
            while true {
                let lines = try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n").map(String.init)
                if isThere(lines) { return lines }
                try #require(Date.now < deadline, "\(lines)")
            }
        }
    }

    @Test(arguments: [
        (["--plain"], "   10:", "volume 50 %"), (["--format", "{state}@{position:time} {volume}"], "@10:", " 50"),
        (["--json"], "\"position\":6", "\"volume\":50"),
    ])
    func theLineOfAStopHasThePositionAtWhichItWasStopped(options: [String], position: String, end: String) throws {
        let published = try PublishedFeed(episodes: [("Long", try minutesOfSpeech())])
        let daemon = try RunningDaemon()
        let client = try daemon.connect(watching: .player, subscribing: published.feed.url)
        try daemon.play("Long", "--position", "10:05", watchedBy: client)
        let follower = try Follower(daemon, options)
        _ = try follower.lines(until: "playing")
        try expectOutcome(daemon.ctl("stop"), 0)
        try expectOutcome(daemon.ctl("volume", "50"), 0)
        let stopped = try follower.lines(until: end).filter { $0.contains("stopped") }
        #expect(!stopped.isEmpty)
        for line in stopped { expectContains(line, position) }
    }

    @Test func aPlainFollowerHasALineForSpeedAndVolume() throws {
        let daemon = try RunningDaemon()
        let follower = try Follower(daemon, ["--plain"])
        expectEqual(try follower.lines(until: "stopped"), ["stopped"])
        try expectOutcome(daemon.ctl("speed", "1.5"), 0)
        _ = try follower.lines(until: "speed")
        try expectOutcome(daemon.ctl("volume", "40"), 0)
        try expectEqual(follower.lines(until: "volume"), ["stopped", "speed 1.5", "volume 40 %"])
    }

    @Test func followingSurvivesARestartOfTheDaemon() throws {
        let scratch = try Scratch()
        var daemon: RunningDaemon? = try RunningDaemon(in: scratch)
        let follower = try Follower(#require(daemon), hasErrors: true)
        _ = try follower.lines(until: "stopped")
        _ = daemon?.stop()
        _ = try follower.lines(until: "podcastctl: the connection to podcastd has ended; waiting for it to start again")
        daemon = nil
        let again = try RunningDaemon(in: scratch)
        let lines = try follower.lines { $0.last == "stopped" && $0.count > 2 }
        #expect(lines.suffix(2).first?.hasSuffix("again") == true, "\(lines)")
        withExtendedLifetime(again) {}
        expectEqual(lines.count { $0.contains("has ended") }, 1)
    }
}
