import Foundation
import Reporting
import Synchronization
import TestSupport
import Testing

private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ bytes: [UInt8]) { lines.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) } }
    var all: [String] { lines.withLock { $0 } }
}

@Suite struct LoggerTests {
    @Test func aLineUnderTheJournalBeginsWithItsPriority() {
        let lines = Lines()
        let logger = Logger(levels: LogLevels(.info), hasPriorities: true, output: { lines.add($0) })
        logger.log(.warning, .refresh, "feed is gone")
        expectEqual(lines.all, ["<4>refresh: feed is gone\n"])
    }

    @Test func feedTextCannotEndTheLineNorDriveTheTerminal() {
        let lines = Lines()
        let logger = Logger(levels: LogLevels(.debug), hasPriorities: false, output: { lines.add($0) })
        logger.log(.info, .refresh, "evil\n<0>kernel: \u{1B}[2J\u{202E}gpj")
        expectEqual(lines.all, ["refresh: evil <0>kernel: [2Jgpj\n"])
    }

    @Test func messagesBelowTheLevelAreNotEvenMade() {
        let lines = Lines()
        let logger = Logger(levels: LogLevels(.notice), hasPriorities: false, output: { lines.add($0) })
        logger.log(
            .debug, .playback,
            {
                Issue.record("was made"); return ""
            }())
        logger.levels = LogLevels(.debug)
        logger.log(.debug, .playback, "now")
        expectEqual(lines.all, ["playback: now\n"])
    }
}

@Suite struct LogLevelsTests {
    @Test func onePartMayHaveALevelOfItsOwn() throws {
        let levels = try #require(LogLevels(parsing: "warning, playback=debug ,refresh=info"))
        #expect(levels[.playback] == .debug && levels[.refresh] == .info && levels[.daemon] == .warning)
        expectEqual(LogLevels(parsing: "control=debug")?[.daemon], .notice)
        expectEqual(LogLevels(parsing: "info"), LogLevels(.info))
    }

    @Test(arguments: [
        "", "loud", "info,debug", "playback=", "weather=info", "playback=info,playback=debug", "info,", "a=b=c",
    ])
    func whatIsNoLevelIsRefused(text: String) { expectEqual(LogLevels(parsing: text), nil) }
}
