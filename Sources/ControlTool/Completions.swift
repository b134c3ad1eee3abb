internal import CommandLineTool
internal import Configuration
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

/// `complete KIND WORD BEFORE`: prints the names that a shell offers for WORD, one in each line, with a description after a tab. BEFORE
/// is the word before WORD. Without a daemon it prints nothing, because a shell shows completions in the middle of a command line.
struct CompleteVerb {
    /// What names belong to.
    enum Kind: String, CaseIterable {
        case feed, episode, title, playlist, output, setting, sleep, chapter, tag, command, bookmark, filter
        case feedSetting = "feed-setting"
        case feedValue = "feed-value"
        case settingValue = "setting-value"
    }

    typealias Name = (name: String, meaning: String)

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

    static func run(_ view: View) throws(ToolFailure) -> ExitStatus {
        guard let kind = view.parsed.text(kind).flatMap(Kind.init(rawValue:)) else { return .usage }
        let verb = CompleteVerb(
            word: view.parsed.text(word) ?? "", before: view.parsed.text(before) ?? "", socket: view.socket)
        guard let names = try? verb.names(kind) else { return .unavailable }
        for (name, meaning) in names {
            try view.streams.output.line("\(SafeText.line(name))\t\(SafeText.line(meaning))")
        }
        return .success
    }

    let word: String
    let before: String
    let socket: String

    /// The names that begin with the word. Connects to the daemon only for names that only the daemon knows.
    func names(_ kind: Kind) throws(ClientFailure) -> [Name] {
        switch kind {
        case .feed: return try titles(.feed)
        case .episode: return try titles(.episode)
        case .title: return try whats()
        case .playlist: return try playlists(word)
        case .filter: return try conditions(word)
        case .output: return try matching(call(ListOutputs()).outputs.map { ($0.name, $0.specification) })
        case .setting: return try matching(call(ListSettings()).settings.map { ($0.key, $0.help) })
        case .tag: return try matching(tags())
        case .chapter:
            // Without an episode there are none.
            let chapters = ((try? call(ListChapters()))?.chapters ?? []).map(\.chapter)
            return matching(
                [("next", ""), ("previous", "")]
                    + chapters.compactMap { chapter in chapter.title.map { ($0, chapter.start.description) } })
        case .bookmark:
            return try matching(
                call(ListBookmarks()).bookmarks.map { ("\($0.id)", "\($0.position) \($0.title) \($0.text)") })
        case .feedSetting: return matching(FeedSetting.allCases.map { ($0.rawValue, $0.help) })
        case .feedValue: return matching(FeedSetting(rawValue: before)?.kind.words ?? [])
        case .settingValue: return matching(SettingTable.declaration(before)?.kind.words ?? [])
        case .sleep: return matching(["end-of-episode", "end-of-chapter", "off"])
        case .command:
            let commands = Verb.all.map(\.subcommand).filter { $0.group != nil && $0.words.count == 1 }
            return matching(commands.map { ($0.name, $0.summary) })
        }
    }

    private func call<Called: Command>(_ command: Called) throws(ClientFailure) -> Called.Reply {
        try ControlConnection(path: socket).call(command)
    }

    /// Words that name episodes: titles, and the beginnings of other forms.
    private func whats() throws(ClientFailure) -> [Name] {
        let (list, filter) = ("playlist:", "filter:")
        if word.hasPrefix(list) {
            return try playlists(String(word.dropFirst(list.count))).map { (list + $0.name, $0.meaning) }
        }
        if word.hasPrefix(filter) {
            return try conditions(String(word.dropFirst(filter.count))).map { (filter + $0.name, $0.meaning) }
        }
        return try titles(.any) + (word.isEmpty ? [] : matching([list, filter]))
    }

    private func playlists(_ word: String) throws(ClientFailure) -> [Name] {
        try Self.matching(word, call(ListPlaylists()).playlists.map { ($0.name, $0.title) })
    }

    private func tags() throws(ClientFailure) -> [String] {
        Set(try call(ListFeeds { $0.limit = largestPage }).feeds.flatMap(\.feed.tags)).sorted()
    }

