import Foundation
import PodcastModel
import Reporting
import TestSupport
import Testing

/// A service manager that reads when the test says so.
private final class Manager {
    let path = FileManager.default.temporaryDirectory.appending(path: "n-\(UUID().uuidString.prefix(8))").path
    private let receiver = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)

    init() throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let receiver = receiver
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(receiver, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
    }

    deinit {
        close(receiver)
        unlink(path)
    }

    /// All messages that have come and were not read yet.
    func read() -> [String] {
        var messages: [String] = []
        var buffer = [UInt8](repeating: 0, count: 200)
        while case let count = recv(receiver, &buffer, buffer.count, Int32(MSG_DONTWAIT)), count > 0 {
            messages.append(String(decoding: buffer.prefix(count), as: UTF8.self))
        }
        return messages
    }
}

@Suite(.ownThread) struct ServiceNotifierTests {
    @Test func theServiceManagerReceivesOneDatagramForEachWord() throws {
        let manager = try Manager()
        let notifier = ServiceNotifier(address: manager.path)
        notifier.ready()
        notifier.reloading(at: Instant(nanoseconds: 5000))
        expectEqual(manager.read(), ["READY=1", "RELOADING=1\nMONOTONIC_USEC=5"])
    }

    @Test func aManagerThatDoesNotReadHoldsNobodyUp() throws {
        let manager = try Manager()
        let notifier = ServiceNotifier(address: manager.path)
        for _ in 0..<10_000 { notifier.watchdog() }
        let taken = manager.read().count
        #expect(taken > 0 && taken < 10_000)
    }

    @Test func withoutAManagerNothingHappens() {
        ServiceNotifier(address: nil).ready()
        ServiceNotifier(address: "/nowhere/at/all").ready()
    }
}
