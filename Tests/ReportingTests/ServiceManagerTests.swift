import Foundation
import Reporting
import Synchronization
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
        notifier.status("Buffering audio\n40 %")
        expectEqual(manager.read(), ["READY=1", "STATUS=Buffering audio 40 %"])
    }

    @Test func aStatusLineHoldsNoOtherFieldAndNoControlCharacters() throws {
        let manager = try Manager()
        let title = "Title\r\nWATCHDOG=trigger\u{0B}\u{85}MAINPID=1\u{2028}\u{1B}[2J\u{9B}31m\u{202E}gpj"
        ServiceNotifier(address: manager.path).status(title)
        expectEqual(manager.read(), ["STATUS=Title  WATCHDOG=triggerMAINPID=1 [2J31mgpj"])
    }

    @Test func aManagerThatDoesNotReadHoldsNobodyUp() throws {
        let manager = try Manager()
        let notifier = ServiceNotifier(address: manager.path)
        let taken = (0..<10_000).prefix { notifier.status("line \($0)") }.count
        #expect(taken > 0 && taken < 10_000)
        expectEqual(notifier.status("one more"), false)
    }

    @Test func withoutAManagerNothingHappens() {
        ServiceNotifier(address: nil).ready()
        ServiceNotifier(address: "/nowhere/at/all").ready()
        expectEqual(ServiceNotifier(address: "/nowhere/at/all").status("line"), true)
    }
}

@Suite(.ownThread) struct StatusLinesTests {
    /// What was asked to be called back later.
    private final class Later: Sendable {
        private let calls = Mutex<[@Sendable () -> Void]>([])
        func add(_ call: @escaping @Sendable () -> Void) { calls.withLock { $0.append(call) } }

        /// Makes the calls; tells how many there were.
        func run() -> Int {
            let due = calls.withLock { calls in
                defer { calls = [] }
                return calls
            }
            for call in due { call() }
            return due.count
        }
    }

    private func fill(_ address: String) {
        let other = ServiceNotifier(address: address)
        while other.status("filler") {}
    }

    @Test func aLineIsToldOnceUntilItChanges() throws {
        let manager = try Manager()
        let lines = StatusLines(ServiceNotifier(address: manager.path)) { _ in Issue.record("there is room") }
        for line in ["Playing", "Playing", "Paused"] { lines.send(line) }
        expectEqual(manager.read(), ["STATUS=Playing", "STATUS=Paused"])
    }

    @Test func theNewestLineArrivesOnceThereIsRoomAgain() throws {
        let manager = try Manager()
        let later = Later()
        let lines = StatusLines(ServiceNotifier(address: manager.path)) { later.add($0) }
        fill(manager.path)
        for line in ["Loading", "Buffering", "Playing"] { lines.send(line) }
        expectEqual(later.run(), 1)
        // There is still no room: the sender tries again, one attempt at a time.
        expectEqual(later.run(), 1)
        #expect(manager.read().allSatisfy { $0 == "STATUS=filler" })
        expectEqual(later.run(), 1)
        expectEqual(manager.read(), ["STATUS=Playing"])
        expectEqual(later.run(), 0)
    }

    @Test func aManagerThatIsGoneIsNotTriedAgain() {
        let lines = StatusLines(ServiceNotifier(address: "/nowhere/at/all")) { _ in Issue.record("nobody is there") }
        lines.send("Playing")
    }
}
