internal import ControlLanguage
internal import JSON
internal import PodcastModel
internal import SystemCalls

/// The control protocol on a line server: begins sessions, delivers results and sends events. Server's thread only.
final class ControlService: LineService, ControlSession.Host {
    let dispatcher: CommandDispatcher
    let status: any StatusSource
    let files: HandedFiles
    /// Number of the last event.
    private var sequence: UInt64 = 0
    private let mailbox: ControlMailbox
    private let policy: any PermissionPolicy
    let counters: ServerCounters
    private var connections: [UInt64: ControlLineSession] = [:]
    /// The minimum time between two events of one part; the first change is sent at once.
    private let eventInterval: Duration
    private var lastSent: [Instant?] = Array(repeating: nil, count: StatusPart.allCases.count)
    private var watchers = [Int](repeating: 0, count: StatusPart.allCases.count)
    private var lastEvents = StatusPart.allCases.map { SentEvent($0, PartUpdate(value: .null), sequence: 0, since: 0) }

    init(
        mailbox: ControlMailbox, dispatcher: CommandDispatcher, status: any StatusSource, policy: any PermissionPolicy,
        eventInterval: Duration, counters: ServerCounters, files: HandedFiles
    ) {
        self.mailbox = mailbox
        self.dispatcher = dispatcher
        self.status = status
        self.policy = policy
        self.eventInterval = eventInterval
        self.counters = counters
        self.files = files
    }

    var deliver: @Sendable (ConnectionID, ControlSession.CallNumber, CommandResult) -> Void { mailbox.deliver }

    func willWatch(_ parts: StatusParts) -> UInt64 {
        mailbox.watch(parts)
        return sequence
    }

    func isOwner(_ peer: LinePeer) -> Bool { PeerIdentity(peer).map(policy.isOwner) ?? false }

    func session(on connection: LineConnection) throws(LineRefusal) -> any LineSession {
        guard let peer = PeerIdentity(connection.peer) else {
            // A web page can make a browser send lines to a port of this machine.
            throw LineRefusal(
                line: Outgoing.errorLine(
                    ControlError(
                        .notPermitted, "podcastd serves its protocol on Unix sockets only",
                        hint: "use podcast-web or podcast-mpd for clients of a network")))
        }
        guard let permission = policy.permission(of: peer) else {
            let error = ControlError(
                .notPermitted, "user \(peer.user) may not use this daemon",
                hint: policy.remedy(for: peer, lacking: .control))
            throw LineRefusal(line: Outgoing.errorLine(error))
        }
        let caller = Caller(connection: ConnectionID(connection.id), peer: peer, permission: permission)
        let session = ControlLineSession(ControlSession(caller: caller, on: self), on: connection, of: self)
        connections[connection.id] = session
        connection.write {
            $0 += Outgoing.hello(version: dispatcher.version, permission: permission)
        }
        return session
    }

    func line(reporting problem: LineProblem) -> [UInt8] {
        let error =
            switch problem {
            case .tooManyConnections:
                ControlError(.unavailable, "too many connections", hint: "close some, or raise the daemon's limit")
            case .tooManyConnectionsOfAccount(let account, let limit):
                ControlError(.unavailable, "\(account) already has \(limit) connections", hint: "close some of them")
            case .noDescriptors: ControlError(.unavailable, "no file descriptors are left", hint: "try again later")
            case .lineTooLong(let limit):
                ControlError(
                    .invalidRequest, "a line is longer than \(limit) bytes",
                    hint: "this connection is closed; send less at a time")
            case .tooMuchMemory(let account, let limit):
                ControlError(
                    .unavailable, "unfinished requests and unread answers of \(account) take more than \(limit) bytes",
                    hint: "end each request with a line break and read the answers; this connection is closed")
            }
        return Outgoing.errorLine(error)
    }

    func wake() -> Instant? {
        for one in mailbox.takeFinished() { connections[one.connection.rawValue]?.finish(one.call, one.result) }
        sendEvents()
        return mailbox.changedParts.members.map(dueTime).min()
    }

    private func dueTime(of part: StatusPart) -> Instant {
        lastSent[part.index].map { $0 + eventInterval } ?? .distantPast
    }

    private func sendEvents() {
        let changed = mailbox.changedParts
        if changed.isEmpty { return }
        let now = Instant.now
        for part in changed.members where dueTime(of: part) <= now {
            lastSent[part.index] = now
            mailbox.take(StatusParts(part))
            guard watchers[part.index] > 0 else { continue }
            sequence += 1
            lastEvents[part.index] = event(of: part, since: lastEvents[part.index].revision ?? 0)
            for connection in connections.values { connection.partChanged(part) }
        }
    }

