public import ControlLanguage
public import JSON
public import PodcastModel
public import SystemCalls

/// What a connection reports beside the replies to its calls.
public enum ConnectionEvent: Equatable, Sendable {
    case greeted(HelloReply)
    /// The watched parts as they are now: first after `watch`, and again after each reconnection.
    case snapshot(SnapshotReply)
    case changed(EventReply)
    /// The connection has ended, and watched parts may be out of date. If the state is `waiting`, the connection is tried again.
    case lost(ClientFailure)
}

/// A connection to the daemon. It never blocks, except in the functions of `ControlConnection+Blocking`: wait with poll(2)
/// until `descriptor` is ready or `deadline` is reached, then call `process`. One thread.
public final class ControlConnection {
    /// Identifies a call whose reply has not come.
    public struct Ticket: Hashable, Sendable {
        fileprivate let id: Int64
    }

    /// Not `Result`: its constraint makes the runtime search all conformances of the program.
    enum Outcome {
        case reply(JSONValue)
        case failure(ClientFailure)
    }

    private struct Call {
        var ticket: Ticket
        var finish: (Outcome) -> Void
    }

    /// Maximum number of bytes of a line from the daemon.
    private static let maximumLine = 4 << 20
    private static let receiveSize = 64 << 10

    public let path: String
    /// The permission that the connection keeps; nil for all that it has.
    private let permission: CommandDeclaration.Permission?
    private var machine: ConnectionMachine
    private var socket: FileDescriptor?
    private var input = LineBuffer()
    private var output: [UInt8] = []
    /// Sent with the next byte of `output`.
    private var file: OpenFile?
    private var lastID: Int64 = 0
    private var calls: [Call] = []
    private var watched: [StatusPart]?
    /// Events that were not returned yet, oldest first.
    var events: [ConnectionEvent] = []
    /// A blocking call waits this long for its reply; nil for no limit.
    public var timeout: Duration? = .seconds(30)

    /// Connects, and stays closed once the connection has ended.
    public init(path: String) throws(ClientFailure) {
        self.path = path
        permission = nil
        machine = ConnectionMachine(reconnects: false)
        perform(machine.handle(.start))
        if case .failed(let failure) = machine.state { throw failure }
    }

    /// Connects, now or as soon as a daemon listens, and again whenever the connection has ended.
    ///
    /// - Parameter permission: each connection gives up all but this permission before it sends anything else.
    public init(reconnectingTo path: String, restrictedTo permission: CommandDeclaration.Permission? = nil) {
        self.path = path
        self.permission = permission
        machine = ConnectionMachine(reconnects: true)
        perform(machine.handle(.start))
    }

    public var state: ConnectionMachine.State { machine.state }
    /// Wait until this descriptor can be read, and written if `wantsWriting`; -1, which poll(2) ignores, while there is no socket.
    public var descriptor: Int32 { socket?.raw ?? -1 }
    /// Whether requests wait until the socket can be written.
    public var wantsWriting: Bool { !output.isEmpty }
    /// When `process` must be called even if the descriptor is not ready: on CLOCK_MONOTONIC; nil for never.
    public private(set) var deadline: Instant?

    /// Sends and receives what is possible at once, calls the handlers of the replies that came, and reconnects when it is time.
    /// - Returns: what happened beside replies, oldest first.
    public func process() -> [ConnectionEvent] {
        step()
        return exchange(&events, with: [])
    }

    /// - Parameters:
    ///   - file: its descriptor is sent with the request; the call fails if earlier requests still wait to be sent.
    ///   - handler: gets the reply or the failure, from `process` or a blocking function; at once without a connection.
    @discardableResult
    public func send<Called: Command>(
        _ command: Called, file: OpenFile? = nil, handler: @escaping (Result<Called.Reply, ClientFailure>) -> Void
    ) -> Ticket {
        send(Request(id: nil, command), file: file) { outcome in
            switch outcome {
            case .reply(let json):
                handler(Called.Reply(json: json).map(Result.success) ?? .failure(.unreadable(Called.name)))
            case .failure(let failure): handler(.failure(failure))
            }
        }
    }

