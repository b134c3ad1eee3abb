/// Look-ups of names that were given up before their answer. Nobody waits for them, but each still has a thread of
/// libcurl until the system's resolver gives up too: bounded here, so that names that hang cannot use up the threads.
struct AbandonedLookups {
    /// The most at a time. A refresh of 64 feeds at a time whose names all hang stays below it.
    static let maximum = 256
    /// Nanoseconds after which one counts as ended: resolv.conf(5) tries three servers twice for 5 s each by default.
    static let lifetime: Int64 = 60_000_000_000

    /// When they were given up, the oldest first; CLOCK_MONOTONIC nanoseconds.
    private var instants: [Int64] = []

    /// Notes one.
    mutating func add(at now: Int64) { instants.append(now) }

    /// Whether another look-up has to wait until some have ended.
    mutating func areTooMany(at now: Int64) -> Bool {
        instants.removeAll { $0 <= now - Self.lifetime }
        return instants.count >= Self.maximum
    }
}
