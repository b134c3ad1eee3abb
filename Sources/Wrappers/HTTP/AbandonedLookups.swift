/// Name lookups abandoned before their answer. Each still occupies a thread of libcurl until the system's resolver gives up
/// too. Their number is limited, so that names that hang cannot use up the threads.
struct AbandonedLookups {
    /// A refresh of 64 feeds at a time whose names all hang stays below this limit.
    static let maximum = 256
    /// Nanoseconds after which a lookup counts as ended: by default resolv.conf(5) asks three servers twice for 5 s each.
    static let lifetime: Int64 = 60_000_000_000

    /// When they were abandoned, oldest first; CLOCK_MONOTONIC nanoseconds.
    private var instants: [Int64] = []

    mutating func add(at now: Int64) { instants.append(now) }

    mutating func areTooMany(at now: Int64) -> Bool {
        instants.removeAll { $0 <= now - Self.lifetime }
        return instants.count >= Self.maximum
    }
}
