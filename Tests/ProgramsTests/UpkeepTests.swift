import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// What the daemon does by itself and how it takes a config file that changes.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct UpkeepTests {
    private func backups(_ scratch: Scratch) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scratch.path + "/data/backups").filter {
            $0.hasSuffix(".db")
        }
    }

    @Test func aBackupIsWrittenOnceAWeek() throws {
        let scratch = try Scratch()
        do {
            let daemon = try RunningDaemon(in: scratch)
            try expectOutcome(daemon.ctl("backup"), 0)
            expectEqual(daemon.stop(), .exited(0))
        }
        let first = try #require(try backups(scratch).first)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -8 * 86_400)],
            ofItemAtPath: scratch.path + "/data/backups/" + first)
        let daemon = try RunningDaemon(in: scratch)
        // A small library is copied faster than clients are sent events.
        let deadline = Instant.now + .seconds(60)
        while try backups(scratch).count < 2, .now < deadline { try expectOutcome(daemon.ctl("status"), 0) }
        try expectEqual(backups(scratch).count, 2)
        expectContains(try daemon.ctl("doctor").output, "last one written today: ")
    }

    @Test func aConfigFileIsReadAtSIGHUPAndReportedUntilItIsRight() throws {
        let scratch = try Scratch()
        let daemon = try RunningDaemon(in: scratch)
        let folder = scratch.path + "/.config/podcastd"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        func reload(_ text: String) throws {
            try text.write(toFile: folder + "/podcastd.conf", atomically: true, encoding: .utf8)
            daemon.process.signal(SIGHUP)
            #expect(daemon.waitForNotification("READY=1"))
        }
        func run(_ arguments: String...) throws -> String {
            try Programs.run("podcastctl", ["--socket", daemon.socketPath] + arguments).output
        }
        try reload("[playback]\nrebuffer = 7\n")
        let changed = try run("settings", "playback.rebuffer")
        #expect(changed.hasPrefix("playback.rebuffer = 7\n  from config file"), "\(changed)")
        try reload("[playback]\nrebuffer = soon\n")
        try expectContains(run("settings", "playback.rebuffer"), "7")
        let doctor = try run("doctor")
        #expect(doctor.contains("the settings from before are in effect") && doctor.contains("kill -HUP"), "\(doctor)")
        try reload("[playback]\nrebuffer = 8\n")
        try expectContains(run("settings", "playback.rebuffer"), "8")
        #expect(try !run("doctor").contains("the settings from before are in effect"))
    }

    @Test func aConfigFileThatCannotBeReadIsAnErrorAtTheStart() throws {
        let scratch = try Scratch()
        // Also root cannot read a folder.
        try FileManager.default.createDirectory(
            atPath: scratch.path + "/.config/podcastd/podcastd.conf", withIntermediateDirectories: true)
        for program in ["podcastd", "podcast-refresh"] {
            try expectOutcome(
                Programs.run(
                    program,
                    program == "podcastd" ? RunningDaemon.places(scratch) : ["--data-dir", scratch.path + "/data"],
                    environment: ["HOME=\(scratch.path)", "XDG_CONFIG_HOME=\(scratch.path)/.config"]), 78,
                errors: "cannot read the config file")
        }
    }
}
