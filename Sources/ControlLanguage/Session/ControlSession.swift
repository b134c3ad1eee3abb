internal import JSON
internal import PodcastModel

/// Permission and pending calls of one connection. A value without I/O: the server passes in lines and results.
///
/// Commands start and are answered in order, but replies to later commands may overtake the reply to an `isLong`
/// command. A batch gets one response, when its last command is done.
public struct ControlSession {
    /// The server to which connections belong.
    public protocol Host: AnyObject {
        var dispatcher: CommandDispatcher { get }
        var status: any StatusSource { get }
        /// Receives the result of a command that was answered later, from any thread. The server passes the result to
        /// `finish` of the connection's session, on the server's thread.
        var deliver: @Sendable (ConnectionID, CallNumber, CommandResult) -> Void { get }
        /// Called before the snapshot for a connection that begins to watch parts, so that no change is missed.
        /// - Returns: the number of the last event that the server has sent.
        func willWatch(_ parts: StatusParts) -> UInt64
    }

    public struct CallNumber: Hashable, Sendable {
        let rawValue: UInt64
    }

    /// Maximum number of long commands that one connection may run at a time.
    public static let maximumLongCalls = 16

    private struct Exchange {
        /// Requests not started yet, in reverse order.
        var rest: [Result<Request, Request.Malformed>]
        let isBatch: Bool
        var reply: [UInt8] = []
        /// Approximate memory of `rest` in bytes; known once the exchange waits.
        var restBytes: Int?

        init(_ requests: [Result<Request, Request.Malformed>], isBatch: Bool) {
            rest = requests.reversed()
            self.isBatch = isBatch
        }

        /// Measures `rest`, once: `rest` only becomes smaller.
        mutating func noteRest() { if restBytes == nil { restBytes = rest.reduce(0) { $0 + $1.heldBytes } } }
    }

    /// The peer, with the permission that remains after `session.restrict`.
    public private(set) var caller: Caller
    public private(set) var parts: StatusParts = []
    /// The newest revision of each part's list that was sent to the client; indexed by the part's `index`.
    private var revisions = [UInt64](repeating: 0, count: StatusPart.allCases.count)
    private var lastCall: UInt64 = 0
    private var exchange: Exchange?
    private var awaited: (call: CallNumber, id: JSONValue?)?
    private var longCalls: [(call: CallNumber, id: JSONValue?)] = []

    /// Permission before `session.restrict`. A restricted client of the daemon's own user still sees whole addresses.
    public let granted: CommandDeclaration.Permission
    private unowned let host: any Host

    public init(caller: Caller, on host: any Host) {
        self.caller = caller
        self.host = host
        granted = caller.permission
    }

    /// True if a command must be answered before the next line can be handled.
    public var isWaiting: Bool { exchange != nil }

    /// True if a command was started and is not answered yet.
    public var hasCalls: Bool { isWaiting || !longCalls.isEmpty }

    /// Approximate memory in bytes held for a line that is not answered yet.
    public var heldBytes: Int { (exchange?.reply.capacity ?? 0) + (exchange?.restBytes ?? 0) }

