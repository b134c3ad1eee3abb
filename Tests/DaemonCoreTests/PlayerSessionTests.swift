import PodcastModel
import Testing
@testable import DaemonCore

@Suite struct PlayerSessionTests {
    @Test func aSessionIsReadAsItWasWritten() {
        var session = PlayerSession()
        (session.volume, session.disabledOutputs, session.playingBoot) = (35, ["pulse \"1\""], "a-b-c")
        #expect(PlayerSession(parsing: Array(session.text.utf8)) == session)
    }

    @Test func aDamagedFileIsNoSessionAndAnImpossibleVolumeIsClamped() {
        for text in ["", "{", "[]", "volume = 3"] { #expect(PlayerSession(parsing: Array(text.utf8)) == nil) }
        #expect(PlayerSession(parsing: Array(#"{"volume":900}"#.utf8))?.volume == 100)
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
        #expect(continues == start.continues)
    }
}
