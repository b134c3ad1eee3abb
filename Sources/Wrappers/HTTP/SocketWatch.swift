internal import Glibc
internal import Synchronization
internal import SystemCalls

/// The sockets of an `HTTPMulti`, and a thread that disconnects peers that keep libcurl busy.
///
/// libcurl reads an HTTP/2 connection until nothing is left to read or content has arrived. A peer that sends frames
/// without content fast enough (WINDOW_UPDATE, PRIORITY, PING, SETTINGS, empty DATA) keeps curl_multi_perform(3) from
/// returning, so that no time limit is checked, `CURLOPT_LOW_SPEED_LIMIT` included, and no other transfer continues (`FloodTests`). Such
/// a call uses CPU time. Therefore this thread sleeps on the process's CPU clock: an idle process is not woken, and time in which the process was
/// stopped, suspended or not scheduled does not count against the peer.
final class SocketWatch: Sendable {
    /// CPU time of the process between two checks.
    private static let interval = Duration.milliseconds(100)
    /// A connection is shut down after this number of successive checks within one call of curl_multi_perform(3) in
    /// which it received more than it delivered. A call with content reads at most 100 buffers from a connection, which
    /// takes milliseconds.
    static let maximumEmptyChecks = 3
    /// Maximum bytes of a connection in successive checks without content, in any number of calls: with chunk
    /// extensions and padding every call returns.
    static let maximumEmptyBytes: UInt64 = 16 << 20

    /// Identifies a connection also after its socket's number was reused.
    struct ConnectionID: Equatable {
        fileprivate let socket: Int32
        fileprivate let number: UInt64
    }

    private struct Connection {
        let address: InternetAddress
        let number: UInt64
        /// Bytes read from the socket, at the last check.
        var consumed: UInt64 = 0
        /// Bytes of heads and bodies that transfers received since the last check.
        var delivered: UInt64 = 0
        var emptyChecks = 0
        var emptyBytes: UInt64 = 0
    }

    private enum WatchThread {
        case none
        case running
        /// Ends after the next check.
        case stopping
    }

    private struct State {
        var connections: [Int32: Connection] = [:]
        var lastNumber: UInt64 = 0
        /// Numbers of connections shut down as floods, at most 16: transfers ask directly after the round.
        var flooded: [UInt64] = []
        var round: UInt64 = 0
        /// Bytes delivered since the last check on unidentified connections; they count for every connection.
        var unattributed: UInt64 = 0
        var thread = WatchThread.none
    }

    /// Counts the beginnings and ends of curl_multi_perform(3): odd while it runs.
    private let round = Atomic<UInt64>(0)
    private let state = Mutex(State())
    private let startsThread: Bool

    /// Without a thread, checks only when `check` is called.
    init(startsThread: Bool = true) { self.startsThread = startsThread }

    // MARK: The transfers' thread

    /// Runs curl_multi_perform(3).
    func round<Result, Failure>(_ perform: () throws(Failure) -> Result) throws(Failure) -> Result {
        round.wrappingAdd(1, ordering: .relaxed)
        defer { round.wrappingAdd(1, ordering: .relaxed) }
        return try perform()
    }

    /// Counts bytes that a transfer received.
    func deliver(_ count: Int, from connection: ConnectionID?) {
        state.withLock { state in
            guard let connection else { return state.unattributed += UInt64(count) }
            guard state.connections[connection.socket]?.number == connection.number else { return }
            state.connections[connection.socket]?.delivered += UInt64(count)
        }
    }

    /// Starts to watch a new socket. The thread starts with the first socket.
    func opened(_ socket: Int32, to address: InternetAddress) {
        state.withLock { state in
            state.lastNumber += 1
            state.connections[socket] = Connection(address: address, number: state.lastNumber)
            guard state.thread == .none, startsThread else { return }
            // Without room for a thread there is no watch; the next socket tries again.
            let thread = try? DedicatedThread(name: .httpWatch) { [self] in watch() }
            guard let thread else { return }
            thread.detach()
            state.thread = .running
        }
    }

    /// close(2), under the lock, so that the number cannot belong to another socket when it is shut down.
    func close(_ socket: Int32) -> Int32 {
        state.withLock { state in
            state.connections[socket] = nil
            return Glibc.close(socket)
        }
    }

    func connection(to address: InternetAddress, from port: UInt16) -> ConnectionID? {
        state.withLock { state in
            state.connections.first { $1.address == address && InternetListener.port(of: $0) == port }
                .map { ConnectionID(socket: $0.key, number: $0.value.number) }
        }
    }

    /// True if the connection was closed because its peer sent no content.
    func wasFlooded(_ connection: ConnectionID) -> Bool {
        state.withLock { $0.flooded.contains(connection.number) }
    }

    /// The thread ends after some CPU time.
    func finish() { state.withLock { $0.thread = .stopping } }

    // MARK: Any thread

    /// Shuts all connections down, so that a blocked round returns.
    func shutDownAll() {
        state.withLock { state in state.connections.keys.forEach { StreamSocket.shutdown($0) } }
    }

    // MARK: The watching thread

    private func watch() {
        while state.withLock({ $0.thread == .running }) {
            ProcessFigures.sleep(processorTime: Self.interval)
            check()
        }
    }

    /// Compares the bytes that each connection received since the last check with the bytes that it delivered.
    func check() {
        let number = round.load(ordering: .relaxed)
        state.withLock { state in
            let isSame = number == state.round && number % 2 == 1
            state.round = number
            for (socket, var connection) in state.connections {
                let consumed = StreamSocket.consumedBytes(socket)
                let brought = consumed > connection.consumed ? consumed - connection.consumed : 0
                // Framing is smaller than content, except in an attack.
                let isEmpty = brought > 2 * (connection.delivered + state.unattributed)
                connection.emptyChecks = isSame && isEmpty ? connection.emptyChecks + 1 : 0
                connection.emptyBytes = isEmpty ? connection.emptyBytes + brought : 0
                (connection.consumed, connection.delivered) = (consumed, 0)
                state.connections[socket] = connection
                if connection.emptyChecks >= Self.maximumEmptyChecks || connection.emptyBytes > Self.maximumEmptyBytes {
                    state.flooded = state.flooded.suffix(15) + [connection.number]
                    StreamSocket.shutdown(socket)
                }
            }
            state.unattributed = 0
        }
    }
}
