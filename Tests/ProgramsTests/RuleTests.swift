import Foundation
import JSON
import LoopbackServer
import Testing

/// Rules, retention and saved playlists, in the programs as they are installed.
@Suite(.timeLimit(.minutes(10)))
struct RuleTests {
    private static let old = [(title: "Old news", audio: [UInt8](repeating: 0, count: 100))]
    private static let new = [
        (title: "Trailer", audio: [UInt8](repeating: 0, count: 100)),
        (title: "Breaking news", audio: [UInt8](repeating: 0, count: 100)),
    ]

    /// A daemon with a feed of one episode; two more are published afterwards, with earlier dates.
    private func daemonWithNews(
        rules: [String]
    ) throws -> (daemon: RunningDaemon, client: DaemonConnection, later: PublishedFeed) {
        let server = try LoopbackServer()
        let first = try PublishedFeed(episodes: Self.old, on: server)
        let daemon = try RunningDaemon()
        let client = try daemon.connect()
        try client.call("feeds.subscribe", ["urls": [.string(first.feed.url)]])
        for rule in rules { try client.call("rules.add", ["rule": .string(rule)]) }
        return (daemon, client, try PublishedFeed(episodes: Self.old + Self.new, on: server))
    }

    private func titles(_ answer: JSONValue) -> [String] {
        (answer["episodes"]?.arrayValue ?? []).compactMap { $0["title"]?.stringValue }
    }

    /// Waits until the daemon's queue has so many entries.
    private func waitForQueue(_ length: Int64, _ client: DaemonConnection) throws {
        try client.call("status.subscribe", ["parts": ["queue"]])
        if try client.call("status.get")["queue"]?["length"] == .integer(length) { return }
        try client.event("queue") { $0["length"] == .integer(length) }
    }

    @Test func aRefreshThatTheDaemonDidNotStartReachesItsQueue() throws {
        let (daemon, client, later) = try daemonWithNews(rules: ["title:trailer then skip", "title:news then queue"])
        let status = try Programs.run(
            "podcast-refresh", ["--data-dir", daemon.scratch.path + "/data", "--force"],
            environment: ["PODCASTD_SOCKET=\(daemon.socketPath)"])
        #expect(status.status == 0, "\(status.errors)")
        try waitForQueue(1, client)
        let entry = try #require(try client.call("queue.list")["entries"]?.arrayValue?.first)
        #expect(entry["episode"]?["title"] == "Breaking news")
        #expect(titles(try client.call("episodes.list", ["filter": "is:skipped"])) == ["Trailer"])
        #expect(titles(try client.call("playlists.show", ["name": "new"])) == ["Old news", "Breaking news"])
        let shown = try client.call("episodes.show", ["episode": "Trailer"])
        #expect(shown["setAside"] == "skipped")
        #expect(shown["ruleAct"]?["action"] == "skip")
        withExtendedLifetime(later) {}
    }

