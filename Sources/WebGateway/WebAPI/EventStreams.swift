internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import PodcastModel

/// The status as server-sent events: what each new client gets first, and each change after it.
struct EventStreams: Equatable {
    private var values = SnapshotReply.Parts()
    private var sequence: UInt64 = 0

    /// Keeps a connection open through proxies, and notices clients that have gone.
    static let heartbeat = Array(":\n\n".utf8)
    /// Tells clients that the daemon does not answer; a snapshot follows when it does again.
    static let lost = bytes("lost", nil, "{}")
    /// Bytes that a client may leave unread before it is disconnected; browsers then connect again.
    static let maximumUnread = 2 << 20

    /// Stores the status after connecting to the daemon.
    mutating func receive(_ snapshot: SnapshotReply) {
        sequence = snapshot.sequence
        values = snapshot.parts
    }

    /// - Returns: the event for clients that watch the part, by what they may see.
    mutating func receive(_ change: EventReply) -> (CommandDeclaration.Permission) -> [UInt8] {
        sequence = change.sequence
        values[change.part] = change.value
        let sequence = change.sequence
        let json = change.json
        return { Self.bytes("change", sequence, json.showing(to: $0).text) }
    }

    /// What a client gets first: the values of its parts. A browser cannot compute the position from `instant`, because it does not
    /// know this machine's clock, so the position is that of `now`.
    func snapshot(of parts: [StatusPart], at now: Instant, to permission: CommandDeclaration.Permission) -> [UInt8] {
        var known = SnapshotReply.Parts()
        for part in parts { known[part] = values[part] }
        if let player = known[.player].flatMap({ PlayerReply(json: $0) }) {
            known[.player] = player.state(at: now).json
        }
        let snapshot = SnapshotReply(sequence: sequence, parts: known).json
        return Self.bytes("snapshot", sequence, snapshot.showing(to: permission).text)
    }

    /// JSON has no line breaks outside of its texts, where they are escaped, so that one `data` line holds it.
    private static func bytes(_ name: String, _ sequence: UInt64?, _ data: String) -> [UInt8] {
        Array(((sequence.map { "id: \($0)\n" } ?? "") + "event: \(name)\ndata: \(data)\n\n").utf8)
    }
}