    /// The last condition of a filter; see podcastd-rules(7).
    private func conditions(_ text: String) throws(ClientFailure) -> [Name] {
        let start = text.lastIndex { $0 == " " || $0 == "(" }.map(text.index(after:)) ?? text.startIndex
        let word = String(text[start...])
        let found: [String]
        if word.hasPrefix("is:") {
            found = [
                "new", "in-progress", "played", "unplayed", "starred", "downloaded", "noted", "skipped", "archived",
                "gone",
            ].map { "is:\($0)" }
        } else if word.hasPrefix("type:") {
            found = ["full", "trailer", "bonus"].map { "type:\($0)" }
        } else if word.hasPrefix("tag:") {
            found = try tags().filter { !$0.contains(" ") }.map { "tag:\($0)" }
        } else {
            found = [
                "is", "feed", "tag", "title", "longer", "shorter", "older", "newer", "weekday", "season", "type",
            ].map { "\($0):" }
        }
        return Self.matching(word, found.map { ($0, "") }).map { (text[..<start] + $0.name, "") }
    }

    private func titles(_ kind: CompletedKind) throws(ClientFailure) -> [Name] {
        try call(CompleteName { ($0.beginning, $0.kind, $0.limit) = (word, kind, Self.limit) }).names.map { name in
            (name.title, name.feedTitle.map { "\(name.label), \($0)" } ?? name.label)
        }
    }

    private func matching(_ names: [String]) -> [Name] { matching(names.map { ($0, "") }) }

    private func matching(_ names: [Name]) -> [Name] { Self.matching(word, names) }

    private static func matching(_ word: String, _ names: [Name]) -> [Name] {
        names.filter { $0.name.lowercased().hasPrefix(word.lowercased()) }
    }
}

extension SubcommandDeclaration {
    /// Says what completions offer for the first argument.
    mutating func completeFirst(_ kind: CompleteVerb.Kind) {
        if !arguments.isEmpty { arguments[0].kind = .name(of: kind.rawValue) }
    }
}

/// What may follow in a command line of podcastctl, for programs that read such lines themselves.
public enum LineCompletions {
    /// What a word may become.
    public struct Wanted: Equatable, Sendable {
        /// Commands, options or their values that begin as the word does.
        public var words: [String] = []
        /// Names that only the daemon knows: the first argument of `podcastctl complete`; nil for none.
        public var names: String?
    }

    /// The candidates for a word. Asks the daemon and waits for its answer.
    public static func candidates(after words: [String], beginning: String, socket: String) -> [String] {
        let wanted = wanted(after: words, beginning: beginning)
        guard let kind = wanted.names.flatMap(CompleteVerb.Kind.init) else { return wanted.words }
        let verb = CompleteVerb(word: beginning, before: words.last ?? "", socket: socket)
        return wanted.words + ((try? verb.names(kind)) ?? []).map { SafeText.line($0.name) }
    }

    /// What a word may become, without the daemon.
    ///
    /// - Parameters:
    ///   - words: the whole words before it.
    ///   - beginning: what is typed of it.
    public static func wanted(after words: [String], beginning: String) -> Wanted {
        let commands = Verb.all.map(\.subcommand).filter { $0.group != nil }
        guard let first = words.first else { return Wanted(words: unique(commands.map { $0.words[0] }, beginning)) }
        let seconds = words.count > 1 ? [] : commands.filter { $0.words.count > 1 && $0.words[0] == first }
        let verbs = unique(seconds.map { $0.words[1] }, beginning)
        guard let command = Verb.named(VerbNames.spelledOut(words[...]))?.subcommand else {
            return Wanted(words: verbs)
        }
        if beginning.hasPrefix("-") {
            return Wanted(words: unique(command.options.filter { !$0.isHidden }.map { "--\($0.name)" }, beginning))
        }
        if let option = command.options.first(where: { "--\($0.name)" == words.last }), option.placeholder != nil {
            return values(option.kind, beginning)
        }
        let index = max(0, words.count - command.words.count)
        let last = command.arguments.last.flatMap { $0.count == .any || $0.count == .some ? $0 : nil }
        let argument = index < command.arguments.count ? command.arguments[index] : last
        var wanted = argument.map { values($0.offered, beginning) } ?? Wanted()
        wanted.words = verbs + wanted.words
        return wanted
    }

    private static func values(_ kind: ValueKind, _ beginning: String) -> Wanted {
        switch kind {
        case .choice(let words): Wanted(words: unique(words, beginning))
        case .name(let kind): Wanted(names: kind)
        case .text, .file, .folder, .integer, .limit, .number, .time: Wanted()
        }
    }

    private static func unique(_ words: [String], _ beginning: String) -> [String] {
        Set(words).filter { $0.hasPrefix(beginning) }.sorted()
    }
}
