public import PodcastModel
internal import Synchronization
internal import SystemCalls

/// Compares passwords with their hashes on a separate thread, because a comparison is made to take some hundredths of a second, and
/// other clients must not wait for it. One thread calls its methods.
public final class LoginChecks<Answer: Sendable> {
    /// Checks that wait at most.
    private static var maximumWaiting: Int { 16 }

    private final class Finished: Sendable {
        let answers = Mutex<[(number: Int, answer: Answer)]>([])
    }

    private let thread = WorkerThread(name: .logins)
    private let finished = Finished()
    private let notify: @Sendable () -> Void
    private var waiting: [Int: (Answer) -> Void] = [:]
    private var lastNumber = 0

    /// - Parameter notify: called on the other thread when `process` is to be called.
    public init(notify: @escaping @Sendable () -> Void) { self.notify = notify }

    /// Does the work there and calls `done` from `process`.
    ///
    /// - Returns: false if too many checks wait.
    public func check(_ work: @escaping @Sendable () -> Answer, done: @escaping (Answer) -> Void) -> Bool {
        guard waiting.count < Self.maximumWaiting else { return false }
        lastNumber += 1
        let (number, finished, notify) = (lastNumber, finished, notify)
        let isBegun: Void? = try? thread.submit {
            let answer = work()
            finished.answers.withLock { $0.append((number, answer)) }
            notify()
        }
        guard isBegun != nil else { return false }
        waiting[number] = done
        return true
    }

    public func process() {
        let answers = finished.answers.withLock { answers in
            defer { answers = [] }
            return answers
        }
        for (number, answer) in answers { waiting.removeValue(forKey: number)?(answer) }
    }
}

/// Limits wrong passwords and tokens for each client. A client is an address of IPv4, a network of 64 bits of IPv6, of which one
/// machine has all addresses, or this machine with all its own. A value without clock.
public struct FailedLogins: Equatable, Sendable {
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

    public init() {}

    /// Seconds that a client has to wait before it may try again, at least 1; nil if it need not wait.
    public func wait(for address: String, at now: Instant) -> Int? {
        let address = Self.client(address)
        let shared = records.count >= Self.maximumAddresses ? records[""] : nil
        guard let record = records[address] ?? shared, record.failures >= Self.allowed else { return nil }
        let left = Self.forgotten - (now - record.last)
        return left > .zero ? max(1, Int(left.inSeconds.rounded(.up))) : nil
    }

    public mutating func failed(_ address: String, at now: Instant) {
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

    public mutating func succeeded(_ address: String) { records[Self.client(address)] = nil }

    private static func client(_ address: String) -> String {
        let address = address.hasPrefix("::ffff:") && address.contains(".") ? String(address.dropFirst(7)) : address
        if address.hasPrefix("127.") || address == "::1" { return "this machine" }
        guard address.contains(":") else { return address }
        let parts = address.split(separator: ":", omittingEmptySubsequences: false)
        guard let gap = parts.firstIndex(of: "") else { return parts.prefix(4).joined(separator: ":") }
        let (before, after) = (parts[..<gap], parts[gap...].drop { $0.isEmpty })
        let zeros = [Substring](repeating: "0", count: max(0, 8 - before.count - after.count))
        return (before + zeros + after).prefix(4).joined(separator: ":")
    }
}
