internal import PodcastModel
internal import Synchronization
internal import SystemCalls

/// Public addresses of this machine: services on them are often reachable from here although a firewall blocks others.
final class OwnAddresses: Sendable {
    /// The list of addresses is kept for this time: interfaces change, but requests are frequent.
    static let lifetime = Duration.seconds(10)

    static let ofMachine = OwnAddresses(read: { (try? NetworkInterfaces.addresses()) ?? [] }, now: { .now })

    private struct Known {
        var addresses: [InternetAddress] = []
        var until = Instant.distantPast
    }

    private let read: @Sendable () -> [[UInt8]]
    private let now: @Sendable () -> Instant
    private let known = Mutex(Known())

    /// - Parameters:
    ///   - read: returns the addresses of all interfaces.
    ///   - now: returns the time on CLOCK_MONOTONIC.
    init(read: @escaping @Sendable () -> [[UInt8]], now: @escaping @Sendable () -> Instant) {
        self.read = read
        self.now = now
    }

    /// True for an address of this machine or, for IPv6, of its network: the first 64 bits (RFC 4291, 2.5.4).
    func contains(_ address: InternetAddress) -> Bool {
        let now = now()
        let own = known.withLock { known in
            if now >= known.until {
                known = Known(
                    addresses: read().compactMap { InternetAddress(bytes: $0)?.effective }.filter(\.isPublic),
                    until: now + Self.lifetime)
            }
            return known.addresses
        }
        let bytes = address.effective.bytes
        return own.contains { $0.bytes.count == bytes.count && $0.bytes.prefix(8) == bytes.prefix(8) }
    }
}
