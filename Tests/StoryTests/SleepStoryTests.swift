import ControlClient
import ControlLanguage
import ControlProtocol
import LoopbackServer
import PodcastModel
import SystemCalls
import Testing
import TestSupport

/// The sleep timer, told through the programs as they are installed.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct SleepStoryTests: DaemonStory {
    let daemon: RunningDaemon
    private let client: DaemonConnection
    private let published: PublishedFeed

    init() throws {
        let audio = try fixture("forty-seconds.mp3")
        published = try PublishedFeed(episodes: [("Long", audio), ("Next", audio)])
        daemon = try RunningDaemon()
        client = try daemon.connect(watching: .player, subscribing: published.feed.url)
        try client.call(AddToQueue { $0.what = ["Long", "Next"] })
    }

    @Test func theSoundFadesOutAndPlayContinuesWhereTheFadeBegan() throws {
        try expectEqual(ctl("sleep").output, "sleep timer: off\n")
        try expectEqual(ctl("settings", "playback.sleep_fade", "10").status, 0)
        try daemon.play("1", watchedBy: client)
        try expectEqual(ctl("pause").status, 0)
        try expectEqual(ctl("seek", "0:10").status, 0)
        #expect(try ctl("sleep", "11s").output.hasSuffix("left\n"))
        try expectContains(ctl("status").output, "sleep timer: ")
        try client.call(TogglePlayback())
        let fading = try client.player { $0.sleep?.isFading == true }
        let asleep = try client.player { $0.reason == "the sleep timer has ended" }
        #expect(asleep.state == .paused && asleep.sleep == nil && asleep.volume == 100)
        let place = try #require(asleep.position?.seconds)
        // The event is as late as the daemon's threads; the fade cannot have begun after the event, and would have ended at 21 s.
        #expect(place <= (fading.position?.seconds ?? 0) + 0.1 && place < 20)
        client.forgetEvents()
        try daemon.play()
        // The position as of the event, however late it is read.
        #expect(try client.player { $0.state == .playing }.position?.seconds ?? 0 < place + 9)
    }

    @Test func atTheEndOfTheEpisodeTheNextOneWaits() throws {
        try expectEqual(ctl("sleep", "end-of-episode").output, "sleep timer: at the end of the episode\n")
        try daemon.play("1", "--position", "0:38")
        let waiting = try client.player { $0.state == .paused && $0.episode?.title == "Next" }
        expectEqual(waiting.sleep, nil)
        try expectContains(ctl("status").output, "paused (the sleep timer has ended)")
        try expectContains(ctl("queue").output, "Next")
        try expectEqual(ctl("stop").status, 0)
        expectEqual(try client.player(.stopped).reason, nil)
        try daemon.play()
        try expectEqual(client.player(.playing).episode?.title, "Next")
    }

    @Test func aNumberMeansMinutesAndATimeOfDayIsInTheUsersZone() throws {
        try expectEqual(ctl("sleep", "15").output, "sleep timer: 15:00 left\n")
        let zone = ["TZ=UTC-5"]
        let outcome = try daemon.ctl(["sleep", "23:30"], environment: zone)
        #expect(outcome.output.hasPrefix("sleep timer: until 23:30 ("), "\(outcome)")
        let until = try #require(try client.call(SetSleepTimer()).sleep?.until)
        expectEqual(until.seconds % 86_400, 18 * 3600 + 1800)
        try expectContains(daemon.ctl(["status"], environment: zone).output, "until 23:30")
    }

    @Test(arguments: [
        (["until 23:59"], "sleep timer: until 23:59 ("),
        (["end-of-episode", "2"], "sleep timer: after 2 episodes"),
    ])
    func aTimerSurvivesARestartWhilePlaybackIsPaused(words: [String], shown: String) throws {
        try expectEqual(ctl("sleep").output, "sleep timer: off\n")
        // In this time zone it is past noon, so 23:59 is hours away.
        let zone = ["TZ=UTC\(Timestamp.now.seconds / 3600 % 24 - 12)"]
        try expectEqual(daemon.ctl(["sleep"] + words, environment: zone).status, 0)
        try daemon.play("1", watchedBy: client)
        try expectEqual(ctl("pause").status, 0)
        try client.player { $0.state == .paused && $0.sleep != nil }
        expectEqual(daemon.stop(), .exited(0))
        let again = try RunningDaemon(in: daemon.scratch)
        let output = try again.ctl(["sleep"], environment: zone).output
        #expect(output.hasPrefix(shown) && output != "sleep timer: off\n", "\(output)")
        // The timer counts when playback continues.
        let client = try again.connect(watching: .player)
        try client.call(Play())
        #expect(try client.player(.playing).sleep != nil)
    }

    @Test func theTimerSurvivesARestart() throws {
        try daemon.play("1", watchedBy: client)
        try expectEqual(ctl("sleep", "10m").status, 0)
        expectEqual(daemon.stop(), .exited(0))
        let again = try RunningDaemon(in: daemon.scratch)
        let client = try again.connect()
        let player = try client.player(.playing)
        let left = try #require(try client.call(SetSleepTimer()).sleep?.remaining?.seconds)
        #expect(left > 500 && left <= 600, "\(player)")
    }
}
