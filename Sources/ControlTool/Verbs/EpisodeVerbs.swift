internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import Presentation

// MARK: lists

/// `search TEXT…` and `new [FEED]`: other names of `episodes` with an option.
enum EpisodeWords {
    static let text = ArgumentDeclaration(
        "TEXT", isRepeatable: true, help: "Words, \"phrases\" and word beginnings, see podcastd-search(7).")
    static let search = OptionDeclaration("search", nil, "TEXT", help: "")

    static func subcommand(
        _ word: String, _ summary: String, _ change: (inout SubcommandDeclaration) -> Void
    ) -> SubcommandDeclaration {
        var subcommand = VerbSpelling.subcommand(for: ListEpisodes.self)
        subcommand.words = [word]
        subcommand.summary = summary
        change(&subcommand)
        return subcommand
    }
}

protocol EpisodePageVerb: PagedVerb, PagedCommand where Reply.Row == EpisodeReply, Cursor == String? {
    static var list: WritableKeyPath<Reply, EpisodeListReply> { get }
}

extension EpisodePageVerb {
    static func cursor(of row: EpisodeReply) -> String? { row.key }

    var limit: Int {
        get { page.limit }
        set { page.limit = newValue }
    }

    var after: String? {
        get { page.after }
        set { page.after = newValue }
    }

    /// A page may hold fewer rows than were asked for, although more follow.
    mutating func advance(past reply: Reply) -> Bool {
        guard let next = reply[keyPath: Self.list].next, next != after else { return false }
        after = next
        return true
    }

    static func append(_ page: Reply, to reply: inout Reply) {
        let more = page[keyPath: list]
        reply[keyPath: Reply.rows] += more.episodes
        reply[keyPath: list].hasAfter = more.hasAfter
        reply[keyPath: list].next = more.next
    }
}

extension ListEpisodes: EpisodePageVerb, TableVerb {
    private static let legend =
        "STATE: n unplayed, i in progress, p played, s skipped by a rule, a archived by retention; * starred, d downloaded, "
        + "- no longer in its feed. A search has one more field in a pipe: what it found."

    static var details: [String] { [legend] }

    static let table: [TableColumn<EpisodeReply>] = [
        .init("ID", .right) { $0.episode.id.label },
        .init("DATE", dropRank: 2) { row, view in view.date(row.episode.published) },
        .init("STATE", dropRank: 1) { row, view in view.isSpoken ? row.episode.spokenMarks : row.episode.marks },
        .init("TITLE", minimum: 16) { row in
            row.unplayable.map { "\(row.episode.title) [\($0): cannot be played]" } ?? row.episode.title
        },
        .init("FEED", minimum: 8, dropRank: 3, says: "from {}") { $0.episode.feedTitle },
        .init("TIME", .right) { row, view in row.episode.timeText(isSpoken: view.isSpoken) },
        .init(name: "PART (S2 E5, trailer, or nothing)", dropRank: 2) { row, _ in row.episode.part ?? "" },
    ]

    static let none = "no episodes"
    static var list: WritableKeyPath<EpisodeListReply, EpisodeListReply> { \.self }

    mutating func complete(_ view: View) {
        filter = filter.map { FilterWords.joined([$0]) }
        let words = view.texts(EpisodeWords.text)
        if !words.isEmpty { search = words.joinedText(" ") }
        if view.parsed.subcommand?.words == ["new"] {
            filter = [filter, "is:new"].compactMap(\.self).joinedText(" ")
        }
    }

    private static let onlyExcluding = "no episodes, because all words are excluded; add a word that they contain"

    private static func isOnlyExcluding(_ view: View) -> Bool {
        let search = view.text(EpisodeWords.search) ?? view.texts(EpisodeWords.text).joinedText(" ")
        let words = search.split(separator: " ")
        return !words.isEmpty && words.allSatisfy { $0.hasPrefix("-") }
    }

    static func show(_ list: EpisodeListReply, _ view: View) {
        // On a terminal excerpts follow the table.
        let hasExcerptsBelow = view.isTerminal && !view.isSpoken
        var rows = cells(of: list.episodes, view)
        for (index, row) in list.episodes.enumerated() where !row.excerpt.isEmpty && !hasExcerptsBelow {
            rows[index].append(Excerpts.marked(row.excerpt, view.terminal))
        }
        view.table(columns, rows, empty: isOnlyExcluding(view) ? onlyExcluding : none)
        if hasExcerptsBelow { Excerpts.show(list.episodes, view) }
        if list.hasAfter, !rows.isEmpty { view.more("\(rows.count) of \(list.count.text); more: --limit all") }
    }
}

