internal import HTTP
internal import JSON
internal import PodcastModel
internal import Synchronization
internal import SystemCalls

/// Where a snapserver is controlled, and the port from which it reads the stream.
struct SnapserverAddress: Equatable {
    var host: String
    var control: UInt16
    var source: UInt16
}

/// Turns down the clients that hear a snapserver's stream, for as long as the server still has sound that should not be heard: a server
/// cannot be asked to discard the sound. Muted clients would get no sound at all, and be silent for longer. A thread connects to the
/// control port for each such time. The server stores volumes permanently, so the original volumes are in a file until they are
/// restored: after a crash of podcastd or of the server, the next start of either restores them. Any thread.
final class SnapserverControl: Sendable {
    private struct State {
        /// When the clients get their volumes again; nil while there is no thread.
        var end: Instant?
        /// The clients that are turned down, with their volumes in percent.
        var owed: [String: Int64] = [:]
    }

    /// Within this time all clients of a server must have been turned down, or have their volumes again.
    private static let timeout = Duration.seconds(1)
    /// The beginning of the files' names.
    private static let recordName = "snapserver-volumes-"

    private let address: SnapserverAddress
    private let clock: any OutputClock
    private let record: VolumeRecord?
    private let wakeUp: EventDescriptor
    private let state = Mutex(State())
    private let ended: EventDescriptor

    /// - Parameter folder: of the file with the clients that are turned down; nil for no file.
    init(_ address: SnapserverAddress, clock: any OutputClock, folder: String?) throws(SystemError) {
        self.address = address
        self.clock = clock
        record = folder.map {
            VolumeRecord(path: "\($0)/\(Self.recordName)\(address.control)-\(address.source)-\(address.host)")
        }
        wakeUp = try EventDescriptor()
        ended = try EventDescriptor()
    }

    /// Gives the clients of all servers their volumes, also if the output was removed.
    static func restoreAll(in folder: String) {
        for name in (try? StoredFile.names(in: folder)) ?? [] where name.hasPrefix(recordName) {
            guard let address = VolumeRecord(path: "\(folder)/\(name)").stored?.address else { continue }
            try? SnapserverControl(address, clock: SystemOutputClock(), folder: folder).restore()
        }
    }

    /// Turns the clients down until then, or until `turnUp`.
    func turnDown(until end: Instant) {
        state.withLock { state in
            if let before = state.end {
                state.end = max(before, end)
            } else {
                start(&state, until: end)
            }
        }
    }

    /// Gives the clients their volumes then, if that is earlier.
    func turnUp(at instant: Instant) {
        state.withLock { $0.end = $0.end.map { min($0, instant) } }
        wakeUp.signal()
    }

    /// Restores the volumes of clients that a crash of podcastd or of the server left turned down.
    func restore() {
        let stored = record?.stored?.clients ?? [:]
        state.withLock { state in
            state.owed.merge(stored) { now, _ in now }
            if !state.owed.isEmpty, state.end == nil { start(&state, until: .distantPast) }
        }
    }

    /// Gives the clients their volumes in time, and waits for that, at most until then.
    func settle(until deadline: Instant) {
        turnUp(at: deadline + .milliseconds(-200))
        while true {
            ended.clear()
            guard end != nil, Instant.now < deadline else { return }
            waitForDescriptors(readable: ended.raw, until: deadline)
        }
    }

    private func start(_ state: inout State, until end: Instant) {
        // Without a thread the sound in the server's buffer is heard.
        guard let thread = try? DedicatedThread(name: .snapserver, { [self] in run() }) else { return }
        thread.detach()
        ended.clear()
        state.end = end
    }

    private func run() {
        repeat {
            if !isDue() { turnDownClients() }
            while !isDue() { clock.wait(readable: wakeUp.raw, until: end ?? .distantPast) }
            giveBack()
        } while !hasEnded()
        ended.signal()
    }

    private func isDue() -> Bool {
        wakeUp.clear()
        return end.map { clock.now >= $0 } ?? true
    }

    /// Whether the clients need not be turned down again.
    private func hasEnded() -> Bool {
        state.withLock { state in
            if let end = state.end, clock.now < end { return false }
            state.end = nil
            return true
        }
    }

    private var end: Instant? { state.withLock { $0.end } }

    private var connection: SnapserverConnection? {
        try? SnapserverConnection(address.host, address.control, until: .now + Self.timeout)
    }

    private func turnDownClients() {
        var connection = connection
        let audible = (connection?.clients(ofSource: address.source) ?? []).filter(\.isAudible)
        owe { for client in audible { $0[client.id] = client.volume } }
        for client in audible { _ = connection?.setVolume(of: client.id, 0) }
    }

    private func giveBack() {
        let owed = state.withLock(\.owed)
        guard !owed.isEmpty, var connection, let clients = connection.clients(ofSource: address.source) else { return }
        // A user who set another volume in the meantime keeps it. A client that the server does not know yet gets its volume later.
        let done = clients.filter { client in
            guard client.volume == 0, let volume = owed[client.id] else { return true }
            return connection.setVolume(of: client.id, volume, isMuted: client.isMuted)
        }
        owe { for client in done { $0[client.id] = nil } }
    }

    private func owe(_ change: (inout [String: Int64]) -> Void) {
        let owed = state.withLock { state in
            change(&state.owed)
            return state.owed
        }
        record?.store(owed, of: address)
    }

    /// Whether the server answers and has a stream from this source.
    static func hasStream(_ address: SnapserverAddress) throws(UnreachableHost) -> Bool {
        var connection = try SnapserverConnection(address.host, address.control, until: .now + timeout)
        return connection.streams(ofSource: address.source)?.isEmpty == false
    }
}

/// The file with the volumes of a server's clients that are turned down.
private struct VolumeRecord {
    let path: String

    var stored: (address: SnapserverAddress, clients: [String: Int64])? {
        guard let bytes = try? StoredFile.contents(of: path, limit: 1 << 20),
            let document = try? JSONValue(parsing: String(utf8: bytes)), let host = document["host"]?.stringValue,
            let control = document["control"]?.integerValue.flatMap(UInt16.init(exactly:)),
            let source = document["source"]?.integerValue.flatMap(UInt16.init(exactly:)),
            case .object(let members)? = document["clients"]
        else { return nil }
        let volumes = members.compactMap { member in member.value.integerValue.map { (member.name, $0) } }
        return (
            SnapserverAddress(host: host, control: control, source: source),
            Dictionary(volumes) { first, _ in first }
        )
    }

    /// If the disk is full, the volumes are lost only if the process also crashes before it restores them.
    func store(_ clients: [String: Int64], of address: SnapserverAddress) {
        guard !clients.isEmpty else {
            try? StoredFile.remove(path)
            return
        }
        let document: JSONValue = [
            "host": .string(address.host), "control": .integer(Int64(address.control)),
            "source": .integer(Int64(address.source)),
            "clients": .object(clients.map { .init($0.key, .integer($0.value)) }),
        ]
        try? StoredFile.replace(path, with: Array(document.text.utf8), isDurable: false)
    }
}
