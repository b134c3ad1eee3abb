internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import PodcastModel
internal import Presentation

// MARK: lists

/// A command whose page may hold fewer rows than it was asked for, although more follow.
protocol EpisodePageVerb: CommandVerb, PagedCommand {
    static func list(_ reply: inout Reply, _ change: (inout EpisodeListReply) throws(ToolFailure) -> Void)
        throws(ToolFailure)
}

extension EpisodePageVerb {
    /// The ID of the option `--after`.
    static var after: OptionDeclaration {
        OptionDeclaration(
            "after", nil, "ID", help: "Show the rows that follow this one: an episode's id, or a key or next of --json."
        )
    }

    /// Asks for pages until there are as many rows as were wanted.
    static func filled(_ command: Self, _ view: View) throws(ToolFailure) -> Reply {
        let wanted = view.line.wantedRows(default: command.page.limit)
        var request = command
        if let id = view.line.parsed.text(after) {
            request.page.after = try view.pageKey(id)
        }
        var reply = try view.call(settling: &request)
        try list(&reply) { (rows) throws(ToolFailure) in
            while rows.episodes.count < wanted, rows.hasAfter, let next = rows.next {
                request.page.after = next
                request.page.limit = min(largestPage, wanted - rows.episodes.count)
                var page = try view.call(request)
                try list(&page) { (more) throws(ToolFailure) in
                    rows.episodes += more.episodes
                    // A page that ends where the one before ended would be followed for ever.
                    (rows.hasAfter, rows.next) = (more.hasAfter, more.next == next ? nil : more.next)
                }
            }
        }
        return reply
    }
}

extension View {
    /// The key of the row that `--after` names: an episode's id, or the `key` of a row in JSON.
    func pageKey(_ word: String) throws(ToolFailure) -> String? {
        IdWord.isNumber(word) ? try call(ShowEpisode { $0.episode = word }).episode.key : word
    }
}

extension ListEpisodes: EpisodePageVerb, TableVerb {
    private static let legend =
        "STATE: n unplayed, i in progress, p played, s skipped by a rule, a archived by retention; * starred, d downloaded, "
        + "- no longer in its feed. A search has one more field in a pipe: what it found."

    static func adjust(_ subcommand: inout SubcommandDeclaration) {
        subcommand.options.append(after)
    }

    static var details: [String] { [legend] }

    static let table: [TableColumn<EpisodeReply>] = [
        .init("ID", .right, cell: \.episode.id.label),
        .init("DATE", dropRank: 2) { row, view in view.date(row.episode.published) },
        .init("STATE", dropRank: 1) { row, view in view.isSpoken ? row.episode.spokenMarks : row.episode.marks },
        .init("TITLE", minimum: 16) { row, _ in
            row.unplayable.map { "\(row.episode.title) [\($0): cannot be played]" } ?? row.episode.title
        },
        .init("FEED", minimum: 8, dropRank: 3, says: "from {}", cell: \.episode.feedTitle),
        .init("TIME", .right, cell: \.episode.timeText),
    ]

    static let none = "no episodes"
    static func rows(of reply: EpisodeListReply) -> [EpisodeReply] { reply.episodes }

    static func run(_ line: CommandLineUse) throws(ToolFailure) -> ExitStatus {
        var command = try command(line)
        command.filter = command.filter.map { FilterWords.joined([$0]) }
        let words = Array(line.parsed.texts(SearchVerb.text))
        if !words.isEmpty { command.search = words.joinedText(" ") }
        if line.parsed.subcommand?.words == NewVerb.words {
            command.filter = [command.filter, "is:new"].compactMap(\.self).joinedText(" ")
        }
        let view = try line.connect()
        return try finish(filled(command, view), view)
    }

    private static let onlyExcluding = "no episodes, because all words are excluded; add a word that they contain"

    private static func isOnlyExcluding(_ view: View) -> Bool {
        let option = OptionDeclaration("search", nil, "TEXT", help: "")
        let search = view.line.parsed.text(option) ?? Array(view.line.parsed.texts(SearchVerb.text)).joinedText(" ")
        let words = search.split(separator: " ")
        return !words.isEmpty && words.allSatisfy { $0.hasPrefix("-") }
    }

