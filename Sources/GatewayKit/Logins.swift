public import PodcastModel
internal import Synchronization
internal import SystemCalls

/// Checks passwords on a separate thread, because comparing one with its hash is made to take some hundredths of a second, and other
/// clients must not wait for it. Limits wrong passwords of each client. One thread calls its methods.
public final class LoginChecks<Answer: Sendable> {
    /// Checks that wait at most.
    private static var maximumWaiting: Int { 16 }

    private final class Finished: Sendable {
        let answers = Mutex<[(number: Int, answer: Answer?)]>([])
    }

    private let thread = WorkerThread(name: .logins)
    private let finished = Finished()
    private let notify: @Sendable () -> Void
    private var failures = FailedLogins()
    private var waiting: [Int: (address: String, done: (Answer?) -> Void)] = [:]
    private var lastNumber = 0

    /// - Parameter notify: called on the other thread when `process` must be called.
    public init(notify: @escaping @Sendable () -> Void) { self.notify = notify }

    /// Does the work on the other thread and calls `done` from `process`.
    ///
    /// - Parameters:
    ///   - address: the client's.
    ///   - work: returns nil for a wrong login.
    /// - Returns: nil if the login is checked; otherwise the seconds that the client has to wait.
    public func check(
        from address: String, at now: Instant, _ work: @escaping @Sendable () -> Answer?,
        done: @escaping (Answer?) -> Void
    ) -> Int? {
        if let seconds = failures.wait(for: address, at: now) { return seconds }
        guard waiting.count < Self.maximumWaiting else { return 1 }
        lastNumber += 1
        let number = lastNumber
        let finished = finished
        let notify = notify
        let isBegun: Void? = try? thread.submit {
            let answer = work()
            finished.answers.withLock { $0.append((number, answer)) }
            notify()
        }
        guard isBegun != nil else { return 1 }
        // A login counts as wrong until the answer is known, so that logins at the same time count too.
        failures.failed(address, at: now)
        waiting[number] = (address, done)
        return nil
    }

    public func process() {
        for (number, answer) in finished.answers.withLock({ exchange(&$0, with: []) }) {
            guard let check = waiting.removeValue(forKey: number) else { continue }
            if answer != nil { failures.succeeded(check.address) }
            check.done(answer)
        }
    }
}

/// Limits wrong passwords and tokens for each client. A client is an address of IPv4, a network of 64 bits of IPv6, of which one
/// machine has all addresses, or this machine with all its own. A value without clock.
struct FailedLogins: Equatable {
    private struct Record: Equatable {
        var failures: Int
        var last: Instant
    }

    /// Failures after which a client has to wait.
    static let allowed = 5
    /// Time after which a failure is forgotten.
    static let forgotten = Duration.seconds(60)
    /// Addresses that are remembered at most.
    static let maximumAddresses = 1000

    private var records: [String: Record] = [:]

    /// Seconds that a client has to wait before it may try again, at least 1; nil if it need not wait.
    func wait(for address: String, at now: Instant) -> Int? {
        let address = Self.client(address)
        let shared = records.count >= Self.maximumAddresses ? records[""] : nil
        guard let record = records[address] ?? shared, record.failures >= Self.allowed else { return nil }
        let left = Self.forgotten - (now - record.last)
        return left > .zero ? max(1, Int(left.inSeconds.rounded(.up))) : nil
    }

    mutating func failed(_ address: String, at now: Instant) {
        let address = Self.client(address)
        if records.count >= Self.maximumAddresses { records = records.filter { now - $0.value.last < Self.forgotten } }
        // Clients beyond the limit share one record.
        let key = records[address] != nil || records.count < Self.maximumAddresses ? address : ""
        var record = records[key] ?? Record(failures: 0, last: now)
        if now - record.last >= Self.forgotten { record.failures = 0 }
        record.failures += 1
        record.last = now
        records[key] = record
    }

    mutating func succeeded(_ address: String) { records[Self.client(address)] = nil }

    private static func client(_ address: String) -> String {
        let address = address.hasPrefix("::ffff:") && address.contains(".") ? String(address.dropFirst(7)) : address
        if address.hasPrefix("127.") || address == "::1" { return "this machine" }
        guard address.contains(":") else { return address }
        let parts = address.fields(separatedBy: ":")
        guard let gap = parts.firstIndex(of: "") else { return parts.prefix(4).joined(separator: ":") }
        let before = parts[..<gap]
        let after = parts[gap...].drop { $0.isEmpty }
        let zeros = [Substring](repeating: "0", count: max(0, 8 - before.count - after.count))
        return (before + zeros + after).prefix(4).joined(separator: ":")
    }
}
