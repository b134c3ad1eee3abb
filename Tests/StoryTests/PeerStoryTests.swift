import ControlClient
import ControlLanguage
import ControlProtocol
import JSON
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// Two podcastds that are paired, and others that pretend to be.
@Suite(.ownThread, .timeLimit(.minutes(3)))
struct PeerStoryTests {
    private let laptop: RunningDaemon
    private let client: DaemonConnection

    init() throws {
        laptop = try RunningDaemon(trustsLoopback: true)
        client = try laptop.connect(watching: .sync, .feeds)
    }

    private func print(_ arguments: [String]) throws -> Outcome<Int32?> {
        try Programs.run(
            Launch(
                Programs.path("podcast-web"), arguments,
                environment: ["PATH=/usr/bin:/bin", "HOME=\(laptop.scratch.path)"]))
    }

    private func account() throws -> SyncAccount? { try client.call(ListSyncAccounts()).rows.first }

    @Test func aPeerSynchronizesAndDoesNothingElse() throws {
        let home = try SyncHome()
        let login = pairedLogin.split(separator: " ").map(String.init)
        let result = try Programs.run(
            Launch(
                "/usr/bin/python3", [RequiredPython.script("peer.py"), home.web.url] + login,
                environment: ["PATH=/usr/bin:/bin"]))
        try #require(result.status == 0, "\(result.errors)")
        guard case .object(let members) = try JSONValue(parsing: result.output) else {
            return #expect(Bool(false), "\(result.output)")
        }
        let statuses = Dictionary(grouping: members) { $0.value.integerValue ?? 0 }.mapValues { $0.map(\.name) }
        expectEqual(
            statuses,
            [
                200: ["changes", "status", "events"], 400: ["other body"],
                401: [
                    "again", "other path", "old", "of the year 1", "other key", "other name", "other method",
                    "nonsense", "unsigned",
                ],
                403: [
                    "private address", "path", "filter", "outputs", "parameters in the query", "settings", "episodes",
                    "queue", "devices", "phone", "page",
                ],
            ])
    }

    @Test func anotherMachineGetsNoPasswordAndNothingIsTakenFromIt() throws {
        let thief = try LoopbackServer()
        thief.serveOtherwise { request in
            let change =
                #"{"kind":"subscription","feed":"http://evil.example/feed","value":{},"device":"x","time":"2026-11-29T00:00:00Z"}"#
            return .status(
                200, fields: [("Content-Type", "application/json")],
                body: Array(#"{"changes":[\#(change)],"revision":9,"latest":9,"hasMore":false}"#.utf8))
        }
        let program = try syncing(laptop, with: ["home = podcastd \(thief.url("")) \(pairedLogin)"])
        while try account()?.state != .failed { try client.change(of: .sync) }
        try expectContains(account()?.message ?? "", "is not the podcastd that was paired")
        try #expect(client.call(ListFeeds()).rows.isEmpty)
        expectEqual(program.stop(), .exited(0))
        let sent = thief.requests.map { "\($0)" }.joined()
        let key = try #require(pairedLogin.split(separator: " ").last)
        #expect(!thief.requests.isEmpty && !sent.contains("Authorization") && !sent.contains(key))
    }

    @Test func theLinesThatPairPrintsPairTwoPodcastds() throws {
        try expectOutcome(print(["--pair", "laptop"]), 78, errors: "listens on this one only")
        let settings = try laptop.scratch.file("web.conf", "[server]\nlisten = 192.0.2.7:7000\n")
        let printed = try print(["--config", settings, "--pair", "laptop"])
        expectEqual(printed.status, 0)
        let lines = printed.output.split(separator: "\n").map(String.init)
        let home = try RunningDaemon(trustsLoopback: true)
        let config = "[peers]\n" + lines[1] + "\n"
        let web = try RunningGateway(daemon: home.socketPath, in: home.scratch, settings: config, hasPort: true)
        let there = try home.connect(watching: .feeds)
        let published = try PublishedFeed(episodes: [("Alpha talk", try fixture("forty-seconds.mp3"))])
        try client.call(Subscribe { $0.urls = [published.feed.url] })
        let words = lines[3].split(separator: " ")
        expectEqual(words[3], "http://192.0.2.7:7000")
        let program = try syncing(laptop, with: ["home = podcastd \(web.url) \(words[4]) \(words[5])"])
        while try there.call(ListFeeds()).rows.isEmpty { try there.change(of: .feeds) }
        expectEqual(program.stop(), .exited(0))
        try expectOutcome(print(["--pair", "Anna's laptop"]), 64, errors: "small letters, digits")
    }

    @Test func aKeyThatIsNotKnownThereIsExplained() throws {
        let home = try SyncHome()
        let program = try syncing(laptop, with: ["home = podcastd \(home.web.url) desk 00112233445566778899aabb"])
        while try account()?.state != .refused { try client.change(of: .sync) }
        try expectContains(
            account()?.message ?? "", "does not know the key of 'desk': run there podcast-web --pair desk")
        expectEqual(program.stop(), .exited(0))
    }

    @Test(arguments: [
        ("[peers]\nlaptop = short\n", 0o600, "the key is too short"),
        ("[peers]\nlaptop = 00112233445566778899aabb\n", 0o644, "is open to every user"),
    ])
    func aFileWithABadKeyOrOpenToOthersIsRefused(settings: String, mode: Int, message: String) throws {
        let config = try laptop.scratch.file("web.conf", settings)
        try expectOutcome(Programs.run(Launch("/bin/chmod", [String(mode, radix: 8), config])), 0)
        try expectOutcome(print(["--config", config]), 78, errors: message)
    }
}
