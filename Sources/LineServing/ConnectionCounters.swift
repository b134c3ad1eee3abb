internal import Synchronization

/// What a control server counts. It is changed on the server's thread and may be read on any.
public final class ConnectionCounters: Sendable {
    /// What was counted.
    public struct Values: Equatable, Sendable {
        /// Connections now.
        public var open = 0
        /// Connections that were taken in.
        public var accepted = 0
        /// Connections without permission, or beyond the limit.
        public var refused = 0
        /// Events given to connections.
        public var sentEvents = 0
        /// Events that a connection did not get, because it had not read what came before.
        public var droppedEvents = 0

        /// Nothing was counted.
        public init() {}
    }

    let accepted = Atomic(0)
    let closed = Atomic(0)
    let refused = Atomic(0)
    let sentEvents = Atomic(0)
    let droppedEvents = Atomic(0)

    /// Counters at zero.
    public init() {}

    /// The counts now.
    public var values: Values {
        var values = Values()
        let closed = closed.load(ordering: .relaxed)
        values.accepted = accepted.load(ordering: .relaxed)
        values.open = max(0, values.accepted - closed)
        values.refused = refused.load(ordering: .relaxed)
        values.sentEvents = sentEvents.load(ordering: .relaxed)
        values.droppedEvents = droppedEvents.load(ordering: .relaxed)
        return values
    }
}

extension Atomic where Value == Int {
    /// One more.
    func count() { wrappingAdd(1, ordering: .relaxed) }
}