extension Episode {
    private var stage: (letter: String, words: String) {
        switch state.hiddenReason {
        case .skipped: ("s", "skipped by a rule")
        case .archived: ("a", "archived")
        case nil: state.isPlayed ? ("p", "played") : isInProgress ? ("i", "in progress") : ("n", "unplayed")
        }
    }

    /// Letters rather than symbols, because every font has them.
    fileprivate var marks: String {
        stage.letter + (state.isStarred ? "*" : "") + (state.isDownloaded ? "d" : "") + (isGone ? "-" : "")
    }

    fileprivate var spokenMarks: String {
        stage.words + (state.isStarred ? ", starred" : "") + (state.isDownloaded ? ", downloaded" : "")
            + (isGone ? ", no longer in its feed" : "")
    }
}

// MARK: one episode

extension ShowEpisode: CommandVerb {
    static let html = OptionDeclaration(flag: "html", help: "Print only the notes, as HTML.")

    static let options = [html]

    func run(_ view: View) throws(ToolFailure) -> ExitStatus {
        var command = self
        command.fetches = true
        var feed: NamedCandidate?
        do throws(ToolFailure) {
            let reply = try view.call(&command) { failure in
                if case .refused(let refusal) = failure, refusal.candidates.count == 1 { feed = refusal.candidates[0] }
                return nil
            }
            return try finish(reply, view)
        } catch {
            guard let feed, feed.isFeed else { throw error }
            try ShowFeed.checkTemplate(view)
            return try ShowFeed { $0.feed = feed.label }.run(view)
        }
    }

}

extension EpisodeDetailReply: ShownReply {
    func show(_ view: View) {
        if view.isSet(ShowEpisode.html) { return view.output.line(SafeText.lines(html ?? "")) }
        let episode = episode.episode
        let state = episode.state
        view.heading(episode.title)
        view.rows([
            "feed:": episode.feedTitle, "id:": episode.id.label, "published:": view.timeInText(episode.published),
            "duration:": episode.duration?.description,
            "position:": state.position > .zero ? state.position.description : nil,
            "state:": state.isPlayed ? "played" : episode.isInProgress ? "in progress" : "unplayed",
            "hidden:": state.hiddenReason?.rawValue,
            "rule:": ruleAct.map { "\($0.rule) did \($0.action) at \(view.timeInText($0.time))" },
            "starred:": state.isStarred ? "yes" : nil, "download:": state.isDownloaded ? "on disk" : download,
            "path:": path, "in the feed:": episode.isGone ? "no longer" : nil, "season:": seasonLine,
            "file:": episode.enclosure.url, "cannot be played:": self.episode.unplayable, "page:": episode.link,
            "note:": state.note,
        ])
        for bookmark in bookmarks {
            view.row("bookmark \(bookmark.id):", "\(bookmark.place) \(bookmark.text)")
        }
        for line in DetailLines.lines(details) + DetailLines.support(feedDetails) { view.row(line.name, line.text) }
        for reply in chapters {
            let mark = reply.isSkipped ? " (skipped)" : ""
            view.row("chapter:", "\(reply.chapter.start) \(reply.chapter.title ?? "")\(mark)")
        }
        guard let notes, !notes.isEmpty else { return }
        view.output.line()
        view.lines(PlainNotes.wrapped(notes, view.terminal.width))
    }
}

extension ListChapters: TableVerb {
    static let none = "no chapters"

    static let table: [TableColumn<(number: Int, reply: ChapterReply)>] = [
        .init("N", .right) { "\($0.number)" },
        .init("START", .right, says: "at {}") { $0.reply.chapter.start.description },
        .init("TITLE", minimum: 16) { $0.reply.chapter.title ?? "" },
        .init("LINK", dropRank: 1) { $0.reply.chapter.link ?? "" },
        .init("STATE") { $0.reply.isSkipped ? "skipped" : "" },
    ]

    static func rows(of reply: ChapterListReply) -> [(number: Int, reply: ChapterReply)] {
        reply.chapters.enumerated().map { ($0 + 1, $1) }
    }

    static func show(_ reply: ChapterListReply, _ view: View) {
        if reply.chapters.isEmpty { return view.nothing("\(reply.title): \(none)") }
        showRows(rows(of: reply), view)
    }
}

extension EpisodesMarkedReply: ShownReply {
    /// Shows what a command did and to which episode, or to how many.
    func show(_ view: View) {
        named.show(view)
        let command = view.parsed.subcommand?.name ?? ""
        let done =
            ["star": "starred", "unstar": "star removed"][command]
            ?? "marked as \(view.words.first ?? "")"
        let only = named.count == 1 && named[0].kind == .episode ? named[0] : nil
        let already = only == nil && alreadyPlayed > 0 ? ", \(alreadyPlayed) already played" : ""
        let line = "\(only?.title ?? counted(episodes.count, "episode"))\(already)"
        view.line("\(only != nil && alreadyPlayed > 0 ? "already played" : done): \(line)")
    }
}