    /// Handles one line without its line break. Must not be called while `isWaiting`. Empty lines are ignored.
    public mutating func take(line: UnsafeRawBufferPointer, output: inout [UInt8]) {
        if line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) { return }
        do throws(ControlError) {
            switch try Incoming(line: line) {
            case .single(let request): exchange = Exchange([request], isBatch: false)
            case .batch(let requests): exchange = Exchange(requests, isBatch: true)
            }
        } catch {
            output += Outgoing.errorLine(error)
            return
        }
        run(output: &output)
    }

    /// Passes in the result of a command that was answered later.
    public mutating func finish(_ call: CallNumber, _ result: CommandResult, output: inout [UInt8]) {
        if let awaited, awaited.call == call {
            self.awaited = nil
            reply(to: awaited.id, result, output: &output)
            run(output: &output)
        } else if let index = longCalls.firstIndex(where: { $0.call == call }) {
            if let id = longCalls.remove(at: index).id { Self.write(id, result, to: &output) }
        }
    }

    private mutating func run(output: inout [UInt8]) {
        while let isBatch = exchange?.isBatch, let request = exchange?.rest.popLast() {
            switch request {
            case .failure(let malformed): reply(to: malformed.id, .failure(malformed.error), output: &output)
            case .success(let request):
                let (answer, isLong) = answer(request)
                switch answer {
                case .now(let result): reply(to: request.id, result, output: &output)
                case .later(let start):
                    if isLong && !isBatch && longCalls.count >= Self.maximumLongCalls {
                        let error = ControlError(
                            .unavailable, "\(Self.maximumLongCalls) long commands are running already",
                            hint: "wait for the answer to one of them")
                        reply(to: request.id, .failure(error), output: &output)
                        continue
                    }
                    lastCall += 1
                    let call = CallNumber(rawValue: lastCall)
                    if isLong && !isBatch {
                        longCalls.append((call, request.id))
                    } else {
                        awaited = (call, request.id)
                    }
                    start { [deliver = host.deliver, caller] in deliver(caller.connection, call, $0) }
                    if awaited != nil {
                        exchange?.noteRest()
                        return
                    }
                }
            }
        }
        if let exchange, exchange.isBatch, !exchange.reply.isEmpty {
            output += exchange.reply
            output += "]\n".utf8
        }
        exchange = nil
    }

    private mutating func reply(to id: JSONValue?, _ result: CommandResult, output: inout [UInt8]) {
        guard let id else { return }
        if exchange?.isBatch == true {
            exchange!.reply.append(exchange!.reply.isEmpty ? .openingBracket : UInt8.comma)
            let waiting = exchange!.rest.count * Outgoing.errorReserve
            Self.write(id, result, inBatch: &exchange!.reply, keepingFree: waiting)
        } else {
            Self.write(id, result, to: &output)
        }
    }

    /// Writes the line of a response: if it is longer than a line, with its longest texts shortened, or an error instead.
    private static func write(_ id: JSONValue, _ result: CommandResult, to bytes: inout [UInt8]) {
        let start = bytes.count
        defer { bytes.append(.newline) }
        Outgoing.response(id, result, to: &bytes)
        if bytes.count - start < Outgoing.maximumLine { return }
        bytes.removeSubrange(start...)
        if case .success(let value) = result,
            let shorter = value.json.shortened(toFit: Outgoing.maximumLine - Outgoing.errorReserve)
        {
            return Outgoing.response(id, .success(shorter), to: &bytes)
        }
        let error = ControlError(
            .conflict, "the answer does not fit in one line", hint: "request fewer rows")
        Outgoing.response(id, .failure(error), to: &bytes)
    }

    /// Writes a response into a batch's answer, or an error if fewer than `reserve` bytes of the line would remain.
    private static func write(
        _ id: JSONValue, _ result: CommandResult, inBatch bytes: inout [UInt8], keepingFree reserve: Int
    ) {
        let end = bytes.count
        Outgoing.response(id, result, to: &bytes)
        // Two bytes for the closing bracket and the line break.
        if bytes.count + 2 + reserve <= Outgoing.maximumLine { return }
        bytes.removeSubrange(end...)
        let error = ControlError(
            .conflict, "the answers to this batch do not fit in one line",
            hint: "send this request on a separate line")
        Outgoing.response(id, .failure(error), to: &bytes)
    }

    // MARK: commands of the connection

    private mutating func answer(_ request: Request) -> (CommandAnswer, isLong: Bool) {
        do throws(ControlError) {
            let command = try host.dispatcher.command(named: request.method)
            guard command.type.isOfConnection else {
                let answer = host.dispatcher.answer(request, of: command, by: caller)
                return (answer.showing(to: granted), command.type.isLong)
            }
            try host.dispatcher.check(caller, for: command.type)
            switch request.method {
            case RestrictSession.name: return (.value(try restrict(RestrictSession(params: request.params))), false)
            case CallAs.name: return try call(CallAs(params: request.params), id: request.id)
            case SubscribeStatus.name:
                let snapshot = subscribe(try SubscribeStatus(params: request.params))
                return (CommandAnswer.value(snapshot).showing(to: granted), false)
            default: throw ControlError(.internalError, "the session does not answer \(request.method)")
            }
        } catch {
            return (.error(error), false)
        }
    }

    private func check(_ permission: CommandDeclaration.Permission) throws(ControlError) {
        if caller.permission < permission {
            throw ControlError(
                .notPermitted, "this connection has only the permission \(caller.permission.rawValue)",
                hint: "a connection can only reduce its permission")
        }
    }

    private mutating func restrict(_ request: RestrictSession) throws(ControlError) -> PermissionReply {
        try check(request.permission)
        caller.permission = request.permission
        return PermissionReply { $0.permission = request.permission }
    }

    private func call(_ call: CallAs, id: JSONValue?) throws(ControlError) -> (CommandAnswer, isLong: Bool) {
        let command = try host.dispatcher.command(named: call.method)
        if command.type.isOfConnection {
            throw ControlError(
                .invalidArgument, "\(call.method) applies to the whole connection", hint: "call it directly")
        }
        try check(call.permission)
        var caller = caller
        caller.permission = call.permission
        let request = Request(id: id, method: call.method, params: call.parameters)
        let answer = host.dispatcher.answer(request, of: command, by: caller)
        return (answer.showing(to: min(granted, call.permission)), command.type.isLong)
    }

    private mutating func subscribe(_ request: SubscribeStatus) -> SnapshotReply {
        let wanted = (request.parts ?? StatusPart.allCases).reduce(into: StatusParts()) { $0.insert(StatusParts($1)) }
        parts.formUnion(wanted)
        let sequence = host.willWatch(wanted)
        var values = SnapshotReply.Parts()
        for part in wanted.members {
            let update = host.status.update(of: part, since: .max)
            values[part] = update.value
            noteRevision(update.revision, of: part)
        }
        return SnapshotReply(sequence: sequence, parts: values)
    }

    /// The newest revision of a part's list that was sent to the client.
    public func revision(of part: StatusPart) -> UInt64 { revisions[part.index] }

    /// Records a revision sent to the client; nil for parts without a list.
    public mutating func noteRevision(_ revision: UInt64?, of part: StatusPart) {
        if let revision { revisions[part.index] = revision }
    }
}