    /// Sends a command by its name, with parameters that the daemon checks. The handler gets the result as it is on the wire.
    @discardableResult
    public func send(
        method: String, params: JSONValue?, handler: @escaping (Result<JSONValue, ClientFailure>) -> Void
    ) -> Ticket {
        // If the daemon cannot read a line, its answer has no id, and such an answer would end the connection for all other calls.
        if let params, params.nesting >= JSONValue.maximumDepth {
            lastID += 1
            handler(.failure(.refused(ControlError(.invalidParameters, "the parameters are nested too deep"))))
            return Ticket(id: lastID)
        }
        return send(Request(id: nil, method: method, params: params)) { outcome in
            switch outcome {
            case .reply(let json): handler(.success(json))
            case .failure(let failure): handler(.failure(failure))
            }
        }
    }

    /// Forgets a call; its handler is no longer called. The daemon executes the command all the same.
    public func cancel(_ ticket: Ticket) { calls.removeAll { $0.ticket == ticket } }

    /// Watches parts from now on, also after reconnecting. A `snapshot` comes first, each time, and then changes.
    public func watch(_ parts: [StatusPart]) {
        watched = parts
        if isConnected { subscribe() }
    }

    /// Connects again after the connection has failed for good; without effect in other states.
    public func retry() { if case .failed = machine.state { perform(machine.handle(.start)) } }

    /// Ends the connection. Calls that wait for a reply fail.
    public func close() { perform(machine.handle(.stop)) }

    // MARK: calls

    /// Descriptors are not queued, so a call with a file fails if earlier requests still wait to be sent.
    func send(_ request: Request, file: OpenFile? = nil, finish: @escaping (Outcome) -> Void) -> Ticket {
        lastID += 1
        let ticket = Ticket(id: lastID)
        guard isConnected else {
            finish(.failure(lostFailure))
            return ticket
        }
        if file != nil && wantsWriting {
            finish(.failure(.timedOut))
            return ticket
        }
        var request = request
        request.id = .integer(lastID)
        let start = output.count
        request.write(to: &output)
        if output.count - start > Outgoing.maximumLine {
            output.removeSubrange(start...)
            finish(.failure(.refused(ControlError(.invalidArgument, "the request is longer than a line may be"))))
            return ticket
        }
        calls.append(Call(ticket: ticket, finish: finish))
        self.file = file ?? self.file
        flush()
        return ticket
    }

    private var isConnected: Bool {
        switch machine.state {
        case .greeting, .open: true
        case .closed, .connecting, .waiting, .failed: false
        }
    }

    /// Why there is no connection.
    private var lostFailure = ClientFailure.closed

    private func subscribe() {
        guard let watched else { return }
        _ = send(Request(id: nil, SubscribeStatus { $0.parts = watched })) { [self] outcome in
            switch outcome {
            case .reply(let json):
                guard let snapshot = SnapshotReply(json: json) else { return lose(.unreadable(SubscribeStatus.name)) }
                events.append(.snapshot(snapshot))
            case .failure(let failure): lose(failure)
            }
        }
    }

    // MARK: the machine

    /// Does what `process` does, and leaves the events where they are.
    func step() {
        if let deadline, .now >= deadline {
            self.deadline = nil
            perform(machine.handle(.retry))
        }
        if wantsWriting { flush() }
        if socket != nil { receive() }
    }

    private func lose(_ failure: ClientFailure) {
        lostFailure = failure
        perform(machine.handle(.lost(failure)))
    }

    private func perform(_ actions: [ConnectionMachine.Action]) {
        for action in actions {
            switch action {
            case .connect: connect()
            case .subscribe: subscribe()
            case .disconnect(let failure): disconnect(failure)
            case .wait(let delay): deadline = .now + delay
            }
        }
    }

