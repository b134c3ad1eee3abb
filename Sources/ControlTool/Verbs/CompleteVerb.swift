internal import CommandLineTool
internal import Configuration
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

/// `complete KIND WORD BEFORE`: prints the names that a shell offers for WORD, one in each line, with a description after a tab. BEFORE
/// is the word before WORD. Without a daemon it prints nothing, because a shell shows completions in the middle of a command line.
enum CompleteVerb {
    /// What names belong to.
    enum Kind: String, CaseIterable {
        case feed, episode, title, playlist, output, setting, sleep, chapter, tag, command, bookmark, filter
        case feedSetting = "feed-setting"
        case feedValue = "feed-value"
        case settingValue = "setting-value"
    }

    private typealias Name = (name: String, meaning: String)

    /// More than a screen of a shell.
    private static let limit = 50

    private static let kind = ArgumentDeclaration("KIND", .choice(Kind.allCases.map(\.rawValue)), help: "")
    private static let word = ArgumentDeclaration("WORD", count: .optional, help: "")
    private static let before = ArgumentDeclaration("BEFORE", count: .optional, help: "")

    static var subcommand: SubcommandDeclaration {
        SubcommandDeclaration(
            ["complete"], "Print the names that begin with a word, for completions.", group: nil,
            arguments: [kind, word, before])
    }

    static func run(_ line: CommandLineUse) throws(ToolFailure) -> ExitStatus {
        guard let kind = line.parsed.text(kind).flatMap(Kind.init(rawValue:)) else { return .usage }
        let (word, before) = (line.parsed.text(word) ?? "", line.parsed.text(before) ?? "")
        let names: [Name]
        if let known = known(kind, word, after: before) {
            names = known
        } else {
            do throws(ClientFailure) {
                names = try Self.names(kind, word, ControlConnection(path: line.socket))
            } catch {
                return .unavailable
            }
        }
        for (name, meaning) in names {
            try line.streams.output.line("\(SafeText.line(name))\t\(SafeText.line(meaning))")
        }
        return .success
    }

    /// The names alone; none if there is no daemon.
    static func names(_ kind: Kind?, _ word: String, after before: String, socket: String) -> [String] {
        guard let kind else { return [] }
        if let known = known(kind, word, after: before) { return known.map(\.name) }
        guard let connection = try? ControlConnection(path: socket) else { return [] }
        return ((try? names(kind, word, connection)) ?? []).map { SafeText.line($0.name) }
    }

    /// Names that need no daemon; nil for other kinds.
    private static func known(_ kind: Kind, _ word: String, after before: String) -> [Name]? {
        switch kind {
        case .feedSetting: beginning(with: word, FeedSetting.allCases.map { ($0.rawValue, $0.help) })
        case .feedValue: beginning(with: word, FeedSetting(rawValue: before)?.kind.words ?? [])
        case .settingValue: beginning(with: word, SettingTable.declaration(before)?.kind.words ?? [])
        case .sleep: beginning(with: word, ["end-of-episode", "end-of-chapter", "off"])
        case .command:
            beginning(
                with: word,
                Verb.all.map(\.subcommand).filter { $0.group != nil && $0.words.count == 1 }
                    .map { ($0.name, $0.summary) })
        case .feed, .episode, .title, .playlist, .output, .setting, .chapter, .tag, .bookmark, .filter: nil
        }
    }

