import ControlLanguage
import ControlProtocol
import JSON
import PodcastModel
import Reporting
import Testing
import TestSupport

private var facts: EpisodeFacts {
    var facts = EpisodeFacts()
    (facts.season, facts.number, facts.link) = (1, 2, "http://example.test/")
    return facts
}
private let episode = Episode(
    id: EpisodeID(7), feed: FeedID(3), feedTitle: "Feed", title: "Title",
    enclosure: Enclosure(url: "http://example.test/a.mid", type: "audio/mpeg"),
    published: Timestamp(milliseconds: 1_700_000_000_000), announcedDuration: MediaTime(milliseconds: 61_250),
    facts: facts,
    state: EpisodeState(
        position: MediaTime(milliseconds: 1234), isPlayed: false, isStarred: true, isDownloaded: true, note: "n",
        lastPlayed: Timestamp(seconds: 5)))
private var feed: Feed {
    var feed = plainFeed
    feed.mark = "M"
    var walk = PageWalk(
        reason: .first, time: Timestamp(seconds: 0), pending: .init(url: "https://c.example/feed?page=4"))
    (walk.pages, walk.episodes) = (2, 9)
    walk.pending?.error = "e"
    feed.pageWalk = walk
    return feed
}
private var plainFeed: Feed {
    var feed = Feed(id: FeedID(3), url: "http://example.test/feed", title: "Feed", subscribed: Timestamp(seconds: 1))
    (feed.author, feed.link, feed.language, feed.image) = ("A", "L", "de", "I")
    feed.health = FeedHealth {
        ($0.lastSuccess, $0.lastTry, $0.nextDue) = (
            Timestamp(seconds: 2), Timestamp(seconds: 3), Timestamp(seconds: 6)
        )
        ($0.httpStatus, $0.error, $0.failures, $0.isStopped) = (200, "e", 4, true)
    }
    feed.move = FeedMove(url: "https://c.example/feed", reason: .announcement, sightings: 2, obstacle: "none")
    (feed.formerURLs, feed.episodeCount, feed.unplayedCount) = (["https://b.example/feed"], 10, 9)
    return feed
}
private let activity = Activity {
    ($0.id, $0.kind, $0.message, $0.subject) = (1, .loading, "Loading playlist", "Feed")
    ($0.progress, $0.since, $0.parent) = (0.25, Timestamp(seconds: 9), 5)
}
private let output = OutputReply(OutputSetup("default", "null"))
private var setting: SettingReply {
    var setting = SettingReply()
    setting.key = "k"
    setting.value = "v"
    setting.active = "a"
    setting.defaultValue = "d"
    setting.origin = "client"
    setting.clientValue = "v"
    setting.needsRestart = true
    setting.isWaiting = true
    setting.kind = everyKind
    setting.isClientSettable = true
    setting.note = "n"
    setting.help = "h"
    return setting
}
private var everyKind: ValueKind {
    var kind = ValueKind(.integer, choices: ["a"], 1...2, step: 1, unit: "s", maximumBytes: 9)
    kind.elements = [.text]
    return kind
}
private let chapter = Chapter(
    start: MediaTime(milliseconds: 500), end: MediaTime(milliseconds: 900), title: "One", link: "L", image: "I",
    isListed: false)
private var player: PlayerReply {
    var player = PlayerReply()
    player.state = .buffering
    player.reason = "network"
    player.episode = PlayerReply.PlayingEpisode { ($0.id, $0.entry, $0.title) = (EpisodeID(7), EntryID(9), "Title") }
    player.feed = PlayerReply.PlayingFeed { ($0.id, $0.title) = (FeedID(3), "Feed") }
    player.position = MediaTime(milliseconds: 1500)
    player.instant = Instant(nanoseconds: 12_500_000_000)
    player.pace = 1.5
    player.duration = MediaTime(milliseconds: 60_000)
    player.speed = 1.5
    player.heardSpeed = 1
    player.volume = 70
    player.buffer = PlayerReply.Buffer { ($0.seconds, $0.fill, $0.rate) = (3, 0.4, 24_000) }
    var audio = PlayerReply.Audio()
    (audio.codec, audio.rate, audio.channels, audio.samples, audio.bitRate) = ("mp3", 44_100, 2, "int16", 128_000)
    player.audio = audio
    player.chapter = ChapterReply(chapter)
    player.error = "late"
    player.errorStatus = 75
    player.failedTitle = "Two"
    player.feedVolume = 80
    player.announcement = "bell.mp3"
    player.processing = ["mono"]
    player.remaining = MediaTime(seconds: 30)
    player.upcoming.next = NextReply()
    player.upcoming.next?.feed = PlayerReply.PlayingFeed { ($0.id, $0.title) = (FeedID(3), "Feed") }
    player.upcoming.context = PlayContextReply()
    player.sleep = SleepTimerReply { $0.remaining = MediaTime(seconds: 90) }
    return player
}
private let extent = QueueExtent(length: 4, index: 2)
private var status: StatusReply {
    StatusReply { ($0.player, $0.queue, $0.outputs, $0.activities) = (player, extent, [output], [activity]) }
}
private let episodes = EpisodeListReply(
    [EpisodeReply(episode, key: "k"), EpisodeReply()], hasBefore: true, hasAfter: true,
    count: RowCount.atLeast(120))
