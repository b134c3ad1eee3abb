import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// podcast-sync and servers that mean harm.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct HostileSyncServerTests {
    private let laptop: RunningDaemon
    private let client: DaemonConnection
    private let published: PublishedFeed

    init() throws {
        published = try PublishedFeed(episodes: [("Alpha talk", try fixture("forty-seconds.mp3"))])
        laptop = try RunningDaemon(trustsLoopback: true)
        client = try laptop.connect(watching: .sync, .feeds)
    }

    /// Waits until the account is in a state.
    @discardableResult
    private func account(_ state: SyncAccount.State) throws -> SyncAccount {
        while true {
            if let account = try client.call(ListSyncAccounts()).rows.first(where: { $0.state == state }) {
                return account
            }
            try client.change(of: .sync)
        }
    }

    /// A server names private hosts, logins and addresses of no host, with times that no calendar has.
    @Test(arguments: [(Int64.min, 2), (Int64.max, -2), (0, 0)] as [(Int64, Int64)])
    func addressesAndTimesOfAServerDoNoHarm(time: Int64, hours: Int64) throws {
        let feed = published.feed.url
        let bad = [
            "http://127.0.0.7:9/ssrf", "http://169.254.169.254/latest/", "http://nas/feed", "http://127.0.0.1::9/",
        ]
        let server = try LoopbackServer()
        let date = Timestamp.now.adding(seconds: hours * 3600).date
        server.serveOtherwise { request in
            let times = (bad + [feed]).map { "\"\($0)\":\(time)" }.joined(separator: ",")
            let added = (bad + [feed.replacing("://", with: "://sam:secret@")]).map { "\"\($0)\"" }
            let body =
                request.path.contains("episodes")
                ? "{\"actions\":[],\"timestamp\":1}"
                : "{\"add\":[\(added.joined(separator: ","))],\"remove\":[],\"times\":{\(times)},\"timestamp\":1}"
            return .status(200, fields: [("Date", date)], body: Array(body.utf8))
        }
        let program = try syncing(laptop, with: ["odd = gpodder \(server.url("")) anna secret"])
        try account(.idle)
        while try client.call(ListFeeds()).rows.isEmpty { try client.change(of: .feeds) }
        try expectEqual(client.call(ListFeeds()).rows.map(\.feed.url), [feed])
        #expect(!FileManager.default.fileExists(atPath: laptop.scratch.path + "/data/credentials"))
        expectEqual(program.stop(), .exited(0))
    }

    @Test func aServerAddsManyFeedsOnlyWithConsent() throws {
        let server = try LoopbackServer()
        let added = (0..<60).map { "\"\(server.url("/feed-\($0)"))\"" }.joined(separator: ",")
        server.serveOtherwise { request in
            let body =
                request.path.contains("episodes")
                ? "{\"actions\":[],\"timestamp\":1}" : "{\"add\":[\(added)],\"remove\":[],\"timestamp\":1}"
            return .status(200, fields: [], body: Array(body.utf8))
        }
        let program = try syncing(laptop, with: ["odd = gpodder \(server.url("")) anna secret"])
        #expect(try account(.asking).message?.hasPrefix("would subscribe to 60 feeds here") == true)
        try expectEqual(client.call(ListFeeds()).rows.count, 0)
        try expectOutcome(laptop.ctl("sync", "now"), 0)
        try expectEqual(client.call(ListFeeds()).rows.count, 60)
        expectEqual(program.stop(), .exited(0))
    }

    @Test(arguments: ["Tue, 01 Jan 1980 00:00:00 GMT", "Tue, 31 Dec 2999 00:00:00 GMT"])
    func aClockThatIsWrongByYearsIsReported(date: String) throws {
        let server = try LoopbackServer()
        server.serveOtherwise { _ in
            .status(
                200, fields: [("Date", date)],
                body: Array(
                    "{\"add\":[],\"remove\":[],\"actions\":[],\"times\":{\"x\":\(Int64.min)},\"timestamp\":1}".utf8))
        }
        let program = try syncing(laptop, with: ["odd = gpodder \(server.url("")) anna secret"])
        #expect(try account(.failed).message?.contains("differ by years") == true)
        expectEqual(program.stop(), .exited(0))
    }
}
