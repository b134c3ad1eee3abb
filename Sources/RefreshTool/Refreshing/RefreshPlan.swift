internal import PodcastModel

/// Decides which feed is fetched next: the queue of one run, with limits for all fetches and for those of each host.
///
/// A state machine without a clock: the loop reports ended fetches and the time, and gets the next action. The cost of a
/// step depends on the number of hosts that rest or are at their limit, not on the queue's length.
struct RefreshPlan {
    struct Limits: Equatable {
        var total = 16
        var perHost = 2
        /// Time between the starts of two fetches from one host.
        var spacing = Duration.milliseconds(50)
        /// True if rate limits do not apply to loopback addresses; the total still does.
        var sparesLoopback = true
    }

    enum Action: Equatable {
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
    }

    private let limits: Limits
    private var hosts: [Host] = []
    private var hostOfTarget: [Int] = []
    /// Hosts with targets not begun yet, in turn.
    private var waiting: [Int] = []
    private var running = 0
    private var left: Int

    /// - Parameters:
    ///   - urls: URLs in order of urgency; only their hosts matter.
    ///   - pausedHosts: seconds for which hosts, with their ports, accept no requests from the start on.
    init(urls: [String], limits: Limits, pausedHosts: [String: Int64] = [:]) {
        self.limits = limits
        left = urls.count
        var numbers: [String: Int] = [:]
        for (index, url) in urls.enumerated() {
            let name = WebAddress.authority(of: url)
            let number = numbers[name] ?? hosts.count
            if number == hosts.count {
                numbers[name] = number
                let isBound = !(limits.sparesLoopback && WebAddress.isLoopback(name))
                hosts.append(Host(retryAfter: pausedHosts[name], isBound: isBound))
            }
            hosts[number].queue.append(index)
            hostOfTarget.append(number)
        }
        waiting = Array(hosts.indices)
    }

    mutating func next(at now: Instant) -> Action {
        if left == 0 { return .finish }
        var earliest: Instant?
        for (place, number) in waiting.enumerated() {
            let host = hosts[number]
            if let seconds = host.retryAfter {
                left -= 1
                return .postpone(removeTarget(at: place), seconds: seconds)
            }
            if running >= limits.total { return .awaitEnd }
            if host.isBound {
                if host.running >= limits.perHost { continue }
                if host.earliestStart > now {
                    earliest = min(earliest ?? .distantFuture, host.earliestStart)
                    continue
                }
                hosts[number].earliestStart = now + limits.spacing
            }
            hosts[number].running += 1
            running += 1
            return .start(removeTarget(at: place))
        }
        return earliest.map { .wait(max($0 - now, .milliseconds(1))) } ?? .awaitEnd
    }

    /// Called when a fetch has ended.
    /// - Parameter retryAfter: seconds for which the host accepts no more requests (429 or 503 with `Retry-After`); its
    ///   queued targets are postponed.
    mutating func ended(_ target: Int, retryAfter: Int64? = nil) {
        let number = hostOfTarget[target]
        hosts[number].running -= 1
        running -= 1
        left -= 1
        if let retryAfter { hosts[number].retryAfter = max(retryAfter, hosts[number].retryAfter ?? 0) }
    }

    /// Takes the next target of a host, which then waits for its next turn.
    private mutating func removeTarget(at place: Int) -> Int {
        let number = waiting.remove(at: place)
        let target = hosts[number].queue[hosts[number].head]
        hosts[number].head += 1
        if hosts[number].head < hosts[number].queue.count { waiting.append(number) }
        return target
    }
}