private let version = VersionReply(version: "1.2")
private var parts: SnapshotReply.Parts {
    var parts = SnapshotReply.Parts()
    parts[.player] = player.json
    parts[.feeds] = .null
    return parts
}

@Suite struct ReplyTests {
    /// Writes a reply and reads it again, as a whole and with nothing known.
    private func check<Reply: ReplyObject>(_ reply: Reply) throws {
        for reply in [reply, Reply()] {
            let read = try #require(Reply(json: try JSONValue(parsing: reply.json.text)))
            expectEqual(read, reply)
            var text: [UInt8] = []
            reply.write(to: &text)
            expectEqual(String(decoding: text, as: UTF8.self), reply.json.text)
        }
        guard case .object(let members) = reply.json else {
            Issue.record("no object")
            return
        }
        expectEqual(members.map(\.name), Reply.members.map(\.name))
    }

    @Test(arguments: CommandTable.sections)
    func everyReplyIsReadAsItWasWritten(section: CommandSection) throws {
        func blank<Called: Command>(_ type: Called.Type) throws {
            expectEqual(Called.Reply(json: Called.Reply().json), Called.Reply())
        }
        for type in section.types { try blank(type) }
    }

    @Test func objectsAreReadAsTheyWereWritten() throws {
        try check(EpisodeReply(episode, key: "k"))
        try check(EntryReply(id: EntryID(1), index: 2, isCurrent: true, episode: EpisodeReply(episode)))
        try check(FeedReply(feed, key: "f"))
        try check(activity)
        try check(setting)
        try check(player)
        try check(ChapterReply(chapter, isSkipped: true))
        try check(status)
        try check(episodes)
        try check(PlaylistPageReply { ($0.name, $0.title, $0.list) = ("new", "New", episodes) })
        var detailed = EpisodeDetailReply { $0.episode = EpisodeReply(episode) }
        detailed.details.soundbites = [Soundbite(start: MediaTime(milliseconds: 1500), duration: MediaTime(seconds: 2))]
        detailed.details.persons = [Person(name: "Ada", role: "guest")]
        detailed.feedDetails.funding = [Funding(url: "u", text: "t")]
        try check(detailed)
        var stream = LiveItem()
        (stream.status, stream.start, stream.item.title) = ("live", Timestamp(seconds: 9), "On the air")
        var ofFeed = FeedDetails()
        ofFeed.liveItems = [stream]
        try check(FeedDetailReply(feed, ofFeed))
        var declared = DeclaredFeedSettingReply(.loudness, value: "-16", inherited: "off")
        declared.kind = everyKind
        try check(declared)
        try check(QueueListReply([EntryReply()], extent: extent, hasAfter: true))
        try check(HelloReply(server: version, permission: .control))
        var event = EventReply(sequence: 17, part: .queue, value: extent.json)
        (event.since, event.revision, event.needsReload) = (4, 5, true)
        event.changes = [RowChange(.insert, 12, episode: EpisodeID(77), index: 3)]
        try check(event)
    }

