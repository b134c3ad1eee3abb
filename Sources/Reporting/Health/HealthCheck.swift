/// A check; it may block on a disk, a device or the network.
public struct HealthCheck: Sendable {
    /// The name under which an unfinished check is reported.
    public let name: String
    /// Called on a separate thread.
    public let run: @Sendable () -> [Finding]

    public init(_ name: String, _ run: @escaping @Sendable () -> [Finding]) {
        self.name = name
        self.run = run
    }
}
