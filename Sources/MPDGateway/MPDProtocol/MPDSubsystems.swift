/// What `idle` reports: a set of MPD's subsystems.
public struct MPDSubsystems: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let database = MPDSubsystems(rawValue: 1 << 0)
    public static let update = MPDSubsystems(rawValue: 1 << 1)
    public static let storedPlaylist = MPDSubsystems(rawValue: 1 << 2)
    public static let playlist = MPDSubsystems(rawValue: 1 << 3)
    public static let player = MPDSubsystems(rawValue: 1 << 4)
    public static let mixer = MPDSubsystems(rawValue: 1 << 5)
    public static let output = MPDSubsystems(rawValue: 1 << 6)
    public static let options = MPDSubsystems(rawValue: 1 << 7)
    public static let partition = MPDSubsystems(rawValue: 1 << 8)
    public static let sticker = MPDSubsystems(rawValue: 1 << 9)
    public static let subscription = MPDSubsystems(rawValue: 1 << 10)
    public static let message = MPDSubsystems(rawValue: 1 << 11)
    public static let neighbor = MPDSubsystems(rawValue: 1 << 12)
    public static let mount = MPDSubsystems(rawValue: 1 << 13)
    public static let all = MPDSubsystems(rawValue: (1 << 14) - 1)

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
