internal import Synchronization
internal import SystemCalls

/// The addresses of this machine on the internet. What listens on them for the machine's own use, or for that of its
/// neighbours, can often be reached from here although a firewall keeps strangers out.
final class OwnAddresses: Sendable {
    /// Nanoseconds for which an answer of the system holds: interfaces come and go, and requests are many.
    static let lifetime: Int64 = 10_000_000_000

    /// Those of this machine.
    static let ofMachine = OwnAddresses(
        read: { (try? NetworkInterfaces.addresses()) ?? [] }, now: { monotonicNanoseconds() })

    private struct Known {
        var addresses: [InternetAddress] = []
        var until = Int64.min
    }

    private let read: @Sendable () -> [[UInt8]]
    private let now: @Sendable () -> Int64
    private let known = Mutex(Known())

    /// - Parameters:
    ///   - read: asks for the addresses of all interfaces.
    ///   - now: CLOCK_MONOTONIC nanoseconds.
    init(read: @escaping @Sendable () -> [[UInt8]], now: @escaping @Sendable () -> Int64) {
        self.read = read
        self.now = now
    }

    /// Whether an address is one of this machine or, for IPv6, of its network: the first 64 bits (RFC 4291, 2.5.4).
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
        return own.contains { one in
            one.bytes.count == bytes.count && one.bytes.prefix(8).elementsEqual(bytes.prefix(8))
        }
    }
}
