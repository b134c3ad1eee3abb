enum ForeignProgram: String, CaseIterable {
    /// gPodder 3: `Database`.
    case gpodder
    /// castero: `castero.db`.
    case castero
    /// newsboat and podboat: `cache.db`, with the files `urls` and `queue` beside it.
    case newsboat
    /// AntennaPod: the file of its "Database export".
    case antennapod

    var title: String {
        switch self {
        case .gpodder: "gPodder"
        case .castero: "castero"
        case .newsboat: "newsboat"
        case .antennapod: "AntennaPod"
        }
    }

    /// Tables that identify its databases, in lower case.
    var tables: [String] {
        switch self {
        case .gpodder: ["podcast", "episode", "version"]
        case .castero: ["feed", "episode"]
        case .newsboat: ["rss_feed", "rss_item"]
        case .antennapod: ["feeds", "feeditems", "feedmedia"]
        }
    }
}
