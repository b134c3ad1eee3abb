@testable import DaemonCore
import Playback
import PodcastModel
import TestSupport
import Testing

@Suite struct PlayerSessionTests {
    @Test func aSessionIsReadAsItWasWritten() {
        var session = PlayerSession()
        let setup = OutputSetup("pulse \"1\"", "null", isEnabled: false, volume: 20, delay: -80)
        (session.volume, session.playingBoot) = (35, "a-b-c")
        session.outputs = [setup, OutputSetup("of the configuration")]
        expectEqual(PlayerSession(parsing: Array(session.text.utf8)), session)
    }

    @Test(arguments: [
        PlayContext(.feed(FeedID(7)), .oldestFirst), PlayContext(.view("playlist:new"), .newestFirst),
    ])
    func aContextIsReadAsItWasWritten(context: PlayContext) {
        var session = PlayerSession()
        session.context = context
        expectEqual(PlayerSession(parsing: Array(session.text.utf8)), session)
    }

    @Test func aDamagedFileIsNoSessionAndAnImpossibleVolumeIsClamped() {
        for text in ["", "{", "[]", "volume = 3"] { expectEqual(PlayerSession(parsing: Array(text.utf8)), nil) }
        expectEqual(PlayerSession(parsing: Array(#"{"volume":900}"#.utf8))?.volume, 100)
    }

    @Test(arguments: [
        (SleepStatus(end: .time, left: .until(Instant(nanoseconds: 65_000_000_000))), SleepRequest.after(.seconds(50))),
        (SleepStatus(end: .time, left: .held(.seconds(60))), .after(.seconds(60))),
        (SleepStatus(end: .time, left: .until(Instant(nanoseconds: 6_000_000_000))), .after(.seconds(1))),
        (SleepStatus(end: .episode(3)), .endOfEpisode(3)), (SleepStatus(end: .chapter), .endOfChapter),
    ])
    func theSleepTimerContinuesWithWhatIsLeft(status: SleepStatus, expected: SleepRequest) throws {
        var session = PlayerSession()
        session.sleep = StoredSleep(
            status, at: Instant(nanoseconds: 5_000_000_000), Timestamp(seconds: 1_000), boot: "one")
        let read = try #require(PlayerSession(parsing: Array(session.text.utf8)))
        expectEqual(read, session)
        expectEqual(read.sleep?.request(at: Timestamp(seconds: 1_010)), expected)
    }

    @Test(arguments: [
        (nil, "one", false, true), (nil, "two", false, false), ("one", "one", false, false), ("one", "one", true, true),
        ("one", "two", true, true),
    ])
    func aTimerThatWaitsForPlayLastsUntilTheNextBoot(
        playing: String?, boot: String, isContinuing: Bool, isSet: Bool
    ) {
        var session = PlayerSession()
        session.playingBoot = playing
        session.sleep = StoredSleep(
            SleepStatus(end: .episode(2)), at: Instant(nanoseconds: 0), Timestamp(seconds: 1_000), boot: "one")
        let request = session.sleepRequest(in: boot, at: Timestamp(seconds: 90_000), isContinuing: isContinuing)
        expectEqual(request, isSet ? .endOfEpisode(2) : nil)
    }

    struct Start {
        var playingBoot: String? = "one"
        var boot = "one"
        var silence: Int64? = 10
        var resumesAtStart = false
        var continues: Bool
    }

    @Test(arguments: [
        Start(continues: true), Start(playingBoot: nil, resumesAtStart: true, continues: false),
        Start(boot: "two", continues: false), Start(boot: "two", resumesAtStart: true, continues: true),
        Start(silence: 301, continues: false), Start(silence: 301, resumesAtStart: true, continues: true),
        Start(silence: nil, continues: false),
    ])
    func aRestartContinuesPlaybackAndABootOnlyIfTheSettingSaysSo(start: Start) {
        var session = PlayerSession()
        session.playingBoot = start.playingBoot
        let now = Timestamp(seconds: 1_000_000)
        let continues = session.continues(
            in: start.boot, at: now, lastHeard: start.silence.map { Timestamp(seconds: 1_000_000 - $0) },
            resumesAtStart: start.resumesAtStart)
        expectEqual(continues, start.continues)
    }
}
