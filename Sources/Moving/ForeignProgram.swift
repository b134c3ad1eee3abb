/// A program whose database can be read.
public enum ForeignProgram: String, CaseIterable, Sendable {
    /// gPodder 3: `Database`.
    case gpodder
    /// castero: `castero.db`.
    case castero
    /// newsboat and podboat: `cache.db`, with the files `urls` and `queue` beside it.
    case newsboat
    /// AntennaPod: what its "Database export" writes.
    case antennapod

    /// Its name for people.
    public var title: String {
        switch self {
        case .gpodder: "gPodder"
        case .castero: "castero"
        case .newsboat: "newsboat"
        case .antennapod: "AntennaPod"
        }
    }

    /// Tables that its databases have, in lower case, and no other's all of.
    var tables: [String] {
        switch self {
        case .gpodder: ["podcast", "episode", "version"]
        case .castero: ["feed", "episode"]
        case .newsboat: ["rss_feed", "rss_item"]
        case .antennapod: ["feeds", "feeditems", "feedmedia"]
        }
    }
}
