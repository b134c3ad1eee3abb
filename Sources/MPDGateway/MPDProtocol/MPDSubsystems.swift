/// What `idle` reports: a set of MPD's subsystems.
struct MPDSubsystems: OptionSet, Hashable, Sendable {
    let rawValue: UInt16
    init(rawValue: UInt16) { self.rawValue = rawValue }

    static let database = MPDSubsystems(rawValue: 1 << 0)
    static let update = MPDSubsystems(rawValue: 1 << 1)
    static let storedPlaylist = MPDSubsystems(rawValue: 1 << 2)
    static let playlist = MPDSubsystems(rawValue: 1 << 3)
    static let player = MPDSubsystems(rawValue: 1 << 4)
    static let mixer = MPDSubsystems(rawValue: 1 << 5)
    static let output = MPDSubsystems(rawValue: 1 << 6)
    static let options = MPDSubsystems(rawValue: 1 << 7)
    static let sticker = MPDSubsystems(rawValue: 1 << 9)
    static let all = MPDSubsystems(rawValue: (1 << 14) - 1)

    /// By their bits.
    private static let names = [
        "database", "update", "stored_playlist", "playlist", "player", "mixer", "output", "options", "partition",
        "sticker", "subscription", "message", "neighbor", "mount",
    ]

    /// The subsystems with these names; all without any.
    init(names: [String]) throws(MPDError) {
        if names.isEmpty {
            self = .all
            return
        }
        self = []
        for name in names {
            guard let bit = Self.names.firstIndex(of: name) else {
                throw MPDError(.argument, "Unrecognized idle event: \(name)")
            }
            insert(MPDSubsystems(rawValue: 1 << UInt16(bit)))
        }
    }

    var names: [String] {
        Self.names.enumerated().filter { rawValue & (1 << UInt16($0.offset)) != 0 }.map(\.element)
    }
}
