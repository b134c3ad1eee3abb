internal import Glibc
internal import Synchronization
internal import SystemCalls

/// The sockets of an `HTTPMulti`, and a thread that ends the connection of a peer that holds libcurl up.
///
/// libcurl reads an HTTP/2 connection until there is nothing to read or content has come. A peer that sends frames
/// without content fast enough (WINDOW_UPDATE, PRIORITY, PING, SETTINGS, empty DATA) keeps curl_multi_perform(3) from
/// returning, so that no time limit is looked at and no other transfer goes on. What such a round uses is processor
/// time, so this thread sleeps on the process's CPU clock: an idle process does not wake for it, and one that was
/// stopped, suspended or denied the processor does not take the time that passed for a peer's fault.
final class SocketWatch: Sendable {
    /// Nanoseconds of the process's CPU time between two looks.
    private static let interval: Int64 = 100_000_000
    /// Successive looks within one round in which a connection brought more than it delivered, until it is shut down.
    /// A round with content reads at most 100 buffers from a connection, which takes milliseconds.
    static let patience = 3
    /// Bytes that a connection may bring in successive looks without content, in whatever rounds: chunk extensions and
    /// padding let each round return.
    static let maximumEmptyBytes: UInt64 = 16 << 20

    private struct Connection {
        /// Bytes that were read from the socket, at the last look.
        var consumed: UInt64 = 0
        var emptyLooks = 0
        var emptyBytes: UInt64 = 0
    }

    private struct State {
        var connections: [Int32: Connection] = [:]
        /// Local ports of the connections that were shut down as floods.
        var floodedPorts: [UInt16] = []
        /// The round at the last look, and what had been delivered by then.
        var round: UInt64 = 0
        var delivered: UInt64 = 0
        var isWatching = false
        var isOver = false
    }

    /// Counts the beginnings and ends of curl_multi_perform(3): odd while it runs.
    private let round = Atomic<UInt64>(0)
    /// Bytes of heads and bodies that transfers got.
    private let delivered = Atomic<UInt64>(0)
    private let state = Mutex(State())
    private let startsThread: Bool

    /// A watch over no sockets yet; without a thread it looks only when it is called.
    init(startsThread: Bool = true) { self.startsThread = startsThread }

    // MARK: The transfers' thread

    /// Runs curl_multi_perform(3).
    func round<Result, Failure>(_ perform: () throws(Failure) -> Result) throws(Failure) -> Result {
        round.wrappingAdd(1, ordering: .relaxed)
        defer { round.wrappingAdd(1, ordering: .relaxed) }
        return try perform()
    }

    /// Notes bytes that a transfer got.
    func deliver(_ count: Int) { delivered.wrappingAdd(UInt64(count), ordering: .relaxed) }

    /// Notes a socket that libcurl is given. The thread begins with the first.
    func opened(_ socket: Int32) {
        state.withLock { state in
            state.connections[socket] = Connection()
            if state.isWatching || !startsThread { return }
            // Without room for a thread there is no watch; the next socket tries again.
            let thread = try? DedicatedThread(name: "http watch", stackSize: 128 << 10) { [self] in watch() }
            thread?.detach()
            state.isWatching = thread != nil
        }
    }

    /// Closes a socket that libcurl is done with: close(2). Under the lock, so that its number cannot be another's when
    /// it is shut down.
    func close(_ socket: Int32) -> Int32 {
        state.withLock { state in
            state.connections[socket] = nil
            return Glibc.close(socket)
        }
    }

    /// Whether the connection from a local port was ended because its peer sent no content.
    func wasFlooded(port: UInt16) -> Bool { state.withLock { $0.floodedPorts.contains(port) } }

    /// Ends the thread, some CPU time later.
    func finish() { state.withLock { $0.isOver = true } }

    // MARK: Any thread

    /// Shuts every connection down, so that a round that is held up returns.
    func shutDownAll() {
        state.withLock { state in state.connections.keys.forEach { StreamSocket.shutdown($0) } }
    }

    // MARK: The watching thread

    private func watch() {
        while !state.withLock({ $0.isOver }) {
            ProcessFigures.sleep(processorNanoseconds: Self.interval)
            look()
        }
    }

    /// Compares what the connections brought since the last look with what the transfers got of it.
    func look() {
        let number = round.load(ordering: .relaxed)
        let delivered = delivered.load(ordering: .relaxed)
        state.withLock { state in
            let isSame = number == state.round && number % 2 == 1
            let content = delivered - state.delivered
            (state.round, state.delivered) = (number, delivered)
            for (socket, var connection) in state.connections {
                let consumed = StreamSocket.consumedBytes(socket)
                let brought = consumed > connection.consumed ? consumed - connection.consumed : 0
                // The peer's framing is smaller than its content, unless that is the attack.
                let isEmpty = brought > 2 * content
                connection.emptyLooks = isSame && isEmpty ? connection.emptyLooks + 1 : 0
                connection.emptyBytes = isEmpty ? connection.emptyBytes + brought : 0
                connection.consumed = consumed
                state.connections[socket] = connection
                if connection.emptyLooks >= Self.patience || connection.emptyBytes > Self.maximumEmptyBytes {
                    end(socket, &state)
                }
            }
        }
    }

    private func end(_ socket: Int32, _ state: inout State) {
        if let port = StreamSocket.localPort(socket) {
            state.floodedPorts.append(port)
            // Transfers ask right after the round; ports come back only after tens of thousands of others.
            if state.floodedPorts.count > 16 { state.floodedPorts.removeFirst() }
        }
        StreamSocket.shutdown(socket)
    }
}
