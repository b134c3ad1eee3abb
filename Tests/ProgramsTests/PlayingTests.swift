import ChildProcess
import Foundation
import JSON
import LoopbackServer
import SystemCalls
import Testing

@Suite(.timeLimit(.minutes(10)))
struct PlayingTests {
    private func subscribed(_ published: PublishedFeed, _ daemon: RunningDaemon) throws -> DaemonConnection {
        let client = try daemon.connect()
        try client.call("status.subscribe", ["parts": ["player", "activities", "queue", "feeds"]])
        try client.call("feeds.subscribe", ["urls": [.string(published.feed.url)]])
        return client
    }

    @Test func fromSubscribingToTheLastSampleEverythingWorksOverTheSocket() throws {
        let speech = try fixture("one-and-a-half-seconds.mp3")
        let published = try PublishedFeed(episodes: [("Second", speech), ("First", speech)])
        let daemon = try RunningDaemon()
        let client = try subscribed(published, daemon)
        let feeds = try client.call("feeds.list")["feeds"]?.arrayValue ?? []
        #expect(feeds.map { $0["title"]?.stringValue } == ["Test feed"])
        #expect(feeds.first?["episodes"]?.integerValue == 2)

        try client.call("queue.add", ["what": ["First", "Second"]])
        try client.call("playback.play", ["what": "1"])
        let loading = try client.event("player") { $0["state"]?.stringValue == "playing" }
        #expect(loading["episode"]?["title"]?.stringValue == "First")
        // The second follows without being asked, and the queue ends after it.
        try client.event("player") { $0["episode"]?["title"]?.stringValue == "Second" && $0["state"] == "playing" }
        let end = try client.event("player") { $0["state"]?.stringValue == "stopped" }
        #expect(end["error"] == .null)
        let played = try client.call("episodes.list")["episodes"]?.arrayValue ?? []
        #expect(played.map { $0["played"]?.boolValue } == [true, true])
        #expect(published.media.map(\.requests.count) == [1, 1])
    }

    @Test func loadingAndBufferingComeAndGoAndTheServiceManagerHearsOfThem() throws {
        let audio = try fixture("forty-seconds.mp3")
        // Without the first gate it may be loaded before anybody is told.
        let (beginning, rest) = (Gate(), Gate())
        let server = try LoopbackServer()
        let endpoint = server.serve(
            "/slow.mp3",
            .resource(Resource(audio), faults: [.stall(at: 0, .gate(beginning)), .stall(at: 20_000, .gate(rest))]))
        let daemon = try RunningDaemon()
        let client = try daemon.connect()
        try client.call("status.subscribe", ["parts": ["player", "activities"]])
        try client.call("playback.play", ["what": .string(endpoint.url)])
        try client.event("activities") { $0.arrayValue?.contains { $0["kind"] == "loading" } == true }
        beginning.open()
        try client.player("playing")
        let buffering = try client.event("player") { $0["state"]?.stringValue == "buffering" }
        #expect(buffering["reason"]?.stringValue?.isEmpty == false)
        try client.event("activities") { $0.arrayValue?.contains { $0["kind"] == "buffering" } == true }
        rest.open()
        try client.event("player") { $0["state"]?.stringValue == "playing" }
        try client.event("activities") { $0.arrayValue?.isEmpty == true }
        // The manager has read nothing since READY=1: what it was told first still waits for it.
        #expect(daemon.waitForNotification("STATUS=Loading playlist: \(endpoint.url)"))
    }

    @Test func everyControlWorksWhileItPlays() throws {
        let published = try PublishedFeed(episodes: [("Long", try fixture("forty-seconds.mp3"))])
        let daemon = try RunningDaemon()
        let client = try subscribed(published, daemon)
        try client.call("playback.play", ["what": "Long"])
        try client.player("playing")
        #expect(try client.call("playback.volume", ["level": 30])["volume"]?.integerValue == 30)
        #expect(try client.call("playback.volume", ["change": 5])["volume"]?.integerValue == 35)
        #expect(try client.call("playback.pause")["state"]?.stringValue == "paused")
        let position = try #require(try client.call("status.get")["position"]?.numberValue)
        #expect(try client.call("status.get")["position"]?.numberValue == position)
        #expect(try client.call("playback.seek", ["time": "0:20"])["position"]?.numberValue == 20)
        try client.call("playback.toggle")
        try client.player("playing")
        let later = try #require(try client.call("status.get")["position"]?.numberValue)
        #expect(later >= 20)
        // The file has no table: how long it is shows when the decoder, which runs ahead, has come to its end.
        while (try client.call("episodes.show", ["episode": "Long"])["duration"]?.numberValue ?? 0) < 39 {}
        try client.call("playback.pause")
        let held = try #require(try client.call("status.get")["position"]?.numberValue)
        #expect(held >= later)
        let sought = try #require(try client.call("playback.seek", ["time": "-10"])["position"]?.numberValue)
        #expect(abs(held - 10 - sought) < 0.01)
        #expect(try client.call("playback.stop")["state"]?.stringValue == "stopped")
        let episode = try client.call("episodes.show", ["episode": "Long"])
        let saved = try #require(episode["position"]?.numberValue)
        #expect(abs(saved - sought) < 0.1)
    }

