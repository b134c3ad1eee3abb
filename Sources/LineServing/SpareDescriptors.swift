internal import Glibc
internal import SystemCalls

/// Open spare descriptors, which are closed to accept connections when the process has reached its limit.
final class SpareDescriptors {
    /// One descriptor is always kept to refuse connections with; the others serve the owner's connections.
    private static let maximum = 8

    private final class Spare {
        let descriptor: FileDescriptor
        init() throws(SystemError) { descriptor = try FileDescriptor.open("/dev/null", O_RDONLY) }
    }

    private var spares: [Spare] = []

    init() { refill() }

    /// Opens the missing ones, as far as the limit allows.
    func refill() {
        while spares.count < Self.maximum, let spare = try? Spare() { spares.append(spare) }
    }

    /// True if a spare to refuse connections with remains after one more connection.
    var sufficesForConnection: Bool { spares.count >= 1 }

    /// Closes one; false if there is none.
    func giveUpOne() -> Bool { spares.popLast() != nil }
}