    private static func names(
        _ kind: Kind, _ word: String, _ connection: ControlConnection
    ) throws(ClientFailure) -> [Name] {
        switch kind {
        case .feed: try titles(.feed, word, connection)
        case .episode: try titles(.episode, word, connection)
        case .title: try whats(word, connection)
        case .playlist: try playlists(word, connection)
        case .output:
            try beginning(with: word, connection.call(ListOutputs()).outputs.map { ($0.name, $0.specification) })
        case .setting:
            try beginning(with: word, connection.call(ListSettings()).settings.map { ($0.key, $0.help) })
        case .chapter:
            // Without an episode there are none.
            beginning(
                with: word,
                [("next", ""), ("previous", "")]
                    + ((try? connection.call(ListChapters()))?.chapters ?? []).map(\.chapter).compactMap { chapter in
                        chapter.title.map { ($0, chapter.start.description) }
                    })
        case .tag: try beginning(with: word, tags(connection))
        case .bookmark:
            try beginning(
                with: word,
                connection.call(ListBookmarks()).bookmarks.map {
                    ("\($0.id.rawValue)", "\($0.position) \($0.title) \($0.text)")
                })
        case .filter: try conditions(word, connection)
        case .feedSetting, .feedValue, .settingValue, .sleep, .command: []
        }
    }

    /// Words that name episodes: titles, and the beginnings of other forms.
    private static func whats(_ word: String, _ connection: ControlConnection) throws(ClientFailure) -> [Name] {
        let (list, filter) = ("playlist:", "filter:")
        if word.hasPrefix(list) { return try playlists(String(word.dropFirst(list.count)), connection, behind: list) }
        if word.hasPrefix(filter) {
            return try conditions(String(word.dropFirst(filter.count)), connection)
                .map { (filter + $0.name, $0.meaning) }
        }
        let forms = word.isEmpty ? [] : beginning(with: word, [list, filter])
        return try titles(.any, word, connection) + forms
    }

    private static func playlists(
        _ word: String, _ connection: ControlConnection, behind prefix: String = ""
    ) throws(ClientFailure) -> [Name] {
        try beginning(with: word, connection.call(ListPlaylists()).playlists.map { ($0.name, $0.title) })
            .map { (prefix + $0.name, $0.meaning) }
    }

    private static func tags(_ connection: ControlConnection) throws(ClientFailure) -> [String] {
        Set(try connection.call(ListFeeds { $0.limit = largestPage }).feeds.flatMap(\.feed.tags)).sorted()
    }

    /// The last condition of a filter; see podcastd-rules(7).
    private static func conditions(_ text: String, _ connection: ControlConnection) throws(ClientFailure) -> [Name] {
        let start = text.lastIndex { $0 == " " || $0 == "(" }.map(text.index(after:)) ?? text.startIndex
        let word = String(text[start...])
        let states = [
            "new", "in-progress", "played", "unplayed", "starred", "downloaded", "noted", "skipped", "archived", "gone",
        ]
        let found: [String]
        if word.hasPrefix("is:") {
            found = states.map { "is:\($0)" }
        } else if word.hasPrefix("type:") {
            found = ["full", "trailer", "bonus"].map { "type:\($0)" }
        } else if word.hasPrefix("tag:") {
            found = try tags(connection).filter { !$0.contains(" ") }.map { "tag:\($0)" }
        } else {
            found = [
                "is", "feed", "tag", "title", "longer", "shorter", "older", "newer", "weekday", "season", "type",
            ].map { "\($0):" }
        }
        return beginning(with: word, found).map { (text[..<start] + $0.name, "") }
    }

    private static func titles(
        _ kind: CompletedKind, _ word: String, _ connection: ControlConnection
    ) throws(ClientFailure) -> [Name] {
        let reply = try connection.call(CompleteName { ($0.beginning, $0.kind, $0.limit) = (word, kind, limit) })
        return reply.names.map { name in
            (name.title, name.feedTitle.map { "\(name.label), \($0)" } ?? name.label)
        }
    }

    private static func beginning(with word: String, _ names: [String]) -> [Name] {
        beginning(with: word, names.map { ($0, "") })
    }

    private static func beginning(with word: String, _ names: [Name]) -> [Name] {
        names.filter { $0.name.lowercased().hasPrefix(word.lowercased()) }
    }
}

extension SubcommandDeclaration {
    /// Says what completions offer for the first argument.
    mutating func completeFirst(_ kind: CompleteVerb.Kind) {
        if !arguments.isEmpty { arguments[0].kind = .name(of: kind.rawValue) }
    }
}