    @Test func afterAKillTheQueueIsAsAcknowledgedAndThePositionAsItWasRecorded() throws {
        let published = try PublishedFeed(episodes: [("Long", try fixture("forty-seconds.mp3"))])
        let scratch = try Scratch()
        var recorded = 0.0
        do {
            let daemon = try RunningDaemon(in: scratch)
            let client = try subscribed(published, daemon)
            try client.call("queue.add", ["what": ["Long", "Long", "Long"]])
            try client.call("queue.move", ["from": "3", "to": 1])
            try client.call("playback.play", ["what": "2", "position": "0:05"])
            try client.player("playing")
            // Nothing but the clock asks for this record.
            while recorded < 6 {
                recorded = try client.call("episodes.show", ["episode": "Long"])["position"]?.numberValue ?? 0
            }
            daemon.kill()
        }
        let daemon = try RunningDaemon(in: scratch)
        let client = try daemon.connect()
        let queue = try client.call("queue.list")
        #expect(queue["length"]?.integerValue == 3)
        #expect(queue["index"]?.integerValue == 2)
        let position = try #require(try client.call("episodes.show", ["episode": "Long"])["position"]?.numberValue)
        #expect(position >= recorded, "\(position) after \(recorded)")
    }

    @Test func aKilledDecoderIsStartedAgainAndPlayingGoesOn() throws {
        let published = try PublishedFeed(episodes: [("Long", try fixture("forty-seconds.mp3"))])
        let daemon = try RunningDaemon()
        let client = try subscribed(published, daemon)
        try client.call("playback.play", ["what": "Long"])
        try client.player("playing")
        let decoders = Processes.children(of: daemon.process.processID, named: "podcast-decode")
        #expect(decoders.count == 1)
        for decoder in decoders { kill(decoder, SIGKILL) }
        try client.call("playback.seek", ["time": "0:30"])
        try client.player("playing")
        let status = try client.call("status.get")
        #expect(status["position"]?.numberValue ?? 0 >= 30)
    }

    @Test(arguments: [404, 410, 403])
    func anEpisodeThatIsGoneIsSaidAndTheNextOnePlays(code: Int) throws {
        let speech = try fixture("forty-seconds.mp3")
        let published = try PublishedFeed(episodes: [("Good", speech), ("Gone", speech)])
        let gone = published.server.serve("/1.mp3", .status(code))
        let daemon = try RunningDaemon()
        let client = try subscribed(published, daemon)
        try client.call("queue.add", ["what": ["Gone", "Good"]])
        try client.call("playback.play", ["what": "1"])
        let playing = try client.event("player") { $0["state"]?.stringValue == "playing" }
        #expect(playing["episode"]?["title"]?.stringValue == "Good")
        #expect(playing["error"]?.stringValue?.isEmpty == false)
        #expect(gone.requests.count >= 1)
    }

    @Test(arguments: [
        ("an HTML page", "<!DOCTYPE html><html><body>Log in to listen</body></html>"), ("nothing", ""),
        ("a JSON error", #"{"error": "no such file"}"#),
    ])
    func whatIsNoAudioIsSaidInPlainWords(what: String, body: String) throws {
        let server = try LoopbackServer()
        let endpoint = server.serve("/episode.mp3", .resource(Resource(Array(body.utf8), contentType: "audio/mpeg")))
        let daemon = try RunningDaemon()
        let client = try daemon.connect()
        try client.call("status.subscribe", ["parts": ["player"]])
        try client.call("playback.play", ["what": .string(endpoint.url)])
        let end = try client.event("player") { $0["state"]?.stringValue == "stopped" }
        #expect(end["error"]?.stringValue?.isEmpty == false, "\(what)")
        // A failed start writes no position over a good one.
        let episode = try client.call("episodes.list")["episodes"]?.arrayValue?.first
        #expect(episode?["position"]?.numberValue ?? 0 == 0)
    }
}
