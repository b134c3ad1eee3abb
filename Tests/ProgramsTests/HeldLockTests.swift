import JSON
import LoopbackServer
import SQLite
import SystemCalls
import Testing

/// Another process has begun to write to the library and does not go on, as a refresh that was stopped with Ctrl-Z.
@Suite(.timeLimit(.minutes(5)))
struct HeldLockTests {
    @Test func whatOnlyReadsIsAnsweredAndEditsFailWithTheCause() throws {
        let server = try LoopbackServer()
        let daemon = try RunningDaemon()
        let client = try daemon.connect()
        let feed = try PublishedFeed(episodes: [("One", try fixture("one-and-a-half-seconds.mp3"))], on: server)
        try client.call("feeds.subscribe", ["urls": [.string(feed.feed.url)]])
        let episode = try #require(try client.call("episodes.list")["episodes"]?.arrayValue?.first?["id"])
        try client.call("queue.add", ["what": [episode]])

        let other = try Connection(path: daemon.scratch.path + "/data/library.db", busyTimeout: 0, cacheKiB: 256)
        try other.beginImmediate()
        // Several edits wait for the lock by the time of the first question.
        let editors = try (0..<4).map { _ in try daemon.connect() }
        for (id, editor) in editors.enumerated() {
            editor.send(
                "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"episodes.star\",\"params\":{\"what\":[\(episode.text)]}}\n"
            )
        }
        let reads: [(String, JSONValue)] = [
            ("feeds.list", [:]), ("feeds.show", ["feed": .string(feed.feed.url)]), ("episodes.list", [:]),
            ("episodes.list", ["search": "One"]), ("episodes.show", ["episode": episode]), ("episodes.history", [:]),
            ("episodes.said", ["text": "x"]), ("queue.list", [:]), ("status.get", [:]), ("playlists.list", [:]),
            ("playlists.show", ["name": "new"]), ("rules.list", [:]), ("retention.list", [:]), ("merges.list", [:]),
        ]
        for (method, parameters) in reads {
            #expect(throws: Never.self, "\(method)") { try client.call(method, parameters) }
        }
        // The edits hear of it after all of that was answered.
        for editor in editors {
            let answer = try editor.readLine()
            #expect(answer["error"]?["code"]?.integerValue == 5, "\(answer)")
            let hint = answer["error"]?["data"]?["hint"]?.stringValue
            #expect(hint?.contains("podcast-refresh") == true, "\(answer)")
        }
        other.rollback()
        try client.call("episodes.star", ["what": [episode]])
        #expect(daemon.stop() == .exited(0))
    }
}
