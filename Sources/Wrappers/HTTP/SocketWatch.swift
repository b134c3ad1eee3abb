internal import Glibc
internal import Synchronization
internal import SystemCalls

/// The sockets of an `HTTPMulti`, and a thread that disconnects peers that keep libcurl busy without content.
///
/// OpenSSL reads messages without content (KeyUpdate, NewSessionTicket: RFC 8446, 4.6) until none is left, so a peer that sends them
/// fast enough keeps curl_multi_perform(3) from returning: no time limit is checked, and no other transfer continues. Extensions of
/// chunks (RFC 9112, 7.1.1) let the calls return, but libcurl reads them without a limit.
///
/// Both use CPU time. Therefore this thread sleeps on the process's CPU clock: an idle process is not woken, and time in which the
/// process was stopped, suspended or not scheduled does not count against the peer.
final class SocketWatch: Sendable {
    /// CPU time of the process between two checks.
    private static let interval = Duration.milliseconds(100)
    /// A connection is shut down after this number of successive checks within one call of curl_multi_perform(3) in
    /// which it received more than all transfers were given. A call with content reads at most 100 buffers from a
    /// connection, which takes milliseconds.
    static let maximumEmptyChecks = 3
    /// Maximum bytes of a connection in successive checks without content, in any number of calls.
    static let maximumEmptyBytes: UInt64 = 16 << 20

    private struct Connection {
        /// Bytes read from the socket, at the last check.
        var consumed: UInt64 = 0
        var emptyChecks = 0
        var emptyBytes: UInt64 = 0
    }

    private struct State {
        var connections: [Int32: Connection] = [:]
        var round: UInt64 = 0
        var hasThread = false
        var isFinished = false
    }

    /// Counts the beginnings and ends of curl_multi_perform(3): odd while it runs.
    private let round = Atomic<UInt64>(0)
    /// Bytes of heads and bodies that transfers received since the last check.
    private let delivered = Atomic<UInt64>(0)
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
    func deliver(_ count: Int) { delivered.wrappingAdd(UInt64(count), ordering: .relaxed) }

    /// Starts to watch a new socket. The thread starts with the first socket.
    func opened(_ socket: Int32) {
        state.withLock { state in
            state.connections[socket] = Connection()
            guard !state.hasThread, startsThread else { return }
            // Without room for a thread there is no watch; the next socket tries again.
            let thread = try? DedicatedThread(name: .httpWatch) { [self] in watch() }
            state.hasThread = thread != nil
            thread?.detach()
        }
    }

    /// close(2), under the lock, so that the number cannot belong to another socket when it is shut down.
    func close(_ socket: Int32) -> Int32 {
        state.withLock { state in
            state.connections[socket] = nil
            return Glibc.close(socket)
        }
    }

    /// The thread ends after some CPU time.
    func finish() { state.withLock { $0.isFinished = true } }

    // MARK: Any thread

    /// Shuts all connections down, so that a blocked round returns.
    func shutDownAll() { state.withLock { state in state.connections.keys.forEach { StreamSocket.shutdown($0) } } }

    // MARK: The watching thread

    private func watch() {
        while state.withLock({ !$0.isFinished }) {
            ProcessFigures.sleep(processorTime: Self.interval)
            check()
        }
    }

    /// Compares the bytes that each connection received since the last check with the bytes that transfers were given.
    func check() {
        let number = round.load(ordering: .relaxed)
        let content = delivered.exchange(0, ordering: .relaxed)
        state.withLock { state in
            let isSame = number == state.round && number % 2 == 1
            state.round = number
            for (socket, var connection) in state.connections {
                let consumed = StreamSocket.consumedBytes(socket)
                let brought = consumed > connection.consumed ? consumed - connection.consumed : 0
                // Framing is smaller than content, except in an attack.
                let isEmpty = brought > 2 * content
                connection.emptyChecks = isSame && isEmpty ? connection.emptyChecks + 1 : 0
                connection.emptyBytes = isEmpty ? connection.emptyBytes + brought : 0
                connection.consumed = consumed
                state.connections[socket] = connection
                if connection.emptyChecks >= Self.maximumEmptyChecks || connection.emptyBytes > Self.maximumEmptyBytes {
                    StreamSocket.shutdown(socket)
                }
            }
        }
    }
}
