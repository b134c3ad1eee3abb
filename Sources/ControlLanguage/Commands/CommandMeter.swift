/// Takes the times that the commands of one section take. Any thread; returns at once.
public protocol CommandMeter: Sendable {
    /// Monotonic nanoseconds.
    var now: Int64 { get }
    /// A command was answered.
    func answered(nanoseconds: Int64, isFailure: Bool)
}
