import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// podcast-sync between a daemon and servers: podcast-web of another daemon, oPodSync, and servers that answer nonsense.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct SyncClientStoryTests {
    private let laptop: RunningDaemon
    private let client: DaemonConnection
    private let published: PublishedFeed

    init() throws {
        let audio = try fixture("forty-seconds.mp3")
        published = try PublishedFeed(episodes: [("Alpha talk", audio), ("Beta talk", audio)])
        laptop = try RunningDaemon(trustsLoopback: true)
        client = try laptop.connect(watching: .player, .sync, .episodes, .feeds)
    }

    /// podcast-sync of the laptop, ready.
    private func sync(_ accounts: String..., bus: String? = nil) throws -> ObservedProgram {
        try syncing(laptop, with: accounts, bus: bus)
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

    private func state(_ title: String, of client: DaemonConnection) throws -> EpisodeState? {
        try client.call(ListEpisodes()).episodes.first { $0.episode.title == title }?.episode.state
    }

    /// Waits until an episode is at a second.
    private func wait(for title: String, at second: Double, of client: DaemonConnection) throws {
        while try state(title, of: client)?.position.seconds != second { try client.change(of: .episodes) }
    }

    private func set(_ title: String, to second: Double, of client: DaemonConnection) throws {
        _ = try client.call(
            SetPosition { ($0.episode, $0.position) = (title, .absolute(MediaTime(seconds: second))) })
    }

    @Test(arguments: ["gpodder", "nextcloud", "podcastd"])
    func subscriptionsAndPositionsBecomeTheSameOnBothSides(kind: String) throws {
        let home = try SyncHome()
        try home.client.call(Subscribe { $0.urls = [published.feed.url] })
        try set("Alpha talk", to: 11, of: home.client)
        let program = try sync(home.account(kind))
        try wait(for: "Alpha talk", at: 11, of: client)
        let account = try account(.idle)
        #expect(account.serverRevision > 0 && account.server.contains(" at http://"), "\(account)")
        try set("Beta talk", to: 22, of: client)
        try wait(for: "Beta talk", at: 22, of: home.client)
        try set("Alpha talk", to: 33, of: home.client)
        try expectOutcome(laptop.ctl("sync", "now"), 0, output: "home")
        try expectEqual(state("Alpha talk", of: client)?.position.seconds, 33)
        try expectOutcome(laptop.ctl("undo"), 0, output: "as before")
        try expectEqual(state("Alpha talk", of: client)?.position.seconds, 11)
        // An undo is an act that is later than what it undoes, on both sides.
        try wait(for: "Alpha talk", at: 11, of: home.client)
        try laptop.run("sync", "now")
        try expectEqual(state("Alpha talk", of: client)?.position.seconds, 11)
        try home.daemon.run("mark", "played", "Beta talk")
        try laptop.run("sync", "now")
        try expectEqual(state("Beta talk", of: client)?.isPlayed, true)
        try home.daemon.run("undo")
        try laptop.run("sync", "now")
        for one in [client, home.client] {
            let state = try state("Beta talk", of: one)
            #expect(state?.isPlayed == false && state?.position.seconds == 22, "\(state)")
        }
        // A synchronization without changes keeps the numbers of the last one with changes.
        try laptop.run("sync", "now")
        #expect(try client.call(ListSyncAccounts()).rows.contains { $0.received > 0 })
        try client.call(Unsubscribe { $0.feeds = [published.feed.url] })
        while try !home.client.call(ListFeeds()).rows.isEmpty { try home.client.change(of: .feeds) }
        expectEqual(program.stop(), .exited(0))
        try expectOutcome(laptop.ctl("sync"), 0, output: "podcast-sync does not run")
    }

    @Test func theFirstSynchronizationOfTwoLibrariesAsks() throws {
        let home = try SyncHome()
        let other = try PublishedFeed(title: "Other feed", episodes: [("Gamma talk", try fixture("forty-seconds.mp3"))])
        try home.client.call(Subscribe { $0.urls = [published.feed.url, other.feed.url] })
        try client.call(Subscribe { $0.urls = [published.feed.url] })
        try set("Alpha talk", to: 5, of: client)
        try set("Alpha talk", to: 9, of: home.client)
        let program = try sync(home.account("podcastd"))
        let asking = try account(.asking)
        let message = try #require(asking.message)
        #expect(
            message.hasPrefix("would subscribe to 1 feed here and 0 feeds there, change 1 episode here"), "\(message)")
        try expectEqual(client.call(ListFeeds()).rows.count, 1)
        try expectEqual(state("Alpha talk", of: client)?.position.seconds, 5)
        try expectOutcome(
            laptop.ctl("sync", "try"), 0, output: "would subscribe to 1 feed here", "  Alpha talk: 0:05 becomes 0:09")
        try expectEqual(client.call(ListFeeds()).rows.count, 1)
        let stillAsking = try account(.asking)
        #expect(stillAsking.lastSync == nil && stillAsking.received == 0 && stillAsking.sent == 0)
        try laptop.run("sync", "now")
        try expectEqual(client.call(ListFeeds()).rows.count, 2)
        try expectEqual(state("Alpha talk", of: client)?.position.seconds, 9)
        try expectOutcome(laptop.ctl("undo", "--list"), 0, output: "sync\t1\thome")
        // The server still lists the subscription as new.
        try client.call(Unsubscribe { $0.feeds = [published.feed.url] })
        try wait(on: home.client, for: .feeds) { try home.client.call(ListFeeds()).rows.count == 1 }
        try laptop.run("sync", "now")
        try expectEqual(client.call(ListFeeds()).rows.map(\.feed.title), ["Other feed"])
        expectEqual(program.stop(), .exited(0))
        // Two sides that are the same need no consent.
        let again = try sync("again" + home.account("podcastd").dropFirst(4))
        try account(.idle)
        expectEqual(again.stop(), .exited(0))
    }

    private func queue(of client: DaemonConnection) throws -> [String] {
        try client.call(ListQueue()).entries.map { $0.episode?.episode.title ?? "" }
    }

    /// Waits until something is so on a daemon.
    private func wait(
        on client: DaemonConnection, for part: StatusPart, _ isSo: () throws -> Bool
    ) throws {
        while try !isSo() { try client.change(of: part) }
    }

    @Test func twoDaemonsShareQueuePlaylistsRulesAndStars() throws {
        let home = try SyncHome()
        let watching = try home.daemon.connect(watching: .queue, .playlists, .rules, .settings, .feeds, .episodes)
        let here = try laptop.connect(watching: .queue, .playlists, .rules, .settings, .feeds, .episodes)
        try home.client.call(Subscribe { $0.urls = [published.feed.url] })
        try home.daemon.run("star", "Alpha talk")
        try home.daemon.run("note", "Beta talk", "--", "worth it")
        try home.daemon.run("set", "Test feed", "speed", "1.5")
        try home.daemon.run("set", "Test feed", "tags", "News/World, Tech")
        try home.daemon.run("rule", "add", "type:trailer then skip")
        try home.daemon.run("bookmark", "a place", "--episode", "Alpha talk", "--at", "0:07")
        try home.daemon.run("add", "Beta talk")
        let program = try sync(home.account("podcastd"))
        try wait(on: here, for: .queue) { try queue(of: here) == ["Beta talk"] }
        try wait(on: here, for: .episodes) { try state("Alpha talk", of: here)?.isStarred == true }
        try expectEqual(state("Beta talk", of: here)?.note, "worth it")
        try expectEqual(here.call(ListBookmarks()).rows.map(\.text), ["a place"])
        try expectEqual(here.call(ListRules()).rows.map(\.rule), ["type:trailer then skip"])
        try expectEqual(here.call(ListFeeds()).rows.first?.feed.tags, ["News/World", "Tech"])
        try laptop.run("sync", "now")

        // Two bookmarks at one place, and the feed's own title, which is set and reset.
        try laptop.run("bookmark", "first", "--episode", "Alpha talk", "--at", "0:07")
        try laptop.run("bookmark", "second", "--episode", "Alpha talk", "--at", "0:07")
        try wait(on: watching, for: .episodes) {
            try Set(watching.call(ListBookmarks()).rows.map(\.text)) == ["a place", "first", "second"]
        }
        try expectEqual(here.call(ListBookmarks()).rows.count, 3)
        try laptop.run("set", "Test feed", "title", "My feed")
        try wait(on: watching, for: .feeds) { try watching.call(ListFeeds()).rows.first?.feed.title == "My feed" }
        try laptop.run("set", "My feed", "title")
        try laptop.run("set", "--reset", "My feed", "title")
        try wait(on: watching, for: .feeds) { try watching.call(ListFeeds()).rows.first?.feed.title == "Test feed" }

        // What is done here arrives there, and the other way round.
        try laptop.run("insert", "Alpha talk")
        try wait(on: watching, for: .queue) { try queue(of: watching) == ["Alpha talk", "Beta talk"] }
        try home.daemon.run("move", "2", "1")
        try wait(on: here, for: .queue) { try queue(of: here) == ["Beta talk", "Alpha talk"] }
        try home.daemon.run("unstar", "Alpha talk")
        try wait(on: here, for: .episodes) { try state("Alpha talk", of: here)?.isStarred == false }
        try laptop.run("playlist", "Long", "save", "longer:30m")
        try wait(on: watching, for: .playlists) { try !watching.call(ListPlaylists()).rows.isEmpty }
        try laptop.run("speed", "1.25")
        try wait(on: watching, for: .settings) { try watching.call(GetStatus()).player.speed == 1.25 }
        try laptop.run("undo")
        try wait(on: watching, for: .settings) { try watching.call(GetStatus()).player.speed == 1 }

        // Apart from each other.
        expectEqual(program.stop(), .exited(0))
        try laptop.run("remove", "Alpha talk")
        try home.daemon.run("note", "Beta talk", "--", "from home")
        try laptop.run("note", "Beta talk", "--", "from the laptop")
        try home.daemon.run("add", "Alpha talk", "--again")
        try set("Alpha talk", to: 7, of: client)
        try set("Alpha talk", to: 17, of: home.client)
        let again = try sync(home.account("podcastd"))
        try wait(on: watching, for: .episodes) {
            try state("Beta talk", of: watching)?.note == "from the laptop"
        }
        try wait(on: here, for: .queue) { try queue(of: here) == queue(of: watching) }
        try expectEqual(queue(of: here), ["Beta talk", "Alpha talk"])
        try wait(for: "Alpha talk", at: 17, of: client)
        expectEqual(again.stop(), .exited(0))
    }

    @Test func theFirstMergeOfNotesAsksAlthoughBothHaveTheSameFeeds() throws {
        let home = try SyncHome()
        for daemon in [home.daemon, laptop] {
            try daemon.connect().call(Subscribe { $0.urls = [published.feed.url] })
        }
        try laptop.run("note", "Alpha talk", "--", "from the laptop")
        try home.daemon.run("note", "Beta talk", "--", "from home")
        try home.daemon.run("note", "Alpha talk", "--", "also from home")
        let program = try sync(home.account("podcastd"))
        let asked = try account(.asking)
        #expect(asked.message?.contains("other things here") == true, "\(asked)")
        try expectEqual(state("Alpha talk", of: client)?.note, "from the laptop")
        try laptop.run("sync", "now")
        for daemon in [client, home.client] {
            try expectEqual(state("Alpha talk", of: daemon)?.note, "also from home")
            try expectEqual(state("Beta talk", of: daemon)?.note, "from home")
        }
        expectEqual(program.stop(), .exited(0))
    }

    @Test func twoPlacesWithOneLibraryKeepTheirOwnQueues() throws {
        let home = try SyncHome()
        let here = try laptop.connect(watching: .queue, .episodes)
        try home.client.call(Subscribe { $0.urls = [published.feed.url] })
        try home.daemon.run("add", "Beta talk")
        try home.daemon.run("star", "Alpha talk")
        let program = try syncing(laptop, with: [home.account("podcastd")], settings: "[sync]\nqueue = own")
        try wait(on: here, for: .episodes) { try state("Alpha talk", of: here)?.isStarred == true }
        try laptop.run("add", "Alpha talk")
        try laptop.run("sync", "now")
        try expectEqual(queue(of: here), ["Alpha talk"])
        try expectEqual(queue(of: home.client), ["Beta talk"])
        expectEqual(program.stop(), .exited(0))
    }

    /// The entry goes with its feed, and others cannot identify it then.
    @Test func aFeedThatIsUnsubscribedWithAnEntryInTheQueueIsGoneOnTheOtherSide() throws {
        let home = try SyncHome()
        try client.call(Subscribe { $0.urls = [published.feed.url] })
        let program = try sync(home.account("podcastd"))
        try wait(for: "Test feed", of: home.client)
        try laptop.run("add", "Alpha talk")
        try laptop.run("unsubscribe", "Test feed")
        while try !home.client.call(ListFeeds()).rows.isEmpty { try home.client.change(of: .feeds) }
        expectEqual(program.stop(), .exited(0))
    }

    @Test func aRefusedFeedIsNamedAndComesOnceItIsAllowed() throws {
        let there = try Scratch()
        var home = try RunningDaemon(in: there)
        let web = try RunningGateway(daemon: home.socketPath, in: there, settings: pairing, hasPort: true)
        try client.call(Subscribe { $0.urls = [published.feed.url] })
        let program = try sync("home = podcastd \(web.url) \(pairedLogin)")
        try expectContains(account(.idle).message ?? "", "the server refuses changes", "network.private_hosts")
        expectEqual(home.stop(), .exited(0))
        home = try RunningDaemon(in: there, trustsLoopback: true)
        while try laptop.ctl("sync", "now").status != 0 { _ = try web.connect().ask("GET", "/api/v1/status") }
        try expectEqual(home.connect().call(ListFeeds()).rows.map(\.feed.url), [published.feed.url])
        try expectEqual(account(.idle).message, nil)
        expectEqual(program.stop(), .exited(0))
    }

    /// The host changes the GUID of an episode, and only one side refreshes the feed.
    @Test func anotherGUIDAtOneSideKeepsRemovalsAndEndsInSilence() throws {
        let home = try SyncHome()
        let watching = try home.daemon.connect(watching: .queue, .episodes)
        let here = try laptop.connect(watching: .queue, .episodes)
        try home.client.call(Subscribe { $0.urls = [published.feed.url] })
        for words in [["star", "Alpha talk"], ["add", "Beta talk"]] {
            try expectOutcome(home.daemon.ctl(words), 0)
        }
        let program = try sync(home.account("podcastd"))
        try wait(on: here, for: .queue) { try queue(of: here) == ["Beta talk"] }
        try wait(on: here, for: .episodes) { try state("Alpha talk", of: here)?.isStarred == true }
        let items = ["Alpha talk", "Beta talk"].enumerated().map { index, title in
            """
            <item><title>\(title)</title><guid>renamed-\(index)</guid>
            <pubDate>Mon, \(28 - index) Sep 2026 07:00:00 +0000</pubDate>
            <enclosure url="\(index).mp3" type="audio/mpeg" length="1"/></item>
            """
        }
        let text = "<rss version=\"2.0\"><channel><title>Test feed</title>\(items.joined())</channel></rss>"
        let edition = published.server.serve("/feed.xml", .resource(Resource(Array(text.utf8))))
        try home.daemon.run("refresh", "--force")
        try laptop.run("unstar", "Alpha talk")
        try laptop.run("remove", "Beta talk")
        try wait(on: watching, for: .episodes) { try state("Alpha talk", of: watching)?.isStarred == false }
        try wait(on: watching, for: .queue) { try queue(of: watching).isEmpty }
        for _ in 0..<3 { try laptop.run("sync", "now") }
        let account = try account(.idle)
        #expect(account.received == 0 && account.sent > 0, "\(account)")
        try expectEqual(state("Alpha talk", of: here)?.isStarred, false)
        #expect(!edition.requests.isEmpty)
        expectEqual(program.stop(), .exited(0))
    }

    @Test func anEpisodeThatIsHeardAgainHasItsPlaceOnBothSides() throws {
        let home = try SyncHome()
        try home.client.call(Subscribe { $0.urls = [published.feed.url] })
        let program = try sync(home.account("podcastd"))
        try wait(for: "Test feed", of: client)
        try home.daemon.run("mark", "played", "Alpha talk")
        try home.daemon.play("Alpha talk", watchedBy: home.client)
        try home.client.call(Seek { $0.time = .absolute(MediaTime(seconds: 10)) })
        try home.client.call(Pause())
        try wait(on: client, for: .episodes) {
            let (here, there) = (try state("Alpha talk", of: client), try state("Alpha talk", of: home.client))
            guard let here, let there, here.isPlayed, there.isPlayed, here.position.seconds >= 10 else { return false }
            return abs(here.position.seconds - there.position.seconds) < 0.01
        }
        expectEqual(program.stop(), .exited(0))
    }

    @Test func theLaterOfTwoActsWithinASecondCounts() throws {
        let home = try SyncHome()
        try home.client.call(Subscribe { $0.urls = [published.feed.url] })
        let program = try sync(home.account("podcastd"))
        try wait(for: "Test feed", of: client)
        try set("Alpha talk", to: 21, of: home.client)
        try set("Alpha talk", to: 20, of: home.client)
        try wait(for: "Alpha talk", at: 20, of: client)
        try home.daemon.run("mark", "played", "Beta talk")
        try home.daemon.run("mark", "unplayed", "Beta talk")
        try laptop.run("sync", "now")
        try expectEqual(state("Beta talk", of: client)?.isPlayed, false)
        expectEqual(program.stop(), .exited(0))
    }

    /// With other servers the last seconds of an episode count as its end.
    @Test func aPlaceJustBeforeTheEndStaysBetweenTwoPodcastds() throws {
        let home = try SyncHome()
        try home.client.call(Subscribe { $0.urls = [published.feed.url] })
        let program = try sync(home.account("podcastd"))
        try wait(for: "Test feed", of: client)
        try set("Alpha talk", to: 39, of: client)
        try wait(for: "Alpha talk", at: 39, of: home.client)
        try set("Beta talk", to: 38, of: home.client)
        try wait(for: "Beta talk", at: 38, of: client)
        try #expect(!client.call(ListEpisodes()).episodes.contains { $0.episode.state.isPlayed })
        expectEqual(program.stop(), .exited(0))
    }

    @Test func aPasswordIsAskedForAtATerminal() throws {
        let home = try SyncHome()
        try home.client.call(Subscribe { $0.urls = [published.feed.url] })
        let config = try laptop.scratch.file("sync.conf", "[accounts]\nhome = podcastd \(home.web.url) laptop\n")
        try expectOutcome(Programs.run(Launch("/bin/chmod", ["600", config])), 0)
        let terminal = try PseudoTerminal()
        let process = try ChildProcess(
            Launch(
                Programs.path("podcast-sync"), ["--socket", laptop.socketPath, "--config", config],
                environment: ["HOME=\(laptop.scratch.path)"], descriptors: terminal.descriptors))
        let shown = terminal.shown(until: "Password of 'laptop' at http://")
        var settings = termios()
        while tcgetattr(terminal.slave, &settings) == 0, settings.c_lflag & tcflag_t(ECHO) != 0 { sched_yield() }
        terminal.press("00112233445566778899aabé\u{7F}b\n".utf8)
        try wait(for: "Test feed", of: client)
        #expect(!shown.contains("0011"))
        expectEqual(process.terminate(grace: .seconds(20)), .exited(0))
    }

    @Test func anotherDaemonIsFoundByItsNameInTheNetwork() throws {
        let avahi = try Avahi(in: laptop.scratch)
        let home = try SyncHome(announcedAs: "kitchen", on: avahi.bus)
        try home.client.call(Subscribe { $0.urls = [published.feed.url] })
        let program = try sync("home = podcastd zeroconf:kitchen \(pairedLogin)", bus: avahi.bus)
        try wait(for: "Test feed", of: client)
        expectEqual(program.stop(), .exited(0))
        let lost = try sync("home = podcastd zeroconf:kitchen \(pairedLogin)")
        #expect(try account(.failed).message?.contains("no podcastd 'kitchen' is found in the network") == true)
        expectEqual(lost.stop(), .exited(0))
    }

    private func wait(for feed: String, of client: DaemonConnection) throws {
        while try !client.call(ListFeeds()).rows.contains(where: { $0.feed.title == feed }) {
            try client.change(of: .feeds)
        }
        while try state("Alpha talk", of: client) == nil { try client.change(of: .episodes) }
    }

    @Test(arguments: [
        (Answer.status(500), "answers with status 500"), (.status(401), "refuses the user's name or password"),
        (.status(404), "is not a gpodder server"), (.status(429), "refuses more requests for now"),
        (.status(503), "is not available"),
        (.redirect(301, to: "https://other.example/"), "has moved to https://other.example/"),
        (
            .status(200, fields: [("Content-Type", "text/html")], body: Array("<html>".utf8)),
            "not that of a gpodder server"
        ),
        (.status(200, fields: [], body: Array("{\"add\": [\"http://a".utf8)), "not that of a gpodder server"),
        (.status(200, fields: [], body: Array("{\"timestamp\": -5}".utf8)), "not that of a gpodder server"),
    ])
    func aServerThatAnswersNonsenseIsReportedAndTriedAgain(answer: Answer, message: String) throws {
        let server = try LoopbackServer()
        server.serveOtherwise { request in
            request.path.hasPrefix("/api/2/devices") && message != "is not a gpodder server" ? .status(200) : answer
        }
        let program = try sync("bad = gpodder \(server.url("")) anna secret")
        let isRefused = message.contains("refuses the user")
        let account = try account(isRefused ? .refused : .failed)
        #expect(account.message?.contains(message) == true, "\(account)")
        let wait = try #require(account.nextTry).milliseconds - Timestamp.now.milliseconds
        #expect((0...31_000).contains(wait), "\(wait)")
        try expectOutcome(laptop.ctl("sync"), 0, output: message, "next attempt: ")
        try expectOutcome(laptop.ctl("sync", "now"), isRefused ? 77 : 75, output: message)
        let quiet = try laptop.ctl("-q", "sync", "now")
        expectOutcome(quiet, isRefused ? 77 : 75, errors: message)
        expectEqual(quiet.output, "")
        expectEqual(program.stop(), .exited(0))
        #expect(!program.text.contains("secret"))
    }

    @Test func actsOfOddTimesAndPositionsAndAWrongClockDoNoHarm() throws {
        try client.call(Subscribe { $0.urls = [published.feed.url] })
        let (feed, media) = (published.feed.url, published.media.map(\.url))
        func act(_ url: String, _ time: String, _ position: Int) -> String {
            "{\"podcast\":\"\(feed)\",\"episode\":\"\(url)\",\"action\":\"play\",\"timestamp\":\"\(time)\",\"position\":\(position),\"total\":40}"
        }
        let server = try LoopbackServer()
        // The server is right and the clock here two hours behind: what was heard "now" was heard two hours ago by this clock.
        let now = Timestamp.now.adding(seconds: 7200)
        let acts = [
            act(media[0], "1970-01-01T00:00:00", 3), act(media[0], "2100-01-01T00:00:00", -7),
            act(media[1], String(now.adding(seconds: -60).description.prefix(19)), 21),
            act("javascript:alert(1)", "2026-01-01T00:00:00", 4),
            "{\"podcast\":7}", "null",
        ]
        let date = now.date
        server.serveOtherwise { request in
            let body =
                request.path.contains("episodes")
                ? "{\"actions\":[\(acts.joined(separator: ","))],\"timestamp\":1}"
                : "{\"add\":[],\"remove\":[\"file:///etc\"],\"timestamp\":1}"
            return .status(200, fields: [("Date", date)], body: Array(body.utf8))
        }
        let program = try sync("odd = gpodder \(server.url("")) anna secret")
        try account(.asking)
        try laptop.run("sync", "now")
        let account = try account(.idle)
        #expect(account.message?.contains("clock is 2 h behind the server's") == true, "\(account)")
        try expectEqual(state("Beta talk", of: client)?.position.seconds, 21)
        let last = try #require(state("Beta talk", of: client)?.lastPlayed)
        #expect(abs(last.seconds - Timestamp.now.seconds + 60) < 30)
        try expectEqual(state("Alpha talk", of: client)?.position.seconds, 3)
        expectEqual(program.stop(), .exited(0))
    }

    @Test(.enabled(if: OPodSync.source != nil), arguments: ["gpodder", "nextcloud"])
    func oPodSyncHasTheSameStateForTwoDaemons(kind: String) throws {
        let server = try OPodSync(in: laptop.scratch)
        let other = try RunningDaemon(trustsLoopback: true)
        let otherClient = try other.connect(watching: .episodes, .feeds, .sync)
        try client.call(Subscribe { $0.urls = [published.feed.url] })
        try set("Alpha talk", to: 12, of: client)
        let program = try sync("pod = \(kind) \(server.url) anna sesame")
        try expectEqual(account(.idle).sent, 2)
        let config = try other.scratch.file("sync.conf", "[accounts]\npod = \(kind) \(server.url) anna sesame")
        try expectOutcome(Programs.run(Launch("/bin/chmod", ["600", config])), 0)
        let second = try ObservedProgram(
            Programs.path("podcast-sync"), ["--socket", other.socketPath, "--config", config],
            environment: ["HOME=\(other.scratch.path)"], hasErrors: true)
        try wait(for: "Alpha talk", at: 12, of: otherClient)
        try set("Alpha talk", to: 31, of: otherClient)
        try other.run("sync", "now")
        try laptop.run("sync", "now")
        try expectEqual(state("Alpha talk", of: client)?.position.seconds, 31)
        expectEqual(program.stop(), .exited(0))
        expectEqual(second.stop(), .exited(0))
    }
}

extension Timestamp {
    /// As in a `Date` field.
    var date: String {
        let formatter = DateFormatter()
        (formatter.locale, formatter.timeZone) = (Locale(identifier: "en_US_POSIX"), TimeZone(identifier: "GMT"))
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
    }
}
