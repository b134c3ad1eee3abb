internal import MediaPorts
internal import Synchronization
internal import SystemCalls

/// Events on their way from the sink thread to the thread that tells them: bounded, without a lock.
///
/// Unchecked because the compiler cannot see the protocol: slots between `head` and `tail` belong to the one consumer,
/// the others to the one producer, and each hands a slot over with a release store that the other acquires.
final class EventQueue: @unchecked Sendable {
    /// What travels.
    enum Message {
        case event(RendererEvent)
        /// The producer has left; nothing follows.
        case end
    }

    private static let capacity = 256
    private let slots: UnsafeMutablePointer<Message?>
    private let head = Atomic<Int>(0)
    private let tail = Atomic<Int>(0)
    /// Rings when something was put in.
    let bell: EventDescriptor

    init() throws(SystemError) {
        bell = try EventDescriptor()
        slots = .allocate(capacity: Self.capacity)
        slots.initialize(repeating: nil, count: Self.capacity)
    }

    deinit {
        slots.deinitialize(count: Self.capacity)
        slots.deallocate()
    }

    /// Puts a message in; the producer only. Never waits.
    /// - Returns: false when it is full: try again later.
    func put(_ message: Message) -> Bool {
        let tail = tail.load(ordering: .relaxed)
        guard tail - head.load(ordering: .acquiring) < Self.capacity else { return false }
        slots[tail % Self.capacity] = message
        self.tail.store(tail + 1, ordering: .releasing)
        bell.signal()
        return true
    }

    /// Takes the oldest message; the consumer only.
    func take() -> Message? {
        let head = head.load(ordering: .relaxed)
        guard head < tail.load(ordering: .acquiring) else { return nil }
        let message = slots[head % Self.capacity]
        slots[head % Self.capacity] = nil
        self.head.store(head + 1, ordering: .releasing)
        return message
    }
}
