import ControlClient
import ControlLanguage
import ControlProtocol
import LoopbackServer
import PodcastModel
import Testing
import TestSupport

/// Speed, as listeners change it.
@Suite(.ownThread, .timeLimit(.minutes(10))) struct SpeedTests {
    @Test func theSpeedChangesWhileAnEpisodePlaysAndIsKept() throws {
        let server = try LoopbackServer()
        let endpoint = server.serve("/slow.mp3", .resource(Resource(try fixture("forty-seconds.mp3"))))
        let daemon = try RunningDaemon()
        let client = try daemon.connect(watching: .player)
        try client.play(endpoint.url)
        try expectEqual(client.call(SetSpeed { $0.speed = 1.5 }).speed, 1.5)
        try client.player { $0.speed == 1.5 && $0.state == .playing }
        try expectEqual(daemon.ctl("speed", "+0.25").output, "speed 1.75\n")
        try expectEqual(daemon.ctl("speed", "-0.1").output, "speed 1.65\n")
        try expectEqual(daemon.ctl("speed").output, "speed 1.65\n")
        try expectContains(daemon.ctl("status").output, "speed 1.65")
        try expectEqual(daemon.ctl("speed", "9").status, 64)
        #expect(
            try daemon.ctl("settings", "playback.speed").output.hasPrefix(
                "playback.speed = 1.65"))
    }

    @Test func manyChangesOfSpeedAndSeeksInARowEndAtTheLast() throws {
        let server = try LoopbackServer()
        let endpoint = server.serve("/slow.mp3", .resource(Resource(try fixture("forty-seconds.mp3"))))
        let daemon = try RunningDaemon()
        let client = try daemon.connect(watching: .player)
        try client.play(endpoint.url)
        try client.call(SetSpeed { $0.speed = 2 })
        // From here on every event with another speed is newer.
        try client.player { $0.speed == 2 }
        client.forgetEvents()
        // Far from the end, which playing must not reach on a busy machine.
        for turn in 0..<30 {
            try client.call(SetSpeed { $0.speed = turn % 2 == 0 ? 3 : 0.5 })
            try client.call(Seek { $0.time = .absolute(MediaTime(seconds: Double(turn % 7))) })
        }
        try client.call(Seek { $0.time = .absolute(MediaTime(seconds: 10)) })
        try client.call(SetSpeed { $0.speed = 1 })
        let player = try client.player { $0.state == .playing && $0.speed == 1 }
        #expect((9.9..<20).contains(player.position?.seconds ?? 0))
        expectEqual(player.error, nil)
    }

    @Test func aFeedKeepsItsOwnSpeed() throws {
        let published = try PublishedFeed(episodes: [("First", try fixture("forty-seconds.mp3"))])
        let daemon = try RunningDaemon()
        let client = try daemon.connect(watching: .player, subscribing: published.feed.url)
        let set = try daemon.ctl("set", published.feed.url, "speed", "2")
        expectEqual(set.status, 0, "\(set.errors)")
        try client.call(Play { $0.what = "First" })
        try client.player { $0.state == .playing && $0.speed == 2 }
        // The speed that is heard changes, not that of other feeds.
        let reply = try client.call(SetSpeed { $0.change = 0.5 })
        #expect(reply.speed == 2.5 && reply.feed != nil)
        try client.player { $0.speed == 2.5 }
        try client.call(Pause())
        try expectEqual(client.call(GetSetting { $0.key = "playback.speed" }).value, "1")
        #expect(try daemon.ctl("set", published.feed.url, "speed", "fast").status != 0)

        // Also while playback is stopped, before and after the feed's speed changes.
        try expectOutcome(daemon.ctl("stop"), 0)
        try client.player { $0.state == .stopped && $0.speed == 2.5 }
        try expectEqual(daemon.ctl("speed").output, "speed 2.5\n")
        try expectOutcome(daemon.ctl("speed", "-0.5"), 0)
        try client.player { $0.state == .stopped && $0.speed == 2 }
        try expectContains(daemon.ctl("status").output, "   speed 2")
        try expectOutcome(daemon.ctl("set", "Test feed", "speed", "--reset"), 0)
        try client.player { $0.state == .stopped && $0.speed == 1 }
    }
}
