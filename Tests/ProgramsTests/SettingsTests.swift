import ChildProcess
import Foundation
import JSON
import SystemCalls
import Testing

@Suite(.timeLimit(.minutes(10)))
struct SettingsTests {
    private func setting(_ client: DaemonConnection, _ key: String) throws -> JSONValue {
        try client.call("settings.get", ["key": .string(key)])
    }

    @Test func aChangeThatNeedsARestartWaitsForIt() throws {
        let scratch = try Scratch()
        do {
            let daemon = try RunningDaemon(in: scratch)
            let client = try daemon.connect()
            let changed = try client.call("settings.set", ["key": "cache.size", "value": "3G"])
            #expect(changed["value"] == "3G" && changed["active"] == "2G" && changed["default"] == "2G")
            #expect(changed["isWaiting"] == true && changed["note"]?.stringValue != nil)
            #expect(try client.call("settings.set", ["key": "cache.size", "value": "2G"])["isWaiting"] == false)
            try client.call("settings.set", ["key": "cache.size", "value": "3G"])
            #expect(daemon.stop() == .exited(0))
        }
        let daemon = try RunningDaemon(in: scratch)
        let client = try daemon.connect()
        let now = try setting(client, "cache.size")
        #expect(now["active"] == "3G" && now["isWaiting"] == false && now["origin"] == "client")
        #expect(try client.call("settings.reset", ["key": "cache.size"])["origin"] == "default")
        #expect(try setting(client, "cache.size")["isWaiting"] == true)
    }

    @Test func whatTheCommandLineSaysHoldsAndTheAnswerSaysSo() throws {
        let daemon = try RunningDaemon(arguments: ["--log-level", "warning"])
        let answer = try daemon.connect().call("settings.set", ["key": "daemon.log_level", "value": "info"])
        #expect(answer["value"] == "warning" && answer["origin"] == "command line")
        #expect(answer["clientValue"] == "info")
        #expect(answer["note"]?.stringValue?.contains("without its option") == true)
    }

    @Test func aWrongKeyOrValueSaysWhatWouldBeRight() throws {
        let daemon = try RunningDaemon()
        let key = try Programs.run("podcastctl", ["--socket", daemon.socketPath, "settings", "cache.sise"])
        #expect(key.status == 66 && key.errors.contains("did you mean cache.size?"))
        let value = try Programs.run("podcastctl", ["--socket", daemon.socketPath, "settings", "refresh.jobs", "900"])
        #expect(value.status == 64 && value.errors.contains("from 1 to 64"))
        let shown = try Programs.run("podcastctl", ["--socket", daemon.socketPath, "settings", "output.sink"])
        #expect(shown.output.hasPrefix("output.sink = null\n  from command line, default alsa"))
    }

    @Test func aFileThatCannotBeWrittenLeavesTheSettingAsItWas() throws {
        let daemon = try RunningDaemon()
        let client = try daemon.connect()
        // A folder of the file's name cannot be replaced, not even by root.
        try FileManager.default.createDirectory(
            atPath: daemon.scratch.path + "/data/settings", withIntermediateDirectories: true)
        #expect {
            try client.call("settings.set", ["key": "playback.rebuffer", "value": "9"])
        } throws: { ($0 as? DaemonConnection.CallFailed)?.code == 8 }
        #expect(try setting(client, "playback.rebuffer")["value"] == "3")
    }

    @Test func aKillBetweenChangesLeavesTheLastOneThatWasAcknowledged() throws {
        let scratch = try Scratch()
        for round in 0..<3 {
            let daemon = try RunningDaemon(in: scratch)
            let client = try daemon.connect()
            let last = 2 + round * 10
            for seconds in 1...last {
                try client.call(
                    "settings.set", ["key": "output.close_after", "value": .string("\(seconds)")])
            }
            // One more is on its way when the daemon is killed: it is there or it is not.
            client.send(
                #"{"jsonrpc":"2.0","id":9,"method":"settings.set","params":{"key":"output.close_after","value":"999"}}"#
                    + "\n")
            daemon.kill()
            let again = try RunningDaemon(in: scratch)
            let value = try setting(try again.connect(), "output.close_after")["value"]?.stringValue
            #expect(value == "\(last)" || value == "999")
        }
    }

    @Test func levelsOfPartsChangeWhileItRuns() throws {
        let scratch = try Scratch()
        let config = try scratch.file("podcastd.conf", "[daemon]\nlog_level = error\n")
        let daemon = try RunningDaemon(in: scratch, arguments: ["--config", config], log: scratch.path + "/log")
        let client = try daemon.connect()
        try client.call("settings.set", ["key": "playback.rebuffer", "value": "4"])
        try client.call("settings.set", ["key": "daemon.log_level", "value": "error,settings=info"])
        try client.call("settings.set", ["key": "playback.rebuffer", "value": "5"])
        #expect(daemon.stop() == .exited(0))
        let log = try String(contentsOfFile: scratch.path + "/log", encoding: .utf8)
        #expect(log.hasSuffix("playback.rebuffer to 5\n"))
        #expect(!log.contains("playback.rebuffer to 4") && !log.contains("stopping"))
    }
}