    static func list(
        _ reply: inout EpisodeListReply, _ change: (inout EpisodeListReply) throws(ToolFailure) -> Void
    ) throws(ToolFailure) { try change(&reply) }

    static func show(_ list: EpisodeListReply, _ view: View) throws(ToolFailure) {
        // On a terminal excerpts follow the table.
        let hasExcerptsBelow = view.terminal.width != nil && !view.isSpoken
        var rows = cells(of: list.episodes, view)
        for (index, row) in list.episodes.enumerated() where !row.excerpt.isEmpty && !hasExcerptsBelow {
            rows[index].append(Excerpts.marked(row.excerpt, view.terminal))
        }
        try view.table(columns, rows, empty: isOnlyExcluding(view) ? onlyExcluding : none)
        if hasExcerptsBelow { try Excerpts.show(list.episodes, view) }
        if list.hasAfter, !rows.isEmpty {
            try view.more("\(rows.count) of \(list.count.text); more: --limit all, --after \(rows[rows.count - 1][0])")
        }
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

    static func adjust(_ subcommand: inout SubcommandDeclaration) { subcommand.options = [html] }

    /// Shows a feed if WHAT is one.
    static func run(_ line: CommandLineUse) throws(ToolFailure) -> ExitStatus {
        var command = try command(line)
        command.fetches = true
        let view = try line.connect()
        switch try view.outcome(settling: &command) {
        case .success(let answer): return try finish(answer, view)
        case .failure(let error):
            guard case .refused(let refusal) = error, refusal.candidates.count == 1,
                let feed = refusal.candidates.first, feed.kind == "feed"
            else { throw ToolFailure(error) }
            return try ShowFeed.answer(ShowFeed { $0.feed = feed.label }, view)
        }
    }

    static func show(_ detail: EpisodeDetailReply, _ view: View) throws(ToolFailure) {
        if view.isSet(html) { return try view.output.line(SafeText.lines(detail.html ?? "")) }
        let episode = detail.episode.episode
        let state = episode.state
        try view.output.line(view.terminal.styled(SafeText.line(episode.title), .bold))
        try view.row("feed:", episode.feedTitle)
        try view.row("id:", episode.id.label)
        try view.row("published:", view.timeInText(episode.published))
        try view.row("duration:", episode.duration?.description)
        if state.position > .zero { try view.row("position:", state.position.description) }
        try view.row("state:", state.isPlayed ? "played" : episode.isInProgress ? "in progress" : "unplayed")
        try view.row("hidden:", state.hiddenReason?.rawValue)
        if let act = detail.ruleAct {
            try view.row("rule:", "\(act.rule) did \(act.action) at \(view.timeInText(act.time))")
        }
        if state.isStarred { try view.row("starred:", "yes") }
        try view.row("download:", state.isDownloaded ? "on disk" : detail.download)
        try view.row("path:", detail.path)
        if episode.isGone { try view.row("in the feed:", "no longer") }
        try view.row("season:", detail.seasonLine)
        try view.row("file:", episode.enclosure.url)
        try view.row("cannot be played:", detail.episode.unplayable)
        try view.row("page:", episode.link)
        try view.row("note:", state.note)
        for bookmark in detail.bookmarks {
            try view.row("bookmark \(bookmark.id):", "\(bookmark.place) \(bookmark.text)")
        }
        for line in DetailLines.lines(detail.details) + DetailLines.support(detail.feedDetails) {
            try view.row(line.name, line.text)
        }
        for reply in detail.chapters {
            let mark = reply.isSkipped ? " (skipped)" : ""
            try view.row("chapter:", "\(reply.chapter.start) \(reply.chapter.title ?? "")\(mark)")
        }
        guard let notes = detail.notes, !notes.isEmpty else { return }
        try view.output.line()
        try view.lines(PlainNotes.wrapped(notes, view.terminal.width))
    }
}

extension ListChapters: TableVerb {
    static let none = "no chapters"

    static let table: [TableColumn<(number: Int, reply: ChapterReply)>] = [
        .init("N", .right) { row, _ in "\(row.number)" },
        .init("START", .right, says: "at {}") { row, _ in row.reply.chapter.start.description },
        .init("TITLE", minimum: 16) { row, _ in row.reply.chapter.title ?? "" },
        .init("LINK", dropRank: 1) { row, _ in row.reply.chapter.link ?? "" },
        .init("STATE") { row, _ in row.reply.isSkipped ? "skipped" : "" },
    ]

