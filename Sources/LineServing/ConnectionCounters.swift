internal import Synchronization

/// Counts the connections of a server. Written by the server's thread, readable from any thread.
public final class ConnectionCounters: Sendable {
    public struct Values: Equatable, Sendable {
        public var open = 0
        /// Connections since the start.
        public var accepted = 0
        /// Connections without permission or beyond a limit.
        public var refused = 0
    }

    let accepted = Atomic(0)
    let closed = Atomic(0)
    let refused = Atomic(0)

    public init() {}

    public var values: Values {
        let closed = closed.load(ordering: .relaxed)
        let accepted = accepted.load(ordering: .relaxed)
        return Values(
            open: max(0, accepted - closed), accepted: accepted, refused: refused.load(ordering: .relaxed))
    }
}

extension Atomic where Value == Int {
    func increment() { wrappingAdd(1, ordering: .relaxed) }
}