extension [NamedReply] {
    /// Shows what each of several words became.
    func show(_ view: View) {
        if count < 2 { return }
        for row in self {
            let id = row.id.map { "\(row.kind == .feed ? "f" : "e")\($0)" }
            let name = row.title.map { "\(id ?? "") \($0)" } ?? row.what
            view.line(row.kind == .episode ? name : "\(name): \(counted(row.count, "episode"))")
        }
    }
}

extension NoteEpisode: CommandVerb {
    /// Where the title ends and the note begins: at `--`, else after the first word.
    static func command(_ view: View) -> any CommandVerb {
        let words = view.words
        let dashes = view.parsed.countBeforeDashes.flatMap { (1..<words.count).contains($0) ? $0 : nil }
        let title = Array(words[..<(dashes ?? 1)]).joinedText(" ")
        let text = Array(words[(dashes ?? 1)...]).joinedText(" ")
        // Unquoted words may all belong to the title, so the first one is taken only for a whole title.
        let isQuoted = title.contains(" ") || text.isEmpty || words.count == 2 && text.contains(" ")
        let isExact = dashes == nil && !isQuoted && !isID(title)
        return NoteEpisode {
            $0.episode = title
            $0.text = text
            $0.isExact = isExact
        }
    }

    /// Whether the daemon reads a word as an id, an index or a URL, never as a title: `e3124`, `f5`, `#7` or `3124`.
    private static func isID(_ word: String) -> Bool {
        let hasLetter = word.utf8.first.map { byte in "ef#".utf8.contains(byte) } ?? false
        let digits = hasLetter ? word.utf8.dropFirst() : word.utf8[...]
        let isNumber = digits.allSatisfy(\.isDigit)
        return word.contains("://") || !digits.isEmpty && isNumber
    }

    func run(_ view: View) throws(ToolFailure) -> ExitStatus {
        var request = self
        let reply = try view.call(&request) { error in
            guard isExact, case .refused(let refusal) = error,
                refusal.code == .notFound || !refusal.candidates.isEmpty
            else { return nil }
            var failure = ToolFailure(error)
            failure.hint = "write the episode's id, quote its title, or put -- between the title and the note"
            return failure
        }
        return try finish(reply, view)
    }

}

extension EpisodeNotedReply: OneLineReply {
    var line: String { note.map { "note saved for: \(title): \($0)" } ?? "note removed from: \(title)" }
}

extension PositionSetReply: OneLineReply {
    var line: String { "\(isChanged ? "" : "unchanged: ")\(title) is at \(position)" }
}

// MARK: history

extension ListHistory: PagedVerb, TableVerb {
    private static let legend =
        "EVENT: heard, playback stopped at POSITION, from 30 s or 1 % on, and did not continue within an hour; played, "
        + "heard to the end. With --all each stop, and also left, a seek left from there; marked, marked as played; "
        + "unplayed, marked as unplayed; queued, by a rule."

    static var details: [String] { [legend] }

    static let all = OptionDeclaration(flag: "all", help: "Also list each stop, marks, seeks and what rules queued.")

    static let options = [all]

    mutating func complete(_ view: View) { heardOnly = !view.isSet(Self.all) }

    static func cursor(of row: HeardReply) -> String? { row.key }
    static let none = "history is empty"

    /// On a terminal, the day is shown once.
    static func show(_ reply: HistoryReply, _ view: View) {
        var shown = cells(of: rows(of: reply), view)
        var day: Substring = ""
        for index in shown.indices where view.isTerminal && !view.isSpoken {
            let parts = shown[index][0].split(separator: " ")
            if parts[0] == day { shown[index][0] = String(parts[1]) }
            day = parts[0]
        }
        view.table(columns, shown, empty: none)
        showMore(reply, view)
    }

    static let table: [TableColumn<HeardReply>] = [
        .init("TIME", .right, dropRank: 1) { row, view in view.time(row.record.time) },
        .init("EVENT", dropRank: 2) { $0.record.event.rawValue },
        .init("POSITION", .right, says: "at {}") {
            $0.record.event == .queued ? "" : $0.record.position.description
        },
        .init("EPISODE", .right, dropRank: 3) { $0.record.episode.label },
        .init("TITLE", minimum: 12) { row in row.record.title + (row.record.reason.map { "  (\($0))" } ?? "") },
    ]
}
