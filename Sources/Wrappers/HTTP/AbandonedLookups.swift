internal import PodcastModel

/// Name lookups abandoned before their answer. Each still occupies a thread of libcurl until the system's resolver
/// gives up too. Their number is limited, so that hanging names cannot use up the threads.
struct AbandonedLookups {
    /// A refresh of 64 feeds at a time whose names all hang stays below this limit.
    static let maximum = 256
    /// A lookup counts as ended after this time: by default resolv.conf(5) asks three servers twice for 5 s each.
    static let lifetime = Duration.seconds(60)

    /// Times of abandoning, oldest first.
    private var instants: [Instant] = []

    mutating func add(at now: Instant) { instants.append(now) }

    mutating func areTooMany(at now: Instant) -> Bool {
        instants.removeAll { $0 + Self.lifetime <= now }
        return instants.count >= Self.maximum
    }
}
