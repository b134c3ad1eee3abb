import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import SystemCalls
import TestSupport
import Testing

@Suite(.ownThread, .timeLimit(.minutes(10)))
struct SettingsTests {
    private func setting(_ client: DaemonConnection, _ key: String) throws -> SettingReply {
        try client.call(GetSetting { $0.key = key })
    }

    @Test func aChangeThatNeedsARestartIsPendingUntilThen() throws {
        let scratch = try Scratch()
        do {
            let daemon = try RunningDaemon(in: scratch)
            let client = try daemon.connect()
            let changed = try client.call(SetSetting { ($0.key, $0.value) = ("cache.size", "3G") })
            #expect(changed.value == "3G" && changed.active == "2G" && changed.defaultValue == "2G")
            #expect(changed.isWaiting == true && changed.note != nil)
            try expectEqual(client.call(SetSetting { ($0.key, $0.value) = ("cache.size", "2G") }).isWaiting, false)
            try client.call(SetSetting { ($0.key, $0.value) = ("cache.size", "3G") })
            try expectContains(daemon.ctl("doctor").output, "fix: restart podcastd\n")
            expectEqual(daemon.stop(), .exited(0))
        }
        let daemon = try RunningDaemon(in: scratch)
        let client = try daemon.connect()
        let now = try setting(client, "cache.size")
        #expect(now.active == "3G" && !now.isWaiting && now.origin == "client")
        try expectEqual(client.call(ResetSetting { $0.key = "cache.size" }).origin, "default")
        #expect(try setting(client, "cache.size").isWaiting)
    }

    @Test func theCommandLineTakesPrecedenceAndTheReplySaysSo() throws {
        let daemon = try RunningDaemon(arguments: ["--log-level", "warning"])
        let answer = try daemon.connect().call(SetSetting { ($0.key, $0.value) = ("daemon.log_level", "info") })
        #expect(answer.value == "warning" && answer.origin == "command line")
        expectEqual(answer.clientValue, "info")
        expectEqual(answer.note?.contains("without its option"), true)
    }

    @Test func aWrongKeyOrValueIsAnsweredWithWhatIsAllowed() throws {
        let daemon = try RunningDaemon()
        try expectOutcome(daemon.ctl("settings", "cache.sise"), 66, errors: "did you mean cache.size?")
        try expectOutcome(daemon.ctl("settings", "refresh.jobs", "900"), 64, errors: "from 1 to 64")
        let shown = try daemon.ctl("settings", "output.sink")
        #expect(shown.output.hasPrefix("output.sink = null\n  from command line, default alsa"))
    }

    @Test func aKillKeepsTheLastConfirmedSetting() throws {
        let scratch = try Scratch()
        for round in 0..<3 {
            let daemon = try RunningDaemon(in: scratch)
            let client = try daemon.connect()
            let last = 2 + round * 10
            for seconds in 1...last {
                try client.call(SetSetting { ($0.key, $0.value) = ("output.close_after", "\(seconds)") })
            }
            // One more is on its way when the daemon is killed: it is there or it is not.
            client.begin(SetSetting { ($0.key, $0.value) = ("output.close_after", "999") })
            daemon.kill()
            let again = try RunningDaemon(in: scratch)
            let value = try setting(try again.connect(), "output.close_after").value
            #expect(value == "\(last)" || value == "999")
        }
    }

    @Test func logLevelsOfPartsChangeAtRunTime() throws {
        let scratch = try Scratch()
        let config = try scratch.file("podcastd.conf", "[daemon]\nlog_level = error\n")
        let daemon = try RunningDaemon(in: scratch, arguments: ["--config", config], log: scratch.path + "/log")
        let client = try daemon.connect()
        try client.call(SetSetting { ($0.key, $0.value) = ("playback.rebuffer", "4") })
        try client.call(SetSetting { ($0.key, $0.value) = ("daemon.log_level", "error,settings=info") })
        try client.call(SetSetting { ($0.key, $0.value) = ("playback.rebuffer", "5") })
        expectEqual(daemon.stop(), .exited(0))
        let log = try String(contentsOfFile: scratch.path + "/log", encoding: .utf8)
        #expect(log.hasSuffix("playback.rebuffer to 5\n"))
        #expect(!log.contains("playback.rebuffer to 4") && !log.contains("stopping"))
    }
}
