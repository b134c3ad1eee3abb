import ControlClient
import ControlLanguage
import ControlProtocol
import LoopbackServer
import PodcastModel
import SystemCalls
import Testing
import TestSupport

/// Changes of settings, with undo and redo.
@Suite(.ownThread, .timeLimit(.minutes(10))) struct SettingUndoStoryTests {
    private func tool(_ daemon: RunningDaemon, _ words: String...) throws -> String {
        let run = try Programs.run("podcastctl", ["--socket", daemon.socketPath] + words)
        expectEqual(run.status, 0, "\(words): \(run.errors)")
        return run.output
    }

    @Test func settingsOfAllFeedsAndOfOneAreUndoneInOrderAlsoAfterARestart() throws {
        let published = try PublishedFeed(episodes: [("First", try fixture("forty-seconds.mp3"))])
        let scratch = try Scratch()
        func values(_ daemon: RunningDaemon) throws -> [String] {
            let client = try daemon.connect()
            let own = try client.call(ListFeedSettings { $0.feed = published.feed.url }).settings
            return [
                try client.call(GetSetting { $0.key = "playback.speed" }).value,
                try client.call(GetSetting { $0.key = "playback.skip_start" }).value,
                own.first { $0.key == "skip_start" }?.value ?? "-",
            ]
        }
        do {
            let daemon = try RunningDaemon(in: scratch)
            try daemon.connect().call(Subscribe { $0.urls = [published.feed.url] })
            #expect(try tool(daemon, "settings", "playback.speed", "1.33").hasPrefix("playback.speed = 1.35\n"))
            #expect(try tool(daemon, "settings", "playback.skip_start", "1m").hasPrefix("playback.skip_start = 60\n"))
            try expectEqual(tool(daemon, "set", published.feed.url, "skip_start", "1:30"), "skip_start = 1:30\n")
            let reset = try tool(daemon, "settings", "playback.skip_start", "--reset")
            #expect(reset.hasPrefix("playback.skip_start = 0\n"))
            try expectEqual(tool(daemon, "speed", "2"), "speed 2\n")
            try expectEqual(values(daemon), ["2", "0", "90"])
            expectEqual(daemon.stop(), .exited(0))
        }
        let daemon = try RunningDaemon(in: scratch)
        try expectEqual(tool(daemon, "undo"), "undid speed of all feeds\n")
        try expectEqual(values(daemon), ["1.35", "0", "90"])
        try expectEqual(tool(daemon, "undo"), "undid set: playback.skip_start as before\n")
        try expectEqual(values(daemon), ["1.35", "60", "90"])
        #expect(try tool(daemon, "undo").hasPrefix("undid set: skip_start of "))
        try expectEqual(values(daemon), ["1.35", "60", "-"])
        try expectEqual(tool(daemon, "undo"), "undid set: playback.skip_start as before\n")
        try expectEqual(tool(daemon, "undo"), "undid set: playback.speed as before\n")
        try expectEqual(values(daemon), ["1", "0", "-"])
        for _ in 1...5 { _ = try tool(daemon, "redo") }
        try expectEqual(values(daemon), ["2", "0", "90"])
    }

    @Test func theSpeedThatPlaysFollowsAnUndo() throws {
        let published = try PublishedFeed(episodes: [("First", try minutesOfSpeech())])
        let daemon = try RunningDaemon()
        let client = try daemon.connect(watching: .player, subscribing: published.feed.url)
        try client.play("First")
        try client.call(SetSpeed { $0.speed = 1.5 })
        try client.player { $0.speed == 1.5 }
        try expectEqual(client.call(Undo()).act, .speed)
        try client.player { $0.speed == 1 }
        _ = try tool(daemon, "set", published.feed.url, "speed", "2")
        try client.player { $0.speed == 2 }
        try client.call(SetSpeed { $0.speed = 2.5 })
        try client.player { $0.speed == 2.5 }
        try expectEqual(client.call(Undo()).act, .speed)
        try client.player { $0.speed == 2 }
    }
}