    private func connect() {
        do throws(SystemError) {
            socket = try LocalSocket.connect(to: path, isBlocking: false)
        } catch {
            return lose(ClientFailure(connecting: path, error))
        }
        let actions = machine.handle(.connected)
        // The daemon refuses if the connection has no higher permission anyway.
        if let permission { send(RestrictSession { $0.permission = permission }) { _ in } }
        perform(actions)
    }

    private func disconnect(_ failure: ClientFailure) {
        if socket != nil { events.append(.lost(failure)) }
        socket = nil
        deadline = nil
        file = nil
        input = LineBuffer()
        output = []
        for call in exchange(&calls, with: []) { call.finish(.failure(failure)) }
    }

    // MARK: bytes

    private func flush() {
        let raw = descriptor
        let outcome = output.withUnsafeBytes { bytes in
            Result { () throws(SystemError) in
                if let file { try LocalSocket.send(raw, bytes, file: file) } else { try LocalSocket.send(raw, bytes) }
            }
        }
        switch outcome {
        case .success(.bytes(let count)):
            file = nil
            if count == output.count { output = [] } else { output.removeSubrange(..<count) }
        case .success(.wouldWait): break
        // The daemon may have sent the reason before it closed the connection; the reason is read next.
        case .success(.ended): output = []
        case .failure(let error): lose(.system(error))
        }
    }

    private func receive() {
        let raw = descriptor
        let outcome = withUnsafeTemporaryAllocation(byteCount: Self.receiveSize, alignment: 16) { buffer in
            let outcome = Result { () throws(SystemError) in try LocalSocket.receive(raw, into: buffer) }
            if case .success(.bytes(let count)) = outcome {
                input.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
            return outcome
        }
        switch outcome {
        case .success(.bytes): receiveMessages()
        case .success(.wouldWait): break
        case .success(.ended): lose(.closed)
        case .failure(let error): lose(.system(error))
        }
    }

    private func receiveMessages() {
        do throws(JSONError) {
            while let message = try input.takeLine({ line throws(JSONError) in try JSONValue(parsing: line) }) {
                receive(message)
            }
        } catch {
            return lose(.protocolFault("the answer is not JSON: \(error)"))
        }
        if input.count > Self.maximumLine { lose(.protocolFault("the answer is longer than a line may be")) }
    }

    private func receive(_ message: JSONValue) {
        switch message["id"] {
        case .integer(let id)?:
            guard let index = calls.firstIndex(where: { $0.ticket.id == id }) else { return }
            let call = calls.remove(at: index)
            if let error = message["error"] {
                call.finish(.failure(.refused(ControlError(json: error))))
            } else {
                call.finish(.reply(message["result"] ?? .null))
            }
        case .null?: if let error = message["error"] { lose(.refused(ControlError(json: error))) }
        case nil: receiveNotification(message)
        case .bool?, .number?, .string?, .array?, .object?: break
        }
    }

    private func receiveNotification(_ message: JSONValue) {
        switch message["method"]?.stringValue {
        case "hello":
            guard let hello = message["params"].flatMap({ HelloReply(json: $0) }),
                hello.server.protocol == Outgoing.protocolVersion
            else {
                let version = message["params"]?["protocol"]?.integerValue ?? 0
                return lose(
                    .protocolFault(
                        "the daemon speaks version \(version) of the protocol, not \(Outgoing.protocolVersion)"))
            }
            events.append(.greeted(hello))
            perform(machine.handle(.greeted))
        case "event":
            // Parts that this version does not know are skipped.
            if let event = message["params"].flatMap({ EventReply(json: $0) }) { events.append(.changed(event)) }
        default:
            if case .greeting = machine.state { lose(.protocolFault("the program at this socket is not podcastd")) }
        }
    }
}

extension ClientFailure {
    public static func unreadable(_ method: String) -> ClientFailure {
        .protocolFault("the answer to \(method) cannot be read")
    }
}
