internal import CommandLineTool
internal import Configuration
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import SystemCalls

/// The names that completions offer. Without a daemon there are none, because a shell shows completions in the middle of a
/// command line.
public enum Completions {
    /// More than a screen of a shell.
    private static let limit = 50
    /// The longest wait for a completion.
    private static let patience = Duration.seconds(1)

    /// - Parameter words: the words before the name; `--socket PATH` among them names the daemon.
    static func names(_ kind: String, _ beginning: String, after words: [String]) -> [Candidate] {
        guard let kind = OfferedNames(rawValue: kind) else { return [] }
        return (try? names(kind, beginning, words)) ?? []
    }

    private static func connection(_ words: [String]) throws(ClientFailure) -> ControlConnection {
        let option = words.lastIndex(of: "--socket").map { words.index(after: $0) }
        let socket = option.flatMap { $0 < words.count ? words[$0] : nil }
        let path = SocketDiscovery(explicit: socket, variable: CurrentProcess.variable).path
        let connection = try ControlConnection(path: path)
        connection.timeout = patience
        return connection
    }

    /// Completions of the last word of a command line, without paths. Asks the daemon and waits for the answer, a second at most.
    public static func words(of line: [String], socket: String) -> [String] {
        ControlProgram.declaration.completions(of: ["--socket", socket] + line).filter { !$0.standsForPaths }
            .map { SafeText.line($0.word) }
    }

    private static func names(_ kind: OfferedNames, _ word: String, _ words: [String]) throws(ClientFailure)
        -> [Candidate]
    {
        let before = words.last ?? ""
        return switch kind {
        case .feedSetting: beginning(with: word, FeedSetting.allCases.map { Candidate($0.rawValue, $0.help) })
        case .feedValue: beginning(with: word, FeedSetting(rawValue: before)?.kind.words ?? [])
        case .settingValue: beginning(with: word, SettingTable.declaration(before)?.kind.words ?? [])
        case .sleep: beginning(with: word, ["end-of-episode", "end-of-chapter", "off"])
        case .command:
            beginning(
                with: word,
                Verb.all.map(\.subcommand).filter { $0.group != nil && $0.words.count == 1 }
                    .map { Candidate($0.name, $0.summary) })
        case .feed: try titles(.feed, word, connection(words))
        case .episode: try titles(.episode, word, connection(words))
        case .title: try whats(word, connection(words))
        case .playlist: try playlists(word, connection(words))
        case .output:
            try beginning(
                with: word, connection(words).call(ListOutputs()).rows.map { Candidate($0.name, $0.specification) })
        case .setting:
            try beginning(with: word, connection(words).call(ListSettings()).rows.map { Candidate($0.key, $0.help) })
        case .chapter:
            // Without an episode there are none.
            beginning(
                with: word,
                [Candidate("next"), Candidate("previous")]
                    + ((try? connection(words).call(ListChapters()))?.chapters ?? []).map(\.chapter).compactMap {
                        chapter in
                        chapter.title.map { Candidate($0, chapter.start.description) }
                    })
        case .tag:
            try beginning(
                with: word,
                Set(connection(words).call(ListFeeds { $0.limit = largestPage }).rows.flatMap(\.feed.tags)).sorted())
        case .bookmark:
            try beginning(
                with: word,
                connection(words).call(ListBookmarks()).rows.map {
                    Candidate("\($0.id.rawValue)", "\($0.position) \($0.title) \($0.text)")
                })
        }
    }

    /// Words that name episodes: titles, and the beginnings of other forms.
    private static func whats(_ word: String, _ connection: ControlConnection) throws(ClientFailure) -> [Candidate] {
        let list = "playlist:"
        if word.hasPrefix(list) { return try playlists(String(word.dropFirst(list.count)), connection, behind: list) }
        let forms = word.isEmpty ? [] : beginning(with: word, [list, "filter:"])
        return try titles(.any, word, connection) + forms
    }

    private static func playlists(
        _ word: String, _ connection: ControlConnection, behind prefix: String = ""
    ) throws(ClientFailure) -> [Candidate] {
        try beginning(with: word, connection.call(ListPlaylists()).rows.map { Candidate($0.name, $0.title) })
            .map { Candidate(prefix + $0.word, $0.description) }
    }

    private static func titles(
        _ kind: CompletedKind, _ word: String, _ connection: ControlConnection
    ) throws(ClientFailure) -> [Candidate] {
        let reply = try connection.call(
            CompleteName {
                $0.beginning = word
                $0.kind = kind
                $0.limit = limit
            })
        return reply.rows.map { name in
            Candidate(name.title, name.feedTitle.map { "\(name.label), \($0)" } ?? name.label)
        }
    }

    private static func beginning(with word: String, _ names: [String]) -> [Candidate] {
        beginning(with: word, names.map { Candidate($0) })
    }

    private static func beginning(with word: String, _ names: [Candidate]) -> [Candidate] {
        names.filter { $0.word.lowercased().hasPrefix(word.lowercased()) }
    }
}