    private func event(of part: StatusPart, since: UInt64) -> SentEvent {
        SentEvent(part, status.update(of: part, since: since), sequence: sequence, since: since)
    }

    /// The newest event of a part for a client at a revision: the shared event if it starts at that revision.
    func lastEvent(of part: StatusPart, since: UInt64) -> SentEvent {
        let last = lastEvents[part.index]
        return last.revision == nil || last.since == since ? last : event(of: part, since: since)
    }

    func noteWatching(_ before: StatusParts, _ after: StatusParts, of session: ControlSession) {
        if before == after { return }
        var unwatched: StatusParts = []
        for part in after.subtracting(before).members {
            watchers[part.index] += 1
            // The next event starts at the revision of its first reader.
            if watchers[part.index] == 1 { lastEvents[part.index].revision = session.revision(of: part) }
        }
        for part in before.subtracting(after).members {
            watchers[part.index] -= 1
            if watchers[part.index] == 0 { unwatched.insert(StatusParts(part)) }
        }
        if !unwatched.isEmpty { mailbox.unwatch(unwatched) }
    }

    func ended(_ connection: UInt64) {
        connections[connection] = nil
        dispatcher.connectionEnded(ConnectionID(connection))
    }
}

/// An event in the form that most clients receive.
final class SentEvent {
    /// The revision of the part's list before the event; see `EventReply`.
    let since: UInt64
    /// The revision after the event; nil for parts without a list.
    var revision: UInt64?
    private let line: (CommandDeclaration.Permission) -> [UInt8]
    private lazy var whole = line(.admin)
    private lazy var redacted = line(.read)

    init(_ part: StatusPart, _ update: PartUpdate, sequence: UInt64, since: UInt64) {
        self.since = since
        revision = update.revision
        line = { Outgoing.event(part, sequence: sequence, update, since: since, to: $0) }
    }

    /// The line for a client that was granted a permission.
    func bytes(for permission: CommandDeclaration.Permission) -> [UInt8] { permission == .admin ? whole : redacted }
}

final class ControlLineSession: LineSession {
    private var session: ControlSession
    private let connection: LineConnection
    private unowned let service: ControlService
    /// Parts that changed while the client had not read earlier output. The client will get their newest values, with
    /// the changes since its last event or the instruction to read the part again.
    private var missed: StatusParts = []

    init(_ session: ControlSession, on connection: LineConnection, of service: ControlService) {
        self.session = session
        self.connection = connection
        self.service = service
    }

    var canTakeMore: Bool { !session.isWaiting }
    var isAnswering: Bool { session.hasCalls }
    var heldBytes: Int { session.heldBytes }

    var takesDescriptors: Bool { true }

    func received(_ file: OpenFile) { service.files.keep(file, from: session.caller.connection) }

    func releaseDescriptor() { _ = service.files.take(from: session.caller.connection) }

    func received(_ line: UnsafeRawBufferPointer) {
        write { session.take(line: line, output: &$0) }
    }

    func finish(_ call: ControlSession.CallNumber, _ result: CommandResult) {
        write { session.finish(call, result, output: &$0) }
    }

    /// Writes what the session answers, which may change the parts that its client watches.
    private func write(_ answer: (inout [UInt8]) -> Void) {
        let before = session.parts
        connection.write(answer)
        service.noteWatching(before, session.parts, of: session)
    }

    func partChanged(_ part: StatusPart) {
        guard session.parts.contains(part) else { return }
        if connection.isDrained { return writeEvent(of: part) }
        // If the part is missed already, its older value is never sent.
        if missed.contains(part) { service.counters.droppedEvents.increment() }
        missed.insert(StatusParts(part))
    }

    func drained() {
        if missed.isEmpty { return }
        for part in missed.intersection(session.parts).members { writeEvent(of: part) }
        missed = []
    }

    private func writeEvent(of part: StatusPart) {
        let event = service.lastEvent(of: part, since: session.revision(of: part))
        session.noteRevision(event.revision, of: part)
        service.counters.sentEvents.increment()
        connection.write { $0 += event.bytes(for: session.granted) }
    }

    func closed() {
        service.noteWatching(session.parts, [], of: session)
        releaseDescriptor()
        service.ended(connection.id)
    }
}

extension PeerIdentity {
    /// Nil for a client of a network.
    init?(_ peer: LinePeer) {
        guard case .local(let credentials, let groups) = peer else { return nil }
        self.init(process: credentials.process, user: credentials.user, group: credentials.group, groups: groups)
    }
}
