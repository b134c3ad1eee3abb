internal import Glibc
internal import PodcastModel
internal import SystemCalls

/// The server's loop. Used on the server's thread only.
final class LineLoop {
    private static let wakeToken: UInt64 = 0
    private static let companionToken: UInt64 = 1 << 15
    /// Listeners have the tokens from 1, connections from here on.
    private static let firstConnection: UInt64 = 1 << 16

    let service: any LineService
    let listeners: [LineListener]
    let server: LineServer
    let poll: EventPoll
    let schedule = LineSchedule()
    let spares = SpareDescriptors()
    var connections: [UInt64: LineConnection] = [:]
    var shares: ConnectionShares
    var nextToken = LineLoop.firstConnection
    /// When the listeners are polled again; nil while they are.
    var resumeListening: Instant?
    var lastShortage: Instant?
    private var serviceDeadline: Instant?
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)

    /// May be called from any thread.
    init(_ service: any LineService, _ listeners: [LineListener], of server: LineServer) throws(SystemError) {
        self.service = service
        self.listeners = listeners
        self.server = server
        shares = ConnectionShares(server.limits)
        poll = try EventPoll(capacity: 256)
        try poll.add(server.wakeUp.raw, token: Self.wakeToken, for: .readable)
        for (index, listener) in listeners.enumerated() {
            try poll.add(listener.descriptor.raw, token: UInt64(index) + 1, for: .readable)
        }
    }

    deinit { buffer.deallocate() }

    /// Serves until the server is stopped.
    /// - Throws: if epoll_wait fails, which only programming errors (EBADF, EFAULT) can cause.
    func run() throws(SystemError) {
        defer { for connection in Array(connections.values) { close(connection) } }
        while !server.mustStop {
            try server.limits.calls.willWait()
            try watchCompanion()
            try poll.wait(until: deadline) { token, readiness in
                handle(token, readiness)
                flushScheduled()
                closeOverdrawn()
            }
            passDeadlines()
            flushScheduled()
            closeOverdrawn()
        }
    }

    /// A service's descriptor may have been closed, and another one opened with the same number, which epoll forgets.
    private func watchCompanion() throws(SystemError) {
        guard let companion = service.companion else { return }
        let readiness: EventPoll.Readiness = companion.wantsWriting ? [.readable, .writable] : .readable
        do throws(SystemError) {
            try poll.change(companion.descriptor, token: Self.companionToken, to: readiness)
        } catch  where error.code == ENOENT {
            try poll.add(companion.descriptor, token: Self.companionToken, for: readiness)
        }
    }

    private func handle(_ token: UInt64, _ readiness: EventPoll.Readiness) {
        if token == Self.wakeToken {
            server.wakeUp.clear()
            for answer in server.takeAsked() { answer() }
            if server.takeWake() { serviceDeadline = service.wake() }
        } else if token == Self.companionToken {
            serviceDeadline = service.wake()
        } else if token < Self.firstConnection {
            acceptAll(listeners[Int(token) - 1])
        } else if let connection = connections[token] {
            if readiness.contains(.writable), !flush(connection) { return }
            if !readiness.isDisjoint(with: [.readable, .failed]) { receive(connection) }
            // Otherwise the thread would not sleep until the last request of a closed connection is answered.
            if !readiness.isDisjoint(with: .failed), !canTake(connection) { close(connection) }
        }
    }

    // MARK: receiving

    private func receive(_ connection: LineConnection) {
        connection.isScheduled = true
        // Read a limited number of times, so that other connections are served in between.
        for _ in 0..<4 {
            guard canTake(connection) else { break }
            var file: OpenFile?
            let outcome = Result { () throws(SystemError) in
                connection.session?.takesDescriptors ?? false
                    ? try LocalSocket.receive(connection.descriptor.raw, into: buffer, file: &file)
                    : try LocalSocket.receive(connection.descriptor.raw, into: buffer)
            }
            if let file { connection.session?.received(file) }
            switch outcome {
            case .success(.bytes(let count)):
                take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), connection)
                if count == buffer.count { continue }
            case .success(.wouldWait): break
            case .success(.ended): connection.hasEnded = true
            case .failure: return close(connection)
            }
            break
        }
        _ = flush(connection)
        if connection.input.count == 0 { connection.session?.releaseDescriptor() }
    }

    private func canTake(_ connection: LineConnection) -> Bool { !connection.hasEnded && canAnswer(connection) }

    private func canAnswer(_ connection: LineConnection) -> Bool {
        !connection.isClosing && connection.output.count < server.limits.unreadAnswers
            && connection.session?.canTakeMore ?? false
    }

    /// Processes received bytes. Usually they are complete lines, which are then not copied.
    private func take(_ bytes: UnsafeRawBufferPointer, _ connection: LineConnection) {
        var rest = bytes
        if connection.input.count == 0 {
            while canAnswer(connection), let end = LineBuffer.lineBreak(in: rest, from: 0) {
                process(UnsafeRawBufferPointer(rebasing: rest[..<end]), connection)
                rest = UnsafeRawBufferPointer(rebasing: rest[(end + 1)...])
            }
        }
        if rest.isEmpty || connection.isClosing { return }
        connection.input.append(rest)
        takeKept(connection)
    }

    /// Processes stored lines, as far as they may be processed now.
    private func takeKept(_ connection: LineConnection) {
        guard connection.input.count > 0, canAnswer(connection) else { return }
        // Moved out, because processing a line may close the connection, which clears its input.
        var input = LineBuffer()
        swap(&input, &connection.input)
        while canAnswer(connection), input.takeLine({ process($0, connection) }) != nil {}
        if connection.isClosing { return }
        swap(&input, &connection.input)
        if canAnswer(connection), connection.input.count > server.limits.line { refuseLine(connection) }
    }

    private func process(_ line: UnsafeRawBufferPointer, _ connection: LineConnection) {
        if line.count > server.limits.line { return refuseLine(connection) }
        connection.session?.received(line)
    }

    private func refuseLine(_ connection: LineConnection) {
        connection.write { $0 += service.line(reporting: .lineTooLong(limit: server.limits.line)) }
        connection.close()
    }

    // MARK: sending

    private func flushScheduled() { while let connection = schedule.connections.popLast() { _ = flush(connection) } }

    /// Sends pending bytes, continues with lines that waited for that, and updates the events to wait for.
    /// - Returns: false if the connection is closed.
    @discardableResult
    func flush(_ connection: LineConnection) -> Bool {
        guard let session = connection.session else { return false }
        connection.isScheduled = true
        defer {
            connection.isScheduled = false
            updateShare(connection)
        }
        while true {
            guard connection.output.send(to: connection.descriptor.raw) else {
                close(connection)
                return false
            }
            if connection.isDrained {
                session.drained()
                if !connection.isDrained { continue }
            }
            let waiting = connection.input.count
            takeKept(connection)
            if connection.input.count == waiting { break }
        }
        let isDone = connection.isClosing || (connection.hasEnded && !session.isAnswering)
        if isDone && connection.isDrained {
            close(connection)
            return false
        }
        var interest: EventPoll.Readiness = canTake(connection) ? .readable : []
        if !connection.isDrained { interest.insert(.writable) }
        if interest != connection.interest {
            connection.interest = interest
            guard (try? poll.change(connection.descriptor.raw, token: connection.id, to: interest)) != nil else {
                close(connection)
                return false
            }
        }
        return true
    }

    private func close(_ connection: LineConnection) {
        guard connections.removeValue(forKey: connection.id) != nil else { return }
        shares.close(connection.peer, connection.place, bytes: connection.sharedBytes)
        server.counters.closed.increment()
        connection.session?.closed()
        connection.session = nil
    }

    // MARK: memory

    private func updateShare(_ connection: LineConnection) {
        guard connection.session != nil else { return }
        let bytes = connection.heldBytes
        shares.holds(bytes, before: connection.sharedBytes, connection.peer)
        connection.sharedBytes = bytes
    }

    /// Closes connections of accounts that hold too much memory.
    private func closeOverdrawn() {
        for account in shares.overdrawn {
            let theirs = connections.filter { $1.peer.account == account }
            let line = service.line(reporting: .tooMuchMemory(account, limit: server.limits.bytesPerAccount))
            for token in shares.excess(theirs.map { ($0, $1.heldBytes) }) {
                guard let connection = theirs[token] else { continue }
                // After a part of an answer, the peer could not read the line.
                if connection.isDrained {
                    connection.write { $0 += line }
                    _ = connection.output.send(to: connection.descriptor.raw)
                }
                close(connection)
            }
        }
    }

    // MARK: deadlines

    private var deadline: Instant {
        [serviceDeadline, resumeListening, schedule.deadline].compactMap { $0 }.min() ?? .distantFuture
    }

    private func passDeadlines() {
        if serviceDeadline == nil, resumeListening == nil, schedule.deadline == nil { return }
        let now = Instant.now
        if let due = serviceDeadline, due <= now { serviceDeadline = service.wake() }
        if let due = resumeListening, due <= now { listenAgain() }
        guard let due = schedule.deadline, due <= now else { return }
        schedule.deadline = connections.values.compactMap(\.deadline).filter { $0 > now }.min()
        for connection in connections.values where connection.deadline.map({ $0 <= now }) ?? false {
            connection.deadline = nil
            connection.session?.deadlinePassed()
        }
    }
}
