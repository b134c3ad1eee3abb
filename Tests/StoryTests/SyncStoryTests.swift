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

/// Devices of the listener that synchronize with podcast-web by the interfaces of gPodder and Nextcloud, with real clients.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct SyncStoryTests {
    private let daemon: RunningDaemon
    private let published: PublishedFeed
    private let gateway: RunningGateway

    init() throws {
        daemon = try RunningDaemon(trustsLoopback: true)
        published = try PublishedFeed(episodes: [("Alpha talk", try fixture("forty-seconds.mp3"))])
        let hash = try passwordHash(in: daemon.scratch)
        gateway = try RunningGateway(
            daemon: daemon.socketPath, in: daemon.scratch, settings: "[users]\nanna = admin \(hash)", hasPort: true)
    }

    @Test func phonesAndTabletsShareOneStateThroughGPoddersInterface() throws {
        try expectStory("gpodder_story.py", by: RequiredPython.path(with: "mygpoclient"))
    }

    /// gPodder's modules belong to the Python of the distribution.
    @Test func gPodderAndItsCommandSynchronize() throws {
        try RequiredTool.gpo.path()
        try expectStory("gpo_story.py", by: "/usr/bin/python3")
    }

    private func expectStory(_ script: String, by python: String) throws {
        let arguments = [gateway.url, "anna", "open sesame", published.feed.url, published.media[0].url]
        let launch = Launch(
            python, [RequiredPython.script(script)] + arguments,
            environment: ["PATH=/usr/bin:/bin", "HOME=\(daemon.scratch.path)"])
        let result = try Programs.run(launch, timeout: .seconds(120))
        expectEqual(result.status, 0, "\(result.errors.suffix(5000))")
    }

    /// The requests of AntennaPod 3, made after its published source, and what it reads of the answers.
    @Test func antennaPodSynchronizesByBothInterfaces() throws {
        let phone = try HTTPConversation(path: gateway.socketPath)
        let login = [
            "Authorization: Basic " + Data("anna:open sesame".utf8).base64EncodedString(),
            "User-Agent: AntennaPod/3.7.0",
        ]
        let json = login + ["Content-Type: application/json; charset=utf-8", "Accept-Encoding: gzip"]
        func ask(_ method: String, _ path: String, _ headers: [String], _ body: String? = nil) throws -> JSONValue {
            let answer = try phone.ask(method, path, headers, body: body)
            #expect(answer.status == 200, "\(path): \(answer.status)")
            return answer.body.isEmpty ? .null : try JSONValue(parsing: String(decoding: answer.body, as: UTF8.self))
        }
        let (feed, media) = (published.feed.url, published.media[0].url)
        func act(_ time: String, _ position: Int) -> String {
            """
            [{"podcast":"\(feed)","episode":"\(media)","guid":"episode-0","action":"play","timestamp":"\(time)","started":0,
            "position":\(position),"total":40}]
            """
        }
        // gpodder.net: the login has a body of no bytes with a type that does not exist.
        _ = try ask("POST", "/api/2/auth/anna/login.json", login + ["Content-Type: plain/text; charset=utf-8"], "")
        try expectEqual(ask("GET", "/api/2/devices/anna.json", login), [])
        _ = try ask("POST", "/api/2/devices/anna/pixel.json", json, #"{"caption":"AntennaPod","type":"mobile"}"#)
        let first = try ask("GET", "/api/2/subscriptions/anna/pixel.json?since=0", login)
        #expect(first["add"] == [] && first["remove"] == [] && first["timestamp"]?.integerValue ?? 0 > 0)
        let changed = try ask(
            "POST", "/api/2/subscriptions/anna/pixel.json", json, #"{"add":["\#(feed)"],"remove":[]}"#)
        #expect(changed["timestamp"]?.integerValue ?? 0 > 0 && changed["update_urls"] == [])
        let withLogin = feed.replacing("://", with: "://anna:secret@")
        let rewritten = try ask(
            "POST", "/api/2/subscriptions/anna/pixel.json", json,
            #"{"add":["\#(withLogin)","ftp://a.example/f"],"remove":[]}"#)
        expectEqual(
            rewritten["update_urls"],
            .array([.array([.string(withLogin), .string(feed)]), .array(["ftp://a.example/f", ""])]))
        let both = try ask(
            "POST", "/api/2/subscriptions/anna/pixel.json", json, #"{"add":["\#(feed)"],"remove":["\#(feed)"]}"#)
        expectEqual(both["update_urls"], [])
        try expectEqual(ask("GET", "/api/2/subscriptions/anna/pixel.json?since=0", login)["remove"], [])
        let posted = try ask("POST", "/api/2/episodes/anna.json", json, act("2026-11-20T10:00:00", 17))
        #expect(posted["timestamp"]?.integerValue ?? 0 > 0 && posted["update_urls"] == [])
        let acts = try ask("GET", "/api/2/episodes/anna.json?since=0", login)
        let known = try #require(acts["actions"]?.arrayValue?.first)
        #expect(known["podcast"] == .string(feed) && known["episode"] == .string(media) && known["action"] == "play")
        #expect(known["started"] == 0 && known["position"] == 17 && known["total"]?.integerValue ?? 0 > 17)
        expectEqual(known["timestamp"], "2026-11-20T10:00:00")

        // One act that is of no use does not hold the others up.
        let odd = #"[{"podcast":"file:///x","episode":"file:///etc/passwd","action":"play","position":3},"#
        _ = try ask("POST", "/api/2/episodes/anna.json", json, odd + act("2026-11-20T11:00:00", 18).dropFirst())
        let after = try ask("GET", "/api/2/episodes/anna.json?since=0", login)
        expectEqual(after["actions"]?.arrayValue?.first?["position"], 18)

        // Nextcloud: without a device and a session.
        let accepting = login + ["Accept: application/json"]
        let path = "/index.php/apps/gpoddersync/"
        try expectEqual(ask("GET", path + "subscriptions?since=0", accepting)["add"], [.string(feed)])
        _ = try ask("POST", path + "subscription_change/create", json, #"{"add":[],"remove":[]}"#)
        _ = try ask("POST", path + "episode_action/create", json, act("2026-11-21T10:00:00", 29))
        let later = try ask("GET", path + "episode_action?since=\(posted["timestamp"]?.integerValue ?? 0)", accepting)
        expectEqual(later["actions"]?.arrayValue?.first?["position"], 29)
        #expect(later["timestamp"]?.integerValue ?? 0 > 0)
    }

    /// A change from a phone whose clock is one hour ahead.
    private func change(of episode: Episode, to second: Double) -> LibraryChange {
        let name = ChangedEpisode(
            feed: published.feed.url, EpisodeIdentity(url: episode.enclosure.url))
        let playback = LibraryChange.Value(position: MediaTime(seconds: second), isPlayed: false)
        return LibraryChange(.playback(name, playback), at: Timestamp.now.adding(seconds: 3600), in: "phone")
    }

    @Test func aPausedEpisodeGoesOnWhereThePhoneStoppedAndUndoBringsItBack() throws {
        let client = try daemon.connect(watching: .player, subscribing: published.feed.url)
        try daemon.play("Alpha talk", watchedBy: client)
        try client.call(Seek { $0.time = .absolute(MediaTime(seconds: 10)) })
        try client.call(Pause())
        let episode = try #require(client.call(ListEpisodes()).episodes.first?.episode)
        let change = change(of: episode, to: 25)
        let reply = try client.call(ApplyChanges { ($0.device, $0.changes) = ("phone", [change]) })
        expectEqual(reply.changed, 1)
        try client.player { $0.state == .paused && $0.position?.seconds == 25 }
        let history = try client.call(ListHistory()).rows.map { ($0.record.event, Int($0.record.position.seconds)) }
        #expect(history.contains { $0 == (.left, 10) }, "\(history)")
        try expectOutcome(daemon.ctl("undo"), 0, output: "what phone sent is as before")
        let position = try client.call(ListEpisodes()).episodes.first?.episode.state.position
        expectEqual(position.map { Int($0.seconds) }, 10)
        try expectOutcome(daemon.ctl("devices"), 0, output: "phone")
        _ = try client.call(NoteDevice { ($0.name, $0.caption) = ("phone", "Anna's phone") })
        _ = try client.call(NoteDevice { ($0.name, $0.caption) = ("tablet", "Anna's phone") })
        try expectOutcome(
            daemon.ctl("device", "remove", "Anna's phone"), 64, errors: "2 devices are called 'Anna's phone'")
        try daemon.run("device", "remove", "tablet")
        try expectOutcome(daemon.ctl("device", "remove", "Anna's phone"), 0, output: "forgot phone")
    }

    @Test func withoutAdminOnlySubscriptionsAndPositionsAreExchanged() throws {
        let client = try daemon.connect(watching: .player, subscribing: published.feed.url)
        let episode = try #require(client.call(ListEpisodes()).episodes.first?.episode)
        let position = change(of: episode, to: 25)
        let name = try #require(position.content.episode)
        let star = LibraryChange(.star(name, true), at: .now, in: "phone")
        let host = LibraryChange(.subscription(feed: "http://127.0.0.7/x", isSet: true), at: .now, in: "phone")
        try client.call(RestrictSession { $0.permission = .control })
        let reply = try client.call(
            ApplyChanges {
                $0.device = "phone"
                $0.changes = [star, position, host]
            })
        #expect(reply.changed == 1 && reply.refused.count == 2, "\(reply)")
        expectContains(reply.refused[0], "a change of the kind star needs the permission admin")
        expectContains(reply.refused[1], "http://127.0.0.7/x has a private address")
        try daemon.run("star", "Alpha talk")
        let page = try client.call(ListChanges())
        expectEqual(page.changes.map(\.content.kind), [.subscription, .playback])
        #expect(throws: ClientFailure.self) { try client.call(ListChanges { $0.kinds = [.star, .playback] }) }
    }

    @Test func aSpeedThatCannotBeSetDoesNotHoldUpOtherChanges() throws {
        let client = try daemon.connect(watching: .player, subscribing: published.feed.url)
        let episode = try #require(client.call(ListEpisodes()).episodes.first?.episode)
        let name = ChangedEpisode(
            feed: published.feed.url, EpisodeIdentity(url: episode.enclosure.url))
        let file = ChangedEpisode(feed: nil, EpisodeIdentity(url: "http://127.0.0.7/private.mp3"))
        let contents: [ChangeContent] = [
            .queueEntry(name, copy: 1, place: 1), .speed("0"), .queueEntry(file, copy: 1, place: 2),
        ]
        let reply = try client.call(
            ApplyChanges {
                $0.device = "kitchen"
                $0.changes = contents.map { LibraryChange($0, at: .now, in: "kitchen") }
            })
        #expect(reply.changed == 1 && reply.refused.count == 2, "\(reply)")
        expectContains(reply.refused.joined(separator: "\n"), "speed")
        expectContains(reply.refused.joined(separator: "\n"), "http://127.0.0.7/private.mp3 has a private address")
        try expectEqual(client.call(ListQueue()).extent.length, 1)
    }

    @Test func aListOfSubscriptionsIsWhole() throws {
        let client = try daemon.connect()
        let urls = (1...1_100).map { "http://127.0.0.1:9/\($0)" }
        let changes = urls.map { LibraryChange(.subscription(feed: $0, isSet: true), at: .now, in: "phone") }
        for command in ApplyChanges.commands(of: changes) { try client.call(command) }
        let login = "Authorization: Basic " + Data("anna:open sesame".utf8).base64EncodedString()
        let list = try gateway.connect().ask("GET", "/subscriptions/anna.txt", [login])
        expectEqual(Set(list.text.split(separator: "\n").map(String.init)), Set(urls))
        let summary = try gateway.connect().ask("GET", "/api/2/devices/anna.json", [login])
        try expectEqual(JSONValue(parsing: summary.text).arrayValue?.last?["subscriptions"], 1_100)
    }

    @Test func whatPlaysHereIsNotChangedByAnotherDevice() throws {
        let client = try daemon.connect(watching: .player, subscribing: published.feed.url)
        try daemon.play("Alpha talk", watchedBy: client)
        let episode = try #require(client.call(ListEpisodes()).episodes.first?.episode)
        let change = change(of: episode, to: 39)
        try expectEqual(client.call(ApplyChanges { ($0.device, $0.changes) = ("phone", [change]) }).unchanged, 1)
        try #expect(client.call(GetStatus()).player.state == .playing)
    }

    @Test func aPositionIsSetWithoutPlaying() throws {
        let client = try daemon.connect(watching: .player, subscribing: published.feed.url)
        try expectOutcome(daemon.ctl("position", "Alpha talk", "0:25"), 0, output: "Alpha talk is at 0:25")
        try expectOutcome(daemon.ctl("position", "Alpha talk", "-5"), 0, output: "Alpha talk is at 0:20")
        try expectOutcome(daemon.ctl("undo"), 0, output: "is at 0:25 again")
        try expectEqual(client.call(GetStatus()).player.state, .stopped)
        let old = try client.call(
            SetPosition {
                ($0.episode, $0.position, $0.device) = ("Alpha talk", .absolute(.zero), "browser")
                $0.time = "2020-01-01T00:00:00Z"
            })
        #expect(!old.isChanged && old.position == MediaTime(seconds: 25))
        try daemon.play("Alpha talk", watchedBy: client)
        try expectOutcome(daemon.ctl("position", "Alpha talk", "3"), 65, errors: "podcastctl seek")
        let busy = try client.call(
            SetPosition { ($0.episode, $0.position, $0.device) = ("Alpha talk", .absolute(.zero), "browser") })
        #expect(!busy.isChanged)
        try client.call(Pause())
        try expectOutcome(daemon.ctl("position", "Alpha talk", "2:00"), 64, errors: "only 0:40")
        for second in [31, 34, 37] {
            try client.call(
                SetPosition {
                    ($0.episode, $0.device) = ("Alpha talk", "browser")
                    $0.position = .absolute(MediaTime(seconds: Double(second)))
                })
        }
        try client.player { $0.state == .paused && $0.position?.seconds == 37 }
        try expectOutcome(daemon.ctl("undo"), 0, output: "what browser sent is as before, 1 episode")
        let position = try #require(client.call(ListEpisodes()).episodes.first?.episode.state.position)
        #expect((25..<30).contains(position.seconds), "\(position)")
    }

    /// A reply that does not fit in a line has shortened texts, which would be other changes.
    @Test func longNotesAndAddressesComeInShorterPages() throws {
        let client = try daemon.connect()
        let many = try PublishedFeed(episodes: (1...17).map { ("Talk \($0)", [UInt8]()) })
        try client.call(Subscribe { $0.urls = [many.feed.url] })
        for number in 1...17 {
            try client.call(
                NoteEpisode { ($0.episode, $0.text) = ("e\(number)", String(repeating: "a", count: 65_000)) })
        }
        var notes = try client.call(ListChanges())
        #expect(notes.hasMore && notes.changes.count < 17)
        var contents = notes.changes.map(\.content)
        while notes.hasMore {
            notes = try client.call(ListChanges { $0.since = notes.revision })
            contents += notes.changes.map(\.content)
        }
        let lengths = contents.compactMap { $0.kind == .note ? $0.value?.text?.utf8.count : nil }
        expectEqual(lengths, Array(repeating: 65_000, count: 17))
    }

    @Test func aPositionOfASingleFileIsSet() throws {
        let client = try daemon.connect()
        let url = published.media[0].url
        try client.call(AddToQueue { $0.what = [url] })
        let reply = try client.call(
            SetPosition { ($0.episode, $0.position, $0.device) = (url, .absolute(MediaTime(seconds: 7)), "browser") })
        #expect(reply.isChanged && reply.position == MediaTime(seconds: 7))
    }
}
