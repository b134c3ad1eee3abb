internal import MediaPorts
internal import Synchronization
internal import SystemCalls

/// Events from the sink thread to the thread that calls the event handler, without locks. Allocates only while the handler is blocked.
///
/// Unchecked because the compiler cannot see the protocol: slots between `head` and `tail` belong to the only consumer,
/// the others to the only producer, and each passes a slot on with a release store that the other one acquires.
final class EventQueue: @unchecked Sendable {
    enum Message {
        case event(RendererEvent)
        /// The producer has ended; no message follows.
        case end
    }

    private static let capacity = 256
    private let slots: UnsafeMutablePointer<Message?>
    /// Messages that did not fit, because the handler is blocked; the producer's.
    private var unsent: [Message] = []
    private let head = Atomic<Int>(0)
    private let tail = Atomic<Int>(0)
    let wakeUp: EventDescriptor

    init() throws(SystemError) {
        wakeUp = try EventDescriptor()
        slots = .allocate(capacity: Self.capacity)
        slots.initialize(repeating: nil, count: Self.capacity)
    }

    deinit {
        slots.deinitialize(count: Self.capacity)
        slots.deallocate()
    }

    /// Adds a message; called by the producer only. Never waits.
    func put(_ message: Message) {
        if unsent.isEmpty, store(message) { return }
        unsent.append(message)
    }

    /// Passes on the messages that did not fit; called by the producer only.
    /// - Returns: false if some still do not fit.
    func flush() -> Bool {
        while let message = unsent.first, store(message) { unsent.removeFirst() }
        return unsent.isEmpty
    }

    private func store(_ message: Message) -> Bool {
        let tail = tail.load(ordering: .relaxed)
        guard tail - head.load(ordering: .acquiring) < Self.capacity else { return false }
        slots[tail % Self.capacity] = message
        self.tail.store(tail + 1, ordering: .releasing)
        wakeUp.signal()
        return true
    }

    /// Called by the consumer only.
    func take() -> Message? {
        let head = head.load(ordering: .relaxed)
        guard head < tail.load(ordering: .acquiring) else { return nil }
        let message = slots[head % Self.capacity]
        slots[head % Self.capacity] = nil
        self.head.store(head + 1, ordering: .releasing)
        return message
    }
}