    @Test func aTrialAndAPlaylistAreAskedOverTheSocket() throws {
        let (daemon, client, later) = try daemonWithNews(rules: ["title:news then queue priority=2"])
        let trial = try client.call("rules.try")["episodes"]?.arrayValue?.first
        #expect(trial?["action"] == "queue priority=2")
        #expect(trial?["why"] == "rule 1: title:\"news\"")
        #expect(try client.call("rules.apply")["changed"] == 1)
        #expect(try client.call("rules.apply") == ["judged": 0, "changed": 0])
        #expect(try client.call("status.get")["queue"]?["length"] == 1)
        let saved = try client.call("playlists.save", ["name": "News", "filter": "title:news feed:\"Test feed\""])
        #expect(saved["filter"] == "title:\"news\" feed:1")
        #expect(titles(try client.call("playlists.show", ["name": "news"])) == ["Old news"])
        #expect(try client.call("queue.add", ["what": ["playlist:news"]])["length"] == 2)
        let failure = #expect(throws: DaemonConnection.CallFailed.self) {
            try client.call("playlists.save", ["name": "x", "filter": "titel:news"])
        }
        #expect(failure?.what == "there is no condition 'titel' (at character 1)")
        #expect(throws: DaemonConnection.CallFailed.self) {
            try client.call("playlists.save", ["name": "new", "filter": "title:news"])
        }
        withExtendedLifetime((daemon, later)) {}
    }

    @Test func whatCameWhileNoDaemonCouldJudgeIsJudgedAtItsStart() throws {
        let (daemon, client, later) = try daemonWithNews(rules: ["title:news then queue"])
        // As if the refresher were told nothing of the daemon, and the daemon nothing of the refresher.
        let status = try Programs.run(
            "podcast-refresh", ["--data-dir", daemon.scratch.path + "/data", "--force"],
            environment: ["PODCASTD_SOCKET=\(daemon.scratch.path)/nobody"])
        #expect(status.status == 0, "\(status.errors)")
        #expect(try client.call("status.get")["queue"]?["length"] == 0)
        daemon.kill()
        let next = try RunningDaemon(in: daemon.scratch)
        #expect(try next.connect().call("status.get")["queue"]?["length"] == 1)
        withExtendedLifetime(later) {}
    }

    @Test func whatRulesDidIsToldAndTakenBack() throws {
        let (daemon, client, later) = try daemonWithNews(rules: ["title:trailer then skip", "title:news then queue"])
        try client.call("feeds.refresh", ["force": true])
        try waitForQueue(1, client)
        let line = try client.call("episodes.history")["history"]?.arrayValue?.first
        #expect(line?["event"] == "queued" && line?["title"] == "Breaking news")
        #expect(line?["reason"] == "rule 2: title:\"news\" then queue")
        let undone = try client.call("playback.undo")
        #expect(undone["act"] == "rules" && undone["count"] == 2)
        #expect(try client.call("status.get")["queue"]?["length"] == 0)
        #expect(titles(try client.call("episodes.list", ["filter": "is:skipped"])) == [])
        withExtendedLifetime((daemon, later)) {}
    }

    @Test func rulesRetentionAndPlaylistsMoveWithTheState() throws {
        let (daemon, client, later) = try daemonWithNews(rules: ["feed:\"Test feed\" title:trailer then skip"])
        try client.call("retention.set", ["keep": "newest:7", "feed": "Test feed"])
        try client.call(
            "playlists.save", ["name": "News", "filter": "title:news feed:\"Test feed\"", "order": "oldest"])
        let state = try client.call("feeds.export", ["state": true])["document"]?.stringValue ?? ""
        let url = later.feed.url
        #expect(state.contains("{\"rule\":\"feed:\\\"\(url)\\\" title:\\\"trailer\\\" then skip\"}"))

        let other = try RunningDaemon()
        let second = try other.connect()
        try second.call("feeds.import", ["document": "https://other.example/feed\n"])
        let taken = try second.call("feeds.import", ["document": .string(state)])
        #expect(
            taken["rules"] == 1 && taken["retention"] == 1 && taken["playlists"] == 1 && taken["decidedBefore"] == 0)
        #expect(
            try second.call("rules.list")["rules"]?.arrayValue?.first?["rule"] == "feed:2 title:\"trailer\" then skip")
        #expect(try second.call("playlists.show", ["name": "news"])["name"] == "News")
        #expect(try second.call("feeds.import", ["document": .string(state)])["decidedBefore"] == 3)
        withExtendedLifetime(daemon) {}
    }

    @Test func retentionLooksAfterItselfWhenItIsSet() throws {
        let (daemon, client, later) = try daemonWithNews(rules: [])
        try client.call("feeds.refresh", ["force": true])
        #expect(try client.call("retention.try")["episodes"]?.arrayValue?.isEmpty == true)
        let set = try client.call("retention.set", ["keep": "newest:2"])
        #expect(set["retention"]?.arrayValue?.first?["keep"] == "newest:2")
        try client.call("status.subscribe", ["parts": ["episodes"]])
        while true {
            client.forgetEvents()
            if try client.call("episodes.list")["count"] == 2 { break }
            try client.event("episodes") { _ in true }
        }
        #expect(titles(try client.call("episodes.list", ["filter": "is:archived"])) == ["Breaking news"])
        try client.call("retention.set", ["keep": "off"])
        while true {
            client.forgetEvents()
            if try client.call("episodes.list")["count"] == 3 { break }
            try client.event("episodes") { _ in true }
        }
        withExtendedLifetime((daemon, later)) {}
    }
}
