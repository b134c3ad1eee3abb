import Diagnostics
import Foundation
import Synchronization
import Testing

private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ bytes: [UInt8]) { lines.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) } }
    var all: [String] { lines.withLock { $0 } }
}

@Suite struct LoggerTests {
    @Test func aLineUnderTheJournalBeginsWithItsPriority() {
        let lines = Lines()
        let logger = Logger(level: .info, hasPriorities: true, output: { lines.add($0) })
        logger.log(.warning, "refresh", "feed is gone")
        #expect(lines.all == ["<4>refresh: feed is gone\n"])
    }

    @Test func feedTextCannotEndTheLineNorDriveTheTerminal() {
        let lines = Lines()
        let logger = Logger(level: .debug, hasPriorities: false, output: { lines.add($0) })
        logger.log(.info, "feeds", "evil\n<0>kernel: \u{1B}[2J\u{202E}gpj")
        #expect(lines.all == ["feeds: evil <0>kernel:  [2J gpj\n"])
    }

    @Test func messagesBelowTheLevelAreNotEvenMade() {
        let lines = Lines()
        let logger = Logger(level: .notice, hasPriorities: false, output: { lines.add($0) })
        logger.log(
            .debug, "x",
            {
                Issue.record("was made"); return ""
            }())
        logger.level = .debug
        logger.log(.debug, "x", "now")
        #expect(lines.all == ["x: now\n"])
    }
}
