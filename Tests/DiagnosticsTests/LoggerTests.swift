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

@Suite struct ServiceNotifierTests {
    /// The service manager's end, bound to a path.
    private func receiver(_ path: String) throws -> Int32 {
        let receiver = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(receiver, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
        return receiver
    }

    @Test func theServiceManagerReceivesOneDatagramForEachWord() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "notify-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "s").path
        let receiver = try self.receiver(path)
        defer { close(receiver) }
        let notifier = ServiceNotifier(address: path)
        notifier.ready()
        notifier.status("Buffering audio\n40 %")
        var received: [String] = []
        for _ in 0..<2 {
            var buffer = [UInt8](repeating: 0, count: 200)
            let count = recv(receiver, &buffer, buffer.count, 0)
            received.append(String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self))
        }
        #expect(received == ["READY=1", "STATUS=Buffering audio 40 %"])
    }

    @Test func aManagerThatDoesNotReadHoldsNobodyUp() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "n-\(UUID().uuidString.prefix(8))").path
        let receiver = try self.receiver(path)
        defer {
            close(receiver)
            unlink(path)
        }
        let notifier = ServiceNotifier(address: path)
        let taken = (0..<10_000).prefix { notifier.status("line \($0)") }.count
        #expect(taken > 0 && taken < 10_000)
    }

    @Test func withoutAManagerNothingHappens() {
        ServiceNotifier(address: nil).ready()
        ServiceNotifier(address: "/nowhere/at/all").ready()
    }
}
