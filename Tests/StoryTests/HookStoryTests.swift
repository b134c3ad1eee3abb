import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import JSON
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// Programs that podcast-hooks runs on events of a real daemon.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct HookStoryTests {
    private let daemon: RunningDaemon
    private let client: DaemonConnection
    private let published: PublishedFeed
    private let events: String
    private let audio: [UInt8]

    init() throws {
        audio = try fixture("forty-seconds.mp3")
        published = try PublishedFeed(episodes: [("Alpha talk", audio), ("Beta talk", audio)])
        daemon = try RunningDaemon()
        events = try daemon.scratch.file("events", "")
        client = try daemon.connect(watching: .player, subscribing: published.feed.url)
    }

    /// podcast-hooks with a file, ready.
    private func hooks(_ settings: String) throws -> ObservedProgram {
        let notifications = try Notifications(path: daemon.scratch.path + "/hooks-\(UUID().uuidString.prefix(6))")
        let config = try daemon.scratch.file("hooks.conf", settings)
        let program = try ObservedProgram(
            Programs.path("podcast-hooks"), ["--socket", daemon.socketPath, "--config", config],
            environment: ["NOTIFY_SOCKET=\(notifications.path)", "SECRET=hidden"], hasErrors: true)
        try #require(notifications.wait(for: "READY=1"), "podcast-hooks did not get ready")
        return program
    }

    /// A line for the file: the event is appended to `events`, and the log says so.
    private func recording(_ names: String...) -> String {
        "[limits]\nprograms = 1\n[hooks]\n"
            + names.map { "\($0) = /bin/sh -c \"cat >>'\(events)'; echo recorded\"\n" }.joined()
    }

    private func recorded(_ event: String, by hooks: ObservedProgram) throws -> JSONValue {
        try #require(try hooks.wait(for: "\(event): /bin/sh: recorded\n"), "\(hooks.text)")
        let lines = try String(contentsOfFile: events, encoding: .utf8).split(separator: "\n")
        let json = try JSONValue(parsing: String(try #require(lines.last { $0.contains("\"event\":\"\(event)\"") })))
        return json
    }

    @Test func playbackRunsProgramsInOrder() throws {
        try client.call(AddToQueue { $0.what = ["Alpha talk", "Beta talk"] })
        try client.play("1")
        try client.call(Pause())
        let hooks = try hooks(recording("episode-started", "episode-finished", "paused", "resumed", "stopped"))
        try client.call(TogglePlayback())
        _ = try recorded("resumed", by: hooks)
        try client.call(Pause())
        let paused = try recorded("paused", by: hooks)
        #expect(paused["episode"]?["title"] == "Alpha talk" && paused["episode"]?["feedTitle"] == "Test feed")
        #expect(paused["state"] == "paused" && paused["duration"] != nil && paused["volume"] == 100)
        try client.call(TogglePlayback())
        _ = try recorded("resumed", by: hooks)
        try client.call(Seek { $0.time = .absolute(MediaTime(seconds: 39.5)) })
        let finished = try recorded("episode-finished", by: hooks)
        #expect(finished["episode"]?["title"] == "Alpha talk" && finished["episode"]?["played"] == true)
        try expectEqual(recorded("episode-started", by: hooks)["episode"]?["title"], "Beta talk")
        try client.call(Stop())
        try expectEqual(recorded("stopped", by: hooks)["state"], "stopped")
        // The end of the queue.
        try client.call(Play())
        _ = try recorded("episode-started", by: hooks)
        try client.call(Seek { $0.time = .absolute(MediaTime(seconds: 39.5)) })
        #expect(
            try hooks.wait(for: { text in
                ["episode-finished", "stopped"].allSatisfy { text.contains("\($0): /bin/sh: recorded\n") }
            }), "\(hooks.text)")
        expectEqual(hooks.stop(), .exited(0))
    }

    @Test func newEpisodesRunProgramsAndSubscriptionsDoNot() throws {
        let hooks = try hooks(recording("new-episodes"))
        let other = try PublishedFeed(title: "Other", episodes: [("Old talk", audio)])
        try client.call(Subscribe { $0.urls = [other.feed.url] })
        let next = try PublishedFeed(
            episodes: [("Alpha talk", audio), ("Beta talk", audio), ("Gamma", audio)], on: published.server)
        try client.call(RefreshFeeds { $0.feeds = [next.feed.url] })
        let new = try recorded("new-episodes", by: hooks)
        expectEqual(new["episodes"]?.arrayValue?.map { $0["title"] }, ["Gamma"], "\(new)")
        expectEqual(new["count"], 1)
        try expectEqual(String(contentsOfFile: events, encoding: .utf8).split(separator: "\n").count, 1)
    }

    @Test func downloadsRunPrograms() throws {
        let gone = try PublishedFeed(title: "Gone", episodes: [("Missing", audio)])
        try client.call(Subscribe { $0.urls = [gone.feed.url] })
        let missing = gone.server.serve("/0.mp3", .status(404))
        let hooks = try hooks(recording("download-finished", "download-failed"))
        try client.call(DownloadEpisodes { $0.what = ["Alpha talk"] })
        try expectEqual(recorded("download-finished", by: hooks)["episode"]?["downloaded"], true)
        try client.call(DownloadEpisodes { $0.what = ["Missing"] })
        let failed = try recorded("download-failed", by: hooks)
        expectEqual(failed["episode"]?["title"], "Missing")
        expectEqual(failed["reason"]?.stringValue?.isEmpty, false)
        withExtendedLifetime(missing) {}
    }

    @Test func theEndOfTheSleepTimerRunsAProgram() throws {
        try client.play("Alpha talk")
        let hooks = try hooks(recording("sleep-timer-ended", "paused"))
        try client.call(SetSetting { ($0.key, $0.value) = ("playback.sleep_fade", "0") })
        try client.call(SetSleepTimer { $0.when = "1s" })
        try expectEqual(recorded("sleep-timer-ended", by: hooks)["state"], "paused")
        _ = try recorded("paused", by: hooks)
    }

    @Test func aProgramGetsLittleAndItsOutputIsCleaned() throws {
        try client.play("Alpha talk")
        let script = try daemon.scratch.file(
            "report.sh",
            """
            printf 'red \\033[31m text\\n'
            echo "environment $(env | cut -d = -f 1 | sort | tr '\\n' ' ')"
            echo "descriptors $(ls /proc/self/fd | tr '\\n' ' ')"
            echo "arguments $# $1"
            exit 3
            """)
        let hooks = try hooks("[hooks]\npaused = /bin/sh \(script) \"two words; echo $HOME\"\n")
        try client.call(Pause())
        try #require(try hooks.wait(for: { $0.contains("ended with status 3\n") }), "\(hooks.text)")
        expectContains(hooks.text, "paused: /bin/sh: red [31m text\n")
        expectContains(hooks.text, "environment HOME LC_ALL PATH PODCASTD_EVENT PODCASTD_SOCKET PWD ")
        expectContains(hooks.text, "arguments 1 two words; echo $HOME\n")
        // 3 is the folder that ls reads.
        expectContains(hooks.text, "descriptors 0 1 2 3 \n")
    }

    @Test func aProgramThatTakesTooLongIsEnded() throws {
        try client.play("Alpha talk")
        let hooks = try hooks(
            "[limits]\ntime = 20\nprograms = 1\nwaiting = 1\n[hooks]\npaused = /bin/sleep 100\npaused = /bin/echo a\npaused = /bin/echo b\n"
        )
        try client.call(Pause())
        try #require(try hooks.wait(for: { $0.contains("/bin/echo: b\n") }), "\(hooks.text)")
        expectContains(hooks.text, "paused: /bin/echo is not run, because too many programs wait\n")
        expectContains(hooks.text, "paused: /bin/sleep has reached its time limit and is ended\n")
        expectContains(hooks.text, "paused: /bin/sleep ended with signal 15 after its time limit\n")
        #expect(!hooks.text.contains("/bin/echo: a\n"))
    }

    @Test func aRestartOfTheDaemonIsSurvived() throws {
        var first: RunningDaemon? = try RunningDaemon()
        let scratch = first!.scratch
        let config = try scratch.file("hooks.conf", "[hooks]\nepisode-started = /bin/echo heard\n")
        let hooks = try ObservedProgram(
            Programs.path("podcast-hooks"), ["--socket", scratch.path + "/control", "--config", config], hasErrors: true
        )
        _ = first?.stop()
        first = nil
        let second = try RunningDaemon(in: scratch)
        let client = try second.connect(subscribing: published.feed.url)
        // Until podcast-hooks has connected again.
        repeat {
            try client.play("Alpha talk")
            try client.call(Stop())
        } while try !hooks.wait(for: "episode-started: /bin/echo: heard\n", atMost: .milliseconds(100))
    }

    @Test func theFileIsCheckedAsAWhole() throws {
        let config = try daemon.scratch.file(
            "bad.conf",
            "[hooks]\nstarted = /bin/true\npaused = /nonexistent/lamp\nresumed = /etc\nstopped = /etc/passwd\n")
        let bad = try Programs.run("podcast-hooks", ["--check", "--config", config])
        expectEqual(bad.status, 78)
        expectEqual(bad.errors.split(separator: "\n").count { $0.hasPrefix("podcast-hooks: \(config):") }, 4)
        for text in [
            ":2: unknown event 'started'", ":3: /nonexistent/lamp: No such file or directory",
            ":4: /etc: not a file",
            ":5: /etc/passwd: Permission denied",
        ] { expectContains(bad.errors, text) }
        try expectEqual(Programs.run("podcast-hooks", ["--config", config]).status, 78)
        let good = try daemon.scratch.file("good.conf", "[hooks]\npaused = /bin/echo \"a b\"\n")
        let checked = try Programs.run("podcast-hooks", ["--check", "--config", good])
        #expect(checked.status == 0 && checked.output == "paused: /bin/echo a b\n")
        try expectEqual(Programs.run("podcast-hooks", ["--config", "/nonexistent"]).status, 78)
    }

    @Test func whatAProgramLeavesBehindEndsWithIt() throws {
        let left = daemon.scratch.path + "/left"
        let hooks = try hooks(
            "[hooks]\nepisode-started = /bin/sh -c \"sleep 1000 >/dev/null 2>&1 & echo $! >'\(left)'; echo begun\"\n")
        try client.call(AddToQueue { $0.what = ["Alpha talk"] })
        try client.play("1")
        #expect(try hooks.wait(for: "begun"))
        let process = try #require(
            Int32(try String(contentsOfFile: left, encoding: .utf8).trimmingCharacters(in: .newlines)))
        let end = Instant.now + .seconds(60)
        while kill(process, 0) == 0, Instant.now < end {}
        #expect(kill(process, 0) != 0)
    }
}
