import ControlProtocol
import JSON
import PodcastModel
import Testing

private let episode = Episode(
    id: EpisodeID(7), feed: FeedID(3), feedTitle: "Feed", title: "Title",
    enclosure: Enclosure(url: "http://example.test/a.mp3", type: "audio/mpeg"),
    published: Timestamp(milliseconds: 1_700_000_000_000), announcedDuration: MediaTime(milliseconds: 61_250),
    season: 1,
    number: 2, link: "http://example.test/",
    state: EpisodeState(
        position: MediaTime(milliseconds: 1234), isPlayed: false, isStarred: true, isDownloaded: true, note: "n",
        lastPlayed: Timestamp(seconds: 5)))
private let feed = Feed(
    id: FeedID(3), url: "http://example.test/feed", title: "Feed", author: "A", link: "L", language: "de", image: "I",
    subscribed: Timestamp(seconds: 1),
    health: FeedHealth(
        lastSuccess: Timestamp(seconds: 2), lastTry: Timestamp(seconds: 3), httpStatus: 200, error: "e", failures: 4,
        nextDue: Timestamp(seconds: 6)), episodeCount: 10, unplayedCount: 9)
private let activity = ActivityReply(
    id: 1, kind: "loading", message: "Loading playlist", subject: "Feed", progress: 0.25, since: Timestamp(seconds: 9),
    parent: 5)
private let output = OutputReply(name: "default", specification: "null", isEnabled: true)
private let setting = SettingReply(
    key: "k", value: "v", defaultValue: "d", origin: "config", needsRestart: true, isClientSettable: true, help: "h")
private let chapter = Chapter(
    start: MediaTime(milliseconds: 500), end: MediaTime(milliseconds: 900), title: "One", link: "L", image: "I",
    isListed: false)
private var player: PlayerReply {
    var player = PlayerReply()
    player.state = .buffering
    player.reason = "network"
    player.playing = PlayerReply.Playing(
        episode: EpisodeID(7), entry: EntryID(9), title: "Title", feed: FeedID(3), feedTitle: "Feed")
    player.position = MediaTime(milliseconds: 1500)
    player.instant = 12_500_000_000
    player.pace = 1.5
    player.duration = MediaTime(milliseconds: 60_000)
    player.speed = 1.5
    player.volume = 70
    player.buffer = PlayerReply.Buffer(seconds: 3, fill: 0.4, rate: 24_000)
    player.chapter = chapter
    player.error = "late"
    return player
}
private var status: StatusReply {
    StatusReply(player: player, queueLength: 4, queueIndex: 2, outputs: [output], activities: [activity])
}

@Suite struct ReplyTests {
    private func check<Reply: ReplyObject>(_ reply: Reply) throws {
        let read = try #require(Reply(json: try JSONValue(parsing: reply.json.text)))
        #expect(read == reply)
        guard case .object(let members) = reply.json else {
            Issue.record("no object")
            return
        }
        #expect(members.map(\.name) == Reply.members.map(\.name))
    }

    @Test func whatIsWrittenIsReadAgainAndDeclared() throws {
        try check(EpisodeReply(episode, key: "k"))
        try check(EntryReply(id: EntryID(1), index: 2, isCurrent: true, episode: EpisodeReply(episode)))
        try check(FeedReply(feed, key: "f"))
        try check(activity)
        try check(output)
        try check(setting)
        try check(player)
        try check(ChapterReply(chapter))
    }

    @Test func theStatusHasThePlayersMembersAndItsOwn() throws {
        let read = try #require(StatusReply(json: try JSONValue(parsing: status.json.text)))
        #expect(read == status)
        guard case .object(let members) = status.json else { return }
        #expect(Set(members.map(\.name)) == Set(StatusReply.members.map(\.name)))
        for name in [
            "state", "reason", "episode", "feed", "position", "duration", "speed", "volume", "buffer", "chapter",
            "queue", "outputs", "activities", "error",
        ] { #expect(status.json[name] != nil) }
    }

    @Test func timesAreSecondsWithMilliseconds() {
        let json = EpisodeReply(episode).json
        #expect(json["position"]?.text == "1.234")
        #expect(json["duration"]?.text == "61.25")
        #expect(json["published"] == "2023-11-14T22:13:20Z")
    }

    @Test func hostileNumbersAreHarmless() {
        #expect(JSONValue.number(1e300).mediaTime != nil)
        for text in [
            "", "2023-13-14T22:13:20Z", "2023-11-14 22:13:20Z", "2023-11-14T22:13:2xZ", "-023-11-14T22:13:20Z",
        ] {
            #expect(JSONValue.string(text).timestamp == nil)
        }
        #expect(PlayerReply(json: ["state": "dancing"]) == nil)
        #expect(EpisodeReply(json: ["id": 1]) == nil)
        #expect(StatusReply(json: []) == nil)
    }
}
