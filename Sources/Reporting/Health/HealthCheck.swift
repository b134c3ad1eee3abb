/// One check; it may block on a disk, a device or the network.
public struct HealthCheck: Sendable {
    /// The name under which a check that does not finish is reported.
    public let name: String
    /// Checks, on its own thread.
    public let run: @Sendable () -> [Finding]

    public init(_ name: String, _ run: @escaping @Sendable () -> [Finding]) {
        self.name = name
        self.run = run
    }
}
