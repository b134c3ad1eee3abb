/// When a client connects, waits and gives up: a value that gets events and returns actions, without clock or I/O.
public struct ConnectionMachine: Equatable, Sendable {
    /// Where the connection is. `failures` counts the connections since the last greeting that failed or ended.
    public enum State: Equatable, Sendable {
        /// Neither connected nor trying. Next: connecting.
        case closed
        /// Connecting. Next: greeting, waiting, failed.
        case connecting(failures: Int)
        /// Connected; requests may be sent, but the daemon's `hello` has not come. Next: open, waiting, failed, closed.
        case greeting(failures: Int)
        /// The daemon has greeted. Next: waiting, failed, closed.
        case open
        /// Waiting for the next attempt. Next: connecting, closed.
        case waiting(failures: Int)
        /// Given up. Next: connecting.
        case failed(ClientFailure)
    }

    public enum Event: Equatable, Sendable {
        case start
        /// connect(2) succeeded.
        case connected
        /// `hello` came, with the protocol version of this client.
        case greeted
        case lost(ClientFailure)
        /// The time to wait is over.
        case retry
        case stop
    }

    public enum Action: Equatable, Sendable {
        /// Connect, and report `connected` or `lost`.
        case connect
        /// Subscribe to the parts that are watched.
        case subscribe
        /// Close the socket and fail the calls that wait for a reply.
        case disconnect(ClientFailure)
        /// Report `retry` after this time.
        case wait(Duration)
    }

    /// Delay before the second attempt; the delay doubles with each further attempt.
    static let firstDelay = Duration.milliseconds(100)
    /// The longest delay. A client notices a started daemon after this time at the latest.
    static let longestDelay = Duration.seconds(5)

    public private(set) var state = State.closed
    private let reconnects: Bool

    /// - Parameter reconnects: whether the machine tries again after failures that may pass.
    public init(reconnects: Bool) { self.reconnects = reconnects }

    /// Takes an event. Events that come too late for the state have no effect.
    public mutating func handle(_ event: Event) -> [Action] {
        switch (state, event) {
        case (.closed, .start), (.failed, .start):
            state = .connecting(failures: 0)
            return [.connect]
        case (.connecting(let failures), .connected):
            state = .greeting(failures: failures)
            return [.subscribe]
        case (.greeting, .greeted):
            state = .open
            return []
        case (.connecting(let failures), .lost(let failure)), (.greeting(let failures), .lost(let failure)):
            return lose(failure, failures: failures)
        case (.open, .lost(let failure)): return lose(failure, failures: 0)
        case (.waiting(let failures), .retry):
            state = .connecting(failures: failures)
            return [.connect]
        case (.connecting, .stop), (.greeting, .stop), (.open, .stop), (.waiting, .stop):
            state = .closed
            return [.disconnect(.closed)]
        case (.closed, _), (.connecting, _), (.greeting, _), (.open, _), (.waiting, _), (.failed, _): return []
        }
    }

    private mutating func lose(_ failure: ClientFailure, failures: Int) -> [Action] {
        guard reconnects, failure.isTemporary else {
            state = .failed(failure)
            return [.disconnect(failure)]
        }
        state = .waiting(failures: failures + 1)
        // Shifting further than this would be longer than the longest delay anyway.
        let delay = min(Self.firstDelay * (1 << min(failures, 16)), Self.longestDelay)
        return [.disconnect(failure), .wait(delay)]
    }
}
