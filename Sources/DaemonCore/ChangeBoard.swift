internal import ControlLanguage
internal import SerialThreads

/// Where parts say that something changed which clients follow. From any thread; returns at once.
final class ChangeBoard: Sendable {
    private let listener = Listener<StatusPart>()

    /// Who is told from now on: the control server, once there is one.
    func connect(_ publish: @escaping @Sendable (StatusPart) -> Void) { listener.connect(publish) }

    /// Says that a part changed.
    func changed(_ part: StatusPart) { listener.emit(part) }
}
