internal import ControlProtocol
internal import Glibc
internal import SystemCalls

/// The server's thread. Everything here belongs to it alone.
final class ServerLoop {
    private static let bellToken: UInt64 = 0
    /// Listeners have the tokens from 1; connections those from here on.
    private static let firstConnection: UInt64 = 1 << 16

    /// Nanoseconds without a failure to accept after which the next one is reported again.
    static let shortageEnds: Int64 = 60_000_000_000

    private let shared: Shared
    let host: ControlSession.Host
    let policy: any PermissionPolicy
    let limits: ControlServer.Limits
    let counters: ConnectionCounters
    let poll: EventPoll
    let accept: ControlServer.Accept
    let report: @Sendable (String) -> Void
    private(set) var listeners: [ControlListener] = []
    var connections: [UInt64: Connection] = [:]
    var shares: ConnectionShares
    var nextToken = ServerLoop.firstConnection
    let spares = SpareDescriptors()
    /// When the listeners are polled again; nil while they are.
    var resumeListening: Int64?
    var lastShortage: Int64?
    private var watchers = [Int](repeating: 0, count: StatusPart.allCases.count)
    private var schedule: EventSchedule
    private var sequence: UInt64 = 0
    private var lastEvent = [[UInt8]](repeating: [], count: StatusPart.allCases.count)
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)

    init(
        shared: Shared, host: ControlSession.Host, policy: any PermissionPolicy, limits: ControlServer.Limits,
        counters: ConnectionCounters, accept: @escaping ControlServer.Accept,
        report: @escaping @Sendable (String) -> Void
    ) throws(SystemError) {
        self.counters = counters
        self.accept = accept
        self.report = report
        shares = ConnectionShares(limits)
        self.shared = shared
        self.host = host
        self.policy = policy
        self.limits = limits
        poll = try EventPoll()
        schedule = EventSchedule(interval: limits.eventInterval)
    }

    deinit { buffer.deallocate() }

    /// Begins to wait for the bell and the listeners; before `run`, on any thread.
    func prepare(_ listeners: [ControlListener]) throws(SystemError) {
        self.listeners = listeners
        try poll.add(shared.bell.raw, token: Self.bellToken, for: .readable)
        for (index, listener) in listeners.enumerated() {
            try poll.add(listener.descriptor.raw, token: UInt64(index) + 1, for: .readable)
        }
    }

    /// Serves until the server is stopped.
    func run() {
        while !shared.mustStop {
            do throws(SystemError) {
                try poll.wait(milliseconds: timeToNextEvent()) { token, readiness in
                    handle(token, readiness)
                    closeOverdrawn()
                }
            } catch {
                // Only a descriptor that is none or memory that is none could be the cause.
                assertionFailure("epoll_wait: \(error)")
                break
            }
            for one in shared.takeFinished() { finish(one) }
            closeOverdrawn()
            resumeIfDue()
            tellChanges()
        }
        for token in Array(connections.keys) { close(token) }
        listeners = []
    }

    private func handle(_ token: UInt64, _ readiness: EventPoll.Readiness) {
        if token == Self.bellToken {
            shared.bell.clear()
            for answer in shared.takeAsked() { answer() }
        } else if token < Self.firstConnection {
            acceptAll(listeners[Int(token) - 1])
        } else if let connection = connections[token] {
            if readiness.contains(.writable), !flush(connection, token) { return }
            if !readiness.isDisjoint(with: [.readable, .failed]) { receive(connection, token) }
            // A peer that is gone altogether would keep the thread awake until its last command is answered; what it
            // had sent behind that one is not begun.
            if !readiness.isDisjoint(with: .failed), connections[token] != nil, !canTake(connection) { close(token) }
        }
    }

    // MARK: reading

    private func receive(_ connection: Connection, _ token: UInt64) {
        // A bound for each turn: whoever sends without end takes turns with the others.
        for _ in 0..<4 {
            guard canTake(connection) else { break }
            switch Result(catching: { () throws(SystemError) in
                try LocalSocket.receive(connection.descriptor.raw, into: buffer)
            }) {
            case .success(.bytes(let count)):
                let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                take(bytes, connection)
                if count < buffer.count {
                    _ = flush(connection, token)
                    return
                }
            case .success(.wouldWait):
                _ = flush(connection, token)
                return
            case .success(.ended):
                connection.hasEnded = true
                _ = flush(connection, token)
                return
            case .failure:
                close(token)
                return
            }
        }
        _ = flush(connection, token)
    }

    private func canTake(_ connection: Connection) -> Bool {
        !connection.isClosing && !connection.hasEnded && canAnswer(connection)
    }

    /// Whether another line may be taken: the one before is answered, and the client reads its answers.
    private func canAnswer(_ connection: Connection) -> Bool {
        !connection.session.isWaiting && connection.output.count < limits.unreadReplies
    }

    /// Takes what came. Usually that is whole lines and nothing is kept: then they are read where they lie.
    private func take(_ bytes: UnsafeRawBufferPointer, _ connection: Connection) {
        var rest = bytes
        if connection.input.count == 0 {
            while canAnswer(connection), let end = InputBuffer.lineBreak(in: rest, from: 0) {
                answer(UnsafeRawBufferPointer(rebasing: rest[..<end]), connection)
                rest = UnsafeRawBufferPointer(rebasing: rest[(end + 1)...])
            }
        }
        if rest.isEmpty || connection.isClosing { return }
        connection.input.append(rest)
        takeKept(connection)
    }

    /// Takes lines that were kept, as far as they may be taken now.
    private func takeKept(_ connection: Connection) {
        guard connection.input.count > 0, canAnswer(connection), !connection.isClosing else { return }
        // Moved out, because answering a line may end the connection and clear its input.
        var input = InputBuffer()
        swap(&input, &connection.input)
        var mayGoOn = true
        input.takeLines { line in
            answer(line, connection)
            mayGoOn = canAnswer(connection) && !connection.isClosing
            return mayGoOn
        }
        if connection.isClosing { return }
        swap(&input, &connection.input)
        if mayGoOn, connection.input.count > limits.line { refuseLine(connection) }
    }

    private func answer(_ line: UnsafeRawBufferPointer, _ connection: Connection) {
        if line.count > limits.line { return refuseLine(connection) }
        let before = connection.session.parts
        connection.output.write { bytes in
            connection.session.take(line: line, host: host, sequence: sequence, output: &bytes)
        }
        noteWatching(before, connection.session.parts)
    }

    private func refuseLine(_ connection: Connection) {
        connection.output.append(
            Outgoing.errorLine(
                ControlError(
                    .invalidRequest, "a line is longer than \(limits.line) bytes",
                    hint: "this connection is closed; send less at a time")))
        connection.isClosing = true
        connection.input.removeAll()
    }

    private func finish(_ one: Shared.Finished) {
        guard let connection = connections[one.connection.rawValue] else { return }
        let before = connection.session.parts
        connection.output.write { bytes in
            connection.session.finish(one.call, one.result, host: host, sequence: sequence, output: &bytes)
        }
        noteWatching(before, connection.session.parts)
        _ = flush(connection, one.connection.rawValue)
    }

    // MARK: writing

    /// Sends what is to be sent, goes on with lines that waited for that, and says what to wait for next.
    /// - Returns: false when the connection is gone.
    func flush(_ connection: Connection, _ token: UInt64) -> Bool {
        defer { noteMemory(connection, token) }
        while true {
            guard connection.output.send(to: connection.descriptor.raw) else {
                close(token)
                return false
            }
            if connection.output.isEmpty, !connection.missed.isEmpty {
                for part in connection.missed.intersection(connection.session.parts).members {
                    counters.sentEvents.count()
                    connection.output.append(lastEvent[Int(part.rawValue)])
                }
                connection.missed = []
                continue
            }
            let waiting = connection.input.count
            takeKept(connection)
            if connection.input.count == waiting { break }
        }
        let isDone = connection.isClosing || (connection.hasEnded && !connection.session.hasCalls)
        if isDone && connection.output.isEmpty {
            close(token)
            return false
        }
        var interest: EventPoll.Readiness = canTake(connection) ? .readable : []
        if !connection.output.isEmpty { interest.insert(.writable) }
        if interest != connection.interest {
            connection.interest = interest
            guard (try? poll.change(connection.descriptor.raw, token: token, to: interest)) != nil else {
                close(token)
                return false
            }
        }
        return true
    }

    private func close(_ token: UInt64) {
        guard let connection = connections.removeValue(forKey: token) else { return }
        shares.close(connection.session.caller.peer, connection.place, bytes: connection.notedBytes)
        counters.closed.count()
        noteWatching(connection.session.parts, [])
        host.dispatcher.connectionEnded(ConnectionID(token))
    }

    // MARK: memory

    private func noteMemory(_ connection: Connection, _ token: UInt64) {
        guard connections[token] != nil else { return }
        let bytes = connection.heldBytes
        shares.holds(bytes, before: connection.notedBytes, connection.session.caller.peer)
        connection.notedBytes = bytes
    }

    /// Closes connections of users who leave more unfinished or unread than they may.
    private func closeOverdrawn() {
        for user in shares.overdrawn {
            let theirs = connections.filter { $1.session.caller.peer.user == user }
            let error = ControlError(
                .unavailable,
                "unfinished requests and unread answers of user \(user) take more than \(limits.bytesPerUser) bytes",
                hint: "end each request with a line break and read the answers; this connection is closed")
            for token in shares.excess(theirs.map { ($0, $1.heldBytes) }) {
                guard let connection = theirs[token] else { continue }
                // Behind a part of an answer an error could not be read.
                if connection.output.isEmpty {
                    connection.output.append(Outgoing.errorLine(error))
                    _ = connection.output.send(to: connection.descriptor.raw)
                }
                close(token)
            }
        }
    }

    // MARK: events

    private func noteWatching(_ before: StatusParts, _ after: StatusParts) {
        if before == after { return }
        var unwatched: StatusParts = []
        for part in after.subtracting(before).members { watchers[Int(part.rawValue)] += 1 }
        for part in before.subtracting(after).members {
            watchers[Int(part.rawValue)] -= 1
            if watchers[Int(part.rawValue)] == 0 { unwatched.insert(StatusParts(part)) }
        }
        if !unwatched.isEmpty { shared.unwatch(unwatched) }
    }

    private func timeToNextEvent() -> Int32? {
        let changed = shared.changedParts
        if changed.isEmpty && resumeListening == nil { return nil }
        let now = monotonicNanoseconds()
        guard let deadline = [schedule.deadline(changed, at: now), resumeListening].compactMap({ $0 }).min() else {
            return nil
        }
        return Int32(clamping: (max(0, deadline - now) + 999_999) / 1_000_000)
    }

    private func tellChanges() {
        let changed = shared.changedParts
        if changed.isEmpty { return }
        for part in schedule.due(changed, at: monotonicNanoseconds()).members {
            shared.take(StatusParts(part))
            guard watchers[Int(part.rawValue)] > 0 else { continue }
            sequence += 1
            let event = Outgoing.event(part, sequence: sequence, value: host.status.value(of: part))
            lastEvent[Int(part.rawValue)] = event
            for (token, connection) in connections where connection.session.parts.contains(part) {
                if connection.output.isEmpty {
                    counters.sentEvents.count()
                    connection.output.append(event)
                    _ = flush(connection, token)
                } else {
                    // A part that is missed already has its older value left out for good.
                    if connection.missed.contains(part) { counters.droppedEvents.count() }
                    connection.missed.insert(StatusParts(part))
                }
            }
        }
    }
}
