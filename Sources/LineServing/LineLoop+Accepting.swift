internal import ControlProtocol
internal import Glibc
internal import SystemCalls

/// Descriptors that are kept open so that they can be given up for connections while the process has no others left.
final class SpareDescriptors {
    /// One is always kept to refuse connections with, the others serve the owner's.
    private static let maximum = 8

    private final class Spare {
        let descriptor: FileDescriptor
        init() throws(SystemError) { descriptor = try FileDescriptor.open("/dev/null", O_RDONLY) }
    }

    private var spares: [Spare] = []

    init() { refill() }

    /// Opens those that are missing, as far as there are descriptors.
    func refill() {
        while spares.count < Self.maximum, let spare = try? Spare() { spares.append(spare) }
    }

    /// Whether all are there, so that the process is not short of descriptors.
    var isFull: Bool { spares.count == Self.maximum }
    /// Whether one more connection leaves one to refuse others with.
    var sufficesForConnection: Bool { spares.count >= 1 }

    /// Closes one. False if there is none.
    func giveUpOne() -> Bool { spares.popLast() != nil }
}

extension ServerLoop {
    func acceptAll(_ listener: ControlListener) {
        // A bound for each turn, so that a flood of connections does not keep the others waiting.
        for _ in 0..<64 {
            do throws(SystemError) {
                guard let descriptor = try accept(listener.descriptor.raw) else { return }
                admit(descriptor, isShort: false)
            } catch {
                let isShort = error.code == EMFILE || error.code == ENFILE
                guard isShort, acceptWithSpare(listener) else { return pauseListening(after: error) }
            }
        }
    }

    /// Without a descriptor to accept with, the listener would stay readable and the thread would spin.
    private func acceptWithSpare(_ listener: ControlListener) -> Bool {
        defer { spares.refill() }
        guard spares.giveUpOne(), let descriptor = try? accept(listener.descriptor.raw) else { return false }
        tellShortage("no file descriptors are left")
        admit(descriptor, isShort: true)
        return true
    }

    /// Ignores the listeners for a while: another attempt at once would fail like this one.
    private func pauseListening(after error: SystemError) {
        tellShortage(error.description)
        for (index, listener) in listeners.enumerated() {
            try? poll.change(listener.descriptor.raw, token: UInt64(index) + 1, to: [])
        }
        resumeListening = monotonicNanoseconds() + limits.acceptPause
    }

    /// Polls the listeners again once their pause is over.
    func resumeIfDue() {
        guard let due = resumeListening, monotonicNanoseconds() >= due else { return }
        resumeListening = nil
        spares.refill()
        for (index, listener) in listeners.enumerated() {
            try? poll.change(listener.descriptor.raw, token: UInt64(index) + 1, to: .readable)
        }
    }

    /// Reports the first of failures in a row; the row ends after a while without any.
    private func tellShortage(_ cause: String) {
        let now = monotonicNanoseconds()
        if lastShortage.map({ now - $0 > Self.shortageEnds }) ?? true {
            report("new connections are refused or delayed: \(cause); raise the limit of open files of podcastd")
        }
        lastShortage = now
    }

    private func refuse(_ descriptor: borrowing FileDescriptor, _ error: ControlError) {
        counters.refused.count()
        let raw = descriptor.raw
        // Best effort: a peer that does not take one line on a fresh socket gets none.
        _ = Outgoing.errorLine(error).withUnsafeBytes { line in try? LocalSocket.send(raw, line) }
    }

    private func admit(_ descriptor: consuming FileDescriptor, isShort: Bool) {
        let raw = descriptor.raw
        guard let credentials = try? LocalSocket.credentials(of: raw) else { return }
        let peer = PeerIdentity(
            process: credentials.process, user: credentials.user, group: credentials.group,
            groups: LocalSocket.groups(of: raw))
        let place: ConnectionShares.Place
        do throws(ControlError) {
            place = try shares.place(
                for: peer, isOwner: policy.isOwner(peer), descriptors: ProcessFigures.maximumDescriptors,
                isShort: isShort)
        } catch {
            return refuse(descriptor, error)
        }
        if isShort, !spares.sufficesForConnection {
            return refuse(
                descriptor, ControlError(.unavailable, "no file descriptors are left", hint: "try again later"))
        }
        guard let permission = policy.permission(of: peer) else {
            return refuse(
                descriptor,
                ControlError(
                    .notPermitted, "user \(peer.user) may not use this daemon",
                    hint: "the daemon's config maps users and groups to permissions"))
        }
        let token = nextToken
        guard (try? poll.add(raw, token: token, for: .readable)) != nil else { return }
        nextToken += 1
        let connection = Connection(
            descriptor: descriptor,
            session: ControlSession(
                caller: Caller(connection: ConnectionID(token), peer: peer, permission: permission)),
            place: place)
        connections[token] = connection
        shares.open(peer, place)
        counters.accepted.count()
        connection.output.append(
            Outgoing.hello(
                server: host.dispatcher.serverName, version: host.dispatcher.version, permission: permission))
        _ = flush(connection, token)
    }
}
