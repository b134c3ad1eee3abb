/// Takes the times that commands of handlers take. Any thread; returns at once.
public protocol CommandMeter: Sendable {
    /// Monotonic nanoseconds.
    var now: Int64 { get }
    /// A command of a section was answered.
    func answered(_ section: CommandDeclaration.Section, nanoseconds: Int64, isFailure: Bool)
}
