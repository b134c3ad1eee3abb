internal import ControlLanguage
internal import SerialThreads

/// Parts report here what clients watch. Any thread; returns at once.
final class ChangeBoard: Sendable {
    private let listener = Listener<StatusPart>()

    /// Sets the receiver: the control server, once it exists.
    func connect(_ publish: @escaping @Sendable (StatusPart) -> Void) { listener.connect(publish) }

    func changed(_ part: StatusPart) { listener.emit(part) }
}
