public import PodcastModel

/// Decides which feed is fetched next: the queue of one run, with limits for all fetches and for those of each host.
///
/// A state machine without a clock: the loop reports ended fetches and the time, and gets the next action. Every step
/// has constant cost, independent of the queue's length.
public struct RefreshPlan: Sendable {
    public struct Limits: Equatable, Sendable {
        var total: Int
        var perHost: Int
        /// Time between the starts of two fetches from one host.
        var spacing: Duration
        /// True if rate limits do not apply to loopback addresses; the total still does.
        var sparesLoopback: Bool

        /// Each count is at least 1.
        public init(
            total: Int = 16, perHost: Int = 2, spacing: Duration = .milliseconds(50), sparesLoopback: Bool = true
        ) {
            self.total = max(total, 1)
            self.perHost = max(perHost, 1)
            self.spacing = max(spacing, .zero)
            self.sparesLoopback = sparesLoopback
        }
    }

    public enum Action: Equatable, Sendable {
        /// Begin to fetch the target with this index, and ask again.
        case start(Int)
        /// Do not fetch this target in this run: its host accepts no requests for this number of seconds. Ask again.
        case postpone(Int, seconds: Int64)
        /// Nothing can start for this time unless a fetch ends before.
        case wait(Duration)
        /// Nothing can start until a fetch ends.
        case awaitEnd
        case finish
    }

    private struct Host {
        /// Indices of targets not begun yet; `head` moves instead of the elements.
        var queue: [Int] = []
        var head = 0
        var running = 0
        var earliestStart = Instant.distantPast
        var retryAfter: Int64?
        var isBound: Bool
        var isListed = false
        var isEmpty: Bool { head == queue.count }
    }

    private let limits: Limits
    private var hosts: [Host] = []
    private var hostOfTarget: [Int]
    /// Hosts that may have something to start, first in, first out.
    private var ready: [Int] = []
    private var readyHead = 0
    /// Hosts that wait only for their spacing.
    private var resting: [Int] = []
    private var running = 0
    private var left: Int

    /// - Parameters:
    ///   - urls: URLs in order of urgency; only their hosts matter.
    ///   - pausedHosts: seconds for which hosts, with their ports, accept no requests from the start on.
    public init(urls: [String], limits: Limits, pausedHosts: [String: Int64] = [:]) {
        self.limits = limits
        left = urls.count
        hostOfTarget = []
        hostOfTarget.reserveCapacity(urls.count)
        var numbers: [String: Int] = [:]
        var previous = (name: "", number: -1)
        for (index, url) in urls.enumerated() {
            let name = WebAddress.authority(of: url)
            let number: Int
            if name == previous.name, previous.number >= 0 {
                number = previous.number
            } else if let known = numbers[name] {
                number = known
            } else {
                number = hosts.count
                numbers[name] = number
                hosts.append(
                    Host(
                        retryAfter: pausedHosts[name],
                        isBound: !(limits.sparesLoopback && WebAddress.isLoopback(name))))
            }
            previous = (name, number)
            hosts[number].queue.append(index)
            hostOfTarget.append(number)
        }
        for number in hosts.indices { list(number) }
    }

    public var remaining: Int { left }

    public mutating func next(at now: Instant) -> Action {
        if left == 0 { return .finish }
        wakeResting(at: now)
        while readyHead < ready.count {
            let number = ready[readyHead]
            if let seconds = hosts[number].retryAfter, !hosts[number].isEmpty {
                left -= 1
                return .postpone(removeTarget(of: number), seconds: seconds)
            }
            if running >= limits.total { return .awaitEnd }
            readyHead += 1
            hosts[number].isListed = false
            if hosts[number].isEmpty { continue }
            if hosts[number].isBound {
                // A host at its limit returns to the list when one of its fetches ends.
                if hosts[number].running >= limits.perHost { continue }
                if hosts[number].earliestStart > now {
                    resting.append(number)
                    hosts[number].isListed = true
                    continue
                }
                hosts[number].earliestStart = now + limits.spacing
            }
            hosts[number].running += 1
            running += 1
            let target = removeTarget(of: number)
            list(number)
            return .start(target)
        }
        ready.removeAll(keepingCapacity: true)
        readyHead = 0
        if running < limits.total, let earliest = resting.map({ hosts[$0].earliestStart }).min() {
            return .wait(max(earliest - now, .milliseconds(1)))
        }
        return .awaitEnd
    }

    /// Called when a fetch has ended.
    /// - Parameter retryAfter: seconds for which the host accepts no more requests (429 or 503 with `Retry-After`); its
    ///   queued targets are postponed.
    public mutating func ended(_ target: Int, retryAfter: Int64? = nil) {
        let number = hostOfTarget[target]
        hosts[number].running -= 1
        running -= 1
        left -= 1
        if let retryAfter { hosts[number].retryAfter = max(retryAfter, hosts[number].retryAfter ?? 0) }
        list(number)
    }

    private mutating func removeTarget(of number: Int) -> Int {
        let target = hosts[number].queue[hosts[number].head]
        hosts[number].head += 1
        return target
    }

    private mutating func list(_ number: Int) {
        guard !hosts[number].isListed, !hosts[number].isEmpty else { return }
        hosts[number].isListed = true
        ready.append(number)
    }

    private mutating func wakeResting(at now: Instant) {
        guard !resting.isEmpty else { return }
        var still: [Int] = []
        for number in resting {
            if hosts[number].earliestStart <= now || hosts[number].retryAfter != nil {
                hosts[number].isListed = false
                list(number)
            } else {
                still.append(number)
            }
        }
        resting = still
    }
}
