internal import MediaPorts
internal import Synchronization
internal import SystemCalls

/// Events from the sink thread to the thread that calls the event handler. There are none between two chunks, so a lock is enough: the
/// other thread holds it only while it takes the messages.
final class EventQueue: Sendable {
    enum Message {
        case event(RendererEvent)
        /// The producer has ended; no message follows.
        case end
    }

    private let messages = Mutex<[Message]>([])
    let wakeUp: EventDescriptor

    init() throws(SystemError) { wakeUp = try EventDescriptor() }

    func put(_ message: Message) {
        messages.withLock { $0.append(message) }
        wakeUp.signal()
    }

    /// Removes and returns all messages, oldest first.
    func take() -> [Message] { messages.withLock { exchange(&$0, with: []) } }
}