    @Test func whatDoesNotApplyIsLeftOut() throws {
        let subscribed = SubscriptionReply { ($0.url, $0.feed, $0.isNew) = ("u", FeedReply(feed), false) }
        let refused = SubscriptionReply { ($0.url, $0.error) = ("u", FailureReply("no feed")) }
        let found = FoundFeedReply { ($0.url, $0.newestURL) = ("u", "m") }
        let reply = SubscriptionsReply([subscribed, refused, SubscriptionReply { $0.found = found }])
        expectEqual(SubscriptionsReply(json: reply.json), reply)
        expectEqual(refused.json.text, #"{"url":"u","error":{"what":"no feed"}}"#)
        #expect(subscribed.json["error"] == nil && subscribed.json["isNew"] == false)
        let snapshot = SnapshotReply(sequence: 3, parts: parts)
        expectEqual(SnapshotReply(json: snapshot.json), snapshot)
        #expect(snapshot.parts.json["feeds"] == .null && snapshot.parts.json["queue"] == nil)
    }

    @Test func commandsAreReadAsTheServerListsThem() throws {
        let written = CommandListReply(CommandTable.all.map { CommandReply($0) })
        let read = try #require(CommandListReply(json: try JSONValue(parsing: written.json.text)))
        expectEqual(read.json, written.json)
        let edit = try #require(read.rows.first { $0.name == "queue.add" })
        #expect(edit.permission == .control && edit.isLong && edit.commandLine == "add")
        expectEqual(edit.parameters.map(\.name), ["what", "at", "limit", "again", "oldestFirst"])
        expectEqual(edit.parameters[0].kind, .list(.what))
        #expect(edit.parameters[1].kind.minimum == 1 && !edit.parameters[1].isRequired)
    }

    @Test func whatIsNotKnownIsNull() {
        let members =
            #""state":"stopped","reason":null,"episode":null,"feed":null,"position":null,"instant":0"#
            + #","pace":0.0,"duration":null,"queueRemaining":{"time":0.0,"exact":true}"#
            + #","speed":1.0,"volume":100,"buffer":{"seconds":0.0,"fill":0.0,"rate":0.0},"chapter":null"#
            + #","error":null"#
        expectEqual(PlayerReply().json.text, "{\(members)}")
        let others = #""queue":{"length":0,"index":null,"revision":0},"outputs":[],"activities":[]"#
        expectEqual(StatusReply().json.text, "{\(members),\(others)}")
    }

    @Test func membersThatAreMissingOrUnknownDoNotHinderReading() throws {
        let status = try #require(StatusReply(json: ["state": "paused", "mood": "good"]))
        #expect(status.player.state == .paused && status.player.speed == 1 && status.outputs.isEmpty)
        expectEqual(OutputListReply(json: ["outputs": [["name": "a"], 5, ["name": 7]]])?.rows.map(\.name), ["a"])
    }

    @Test func theStatusHasWhatClientsWereTold() {
        for name in [
            "state", "reason", "episode", "feed", "position", "duration", "speed", "volume", "buffer", "chapter",
            "queue", "outputs", "activities", "error",
        ] { #expect(status.json[name] != nil) }
    }

    @Test func theDurationIsTheMeasuredOneIfThereIs() throws {
        var measured = episode
        measured.measuredDuration = MediaTime(milliseconds: 59_000)
        measured.enclosure.length = 1000
        let reply = EpisodeReply(measured)
        expectEqual(reply.json["duration"], 59.0)
        expectEqual(EpisodeReply(json: reply.json), reply)
    }

    @Test func timesAreSecondsWithMilliseconds() {
        let json = EpisodeReply(episode).json
        expectEqual(json["position"]?.text, "1.234")
        expectEqual(json["duration"]?.text, "61.25")
        expectEqual(json["published"], "2023-11-14T22:13:20Z")
    }

    @Test func hostileNumbersAreHarmless() {
        #expect(PositionReply(json: ["position": 1e300]) != nil)
        for text in [
            "", "2023-13-14T22:13:20Z", "2023-11-14 22:13:20Z", "2023-11-14T22:13:2xZ", "-023-11-14T22:13:20Z",
        ] {
            let read = EpisodeReply(json: ["id": 1, "title": "t", "lastPlayed": .string(text)])
            #expect(read != nil && read?.episode.state.lastPlayed == nil)
        }
        expectEqual(PlayerReply(json: ["state": "dancing"]), nil)
        expectEqual(EpisodeReply(json: ["id": 1]), nil)
        expectEqual(StatusReply(json: []), nil)
    }
}