    static func rows(of reply: ChapterListReply) -> [(number: Int, reply: ChapterReply)] {
        reply.chapters.enumerated().map { ($0 + 1, $1) }
    }

    static func show(_ reply: ChapterListReply, _ view: View) throws(ToolFailure) {
        if reply.chapters.isEmpty { return try view.nothing("\(reply.title): \(none)") }
        try showRows(rows(of: reply), view)
    }
}

/// A command that changes episodes: what it did and to which one, or to how many.
protocol MarkingVerb: CommandVerb where Reply == EpisodesMarkedReply {
    /// `starred`.
    static var done: String { get }
}

extension MarkingVerb {
    static func show(_ reply: EpisodesMarkedReply, _ view: View) throws(ToolFailure) {
        try show(reply, done: done, view)
    }

    fileprivate static func show(_ reply: EpisodesMarkedReply, done: String, _ view: View) throws(ToolFailure) {
        try reply.named.show(view)
        let only = reply.named.count == 1 && reply.episodes.count == 1 ? reply.named[0] : nil
        try view.line("\(done): \(only?.title ?? counted(reply.episodes.count, "episode"))")
    }
}

extension StarEpisodes: MarkingVerb {
    static var done: String { "starred" }
}

extension UnstarEpisodes: MarkingVerb {
    static var done: String { "star removed" }
}

extension MarkEpisodes: MarkingVerb {
    static var done: String { "marked" }

    static func run(_ line: CommandLineUse) throws(ToolFailure) -> ExitStatus {
        let command = try command(line)
        try line.checkTemplate(Reply.members)
        let view = try line.connect()
        let answer = try view.wireAnswer(to: command)
        guard !view.isForProgram, let reply = Reply(json: answer) else { return try finish(answer, view) }
        try show(reply, done: "marked as \(command.mark.rawValue)", view.ofReply(isQuery: false))
        return .success
    }
}

extension NoteEpisode: CommandVerb {
    /// Where the title ends and the note begins: at `--`, else after the first word.
    static func command(_ line: CommandLineUse) throws(ToolFailure) -> NoteEpisode {
        let words = line.parsed.positionals
        let dashes = line.parsed.countBeforeDashes.flatMap { (1..<words.count).contains($0) ? $0 : nil }
        let title = Array(words[..<(dashes ?? 1)]).joinedText(" ")
        let text = Array(words[(dashes ?? 1)...]).joinedText(" ")
        // Unquoted words may all belong to the title, so the first one is taken only for a whole title.
        let isQuoted = title.contains(" ") || text.isEmpty || words.count == 2 && text.contains(" ")
        let isExact = dashes == nil && !isQuoted && !IdWord.isOne(title)
        return NoteEpisode { ($0.episode, $0.text, $0.isExact) = (title, text, isExact) }
    }

    static func run(_ line: CommandLineUse) throws(ToolFailure) -> ExitStatus {
        var command = try command(line)
        try line.checkTemplate(Reply.members)
        let view = try line.connect()
        switch try view.outcome(settling: &command) {
        case .success(let answer): return try finish(answer, view)
        case .failure(let error):
            var failure = ToolFailure(error)
            if case .refused(let refusal) = error, command.isExact,
                refusal.code == .notFound || !refusal.candidates.isEmpty
            {
                failure.hint = "write the episode's id, quote its title, or put -- between the title and the note"
            }
            throw failure
        }
    }

    static func show(_ reply: EpisodeNotedReply, _ view: View) throws(ToolFailure) {
        try view.line(
            reply.note.map { "note saved for: \(reply.title): \($0)" } ?? "note removed from: \(reply.title)")
    }
}

// MARK: downloads and history

extension DeleteDownloads: ExactVerb {
    static var question: String { "delete the downloads of" }

    static func show(_ reply: EpisodesMarkedReply, _ view: View) throws(ToolFailure) {
        try reply.named.show(view)
        let count = reply.episodes.count
        try view.line(
            count == 0
                ? "none of these episodes is downloaded"
                : count == reply.cancelled
                    ? "cancelled the \(count == 1 ? "download" : "downloads") of " + counted(count, "episode")
                    : "deleted the \(count == 1 ? "file" : "files") of "
                        + counted(count, "episode"))
    }
}
