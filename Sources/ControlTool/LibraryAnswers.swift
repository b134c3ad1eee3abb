internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import PodcastModel

/// Feeds, episodes and playlists in columns.
extension AnswerPresenter {
    func feeds(_ answer: JSONValue, _ name: String) throws(ToolFailure) -> ExitStatus {
        switch name {
        case ListFeeds.name: try feedList(answer)
        case ShowFeed.name: try feedDetails(answer)
        case Subscribe.name: return try subscribed(answer)
        case Unsubscribe.name:
            for title in UnsubscribedReply(json: answer)?.removed ?? [] {
                try output.line("unsubscribed from \(SafeText.line(title))")
            }
        case RefreshFeeds.name:
            let done = RefreshReply(json: answer) ?? RefreshReply()
            try output.line(
                "\(counted(done.refreshed, "feed")) refreshed, \(counted(done.newEpisodes, "new episode"))")
            return try report(done.errors)
        case SetFeed.name:
            let setting = FeedSettingReply(json: answer) ?? FeedSettingReply()
            try output.line(
                SafeText.line("\(setting.key) \(setting.value.map { "= \($0)" } ?? "is the default again")"))
        case ImportDocument.name:
            let done = ImportReply(json: answer) ?? ImportReply()
            try output.line("\(counted(done.added, "feed")) added, \(done.known) known already")
            if done.found + done.waiting > 0 {
                try output.line(
                    "\(counted(done.found, "episode")) updated, \(done.waiting) wait until their feeds are fetched")
            }
            if done.rules + done.retention + done.playlists + done.decidedBefore > 0 {
                try output.line(
                    "\(counted(done.rules, "rule")), \(counted(done.retention, "word")) about retention, "
                        + "\(counted(done.playlists, "playlist")) added, \(done.decidedBefore) known already")
            }
            return try report(done.errors)
        case ExportDocument.name: try document(answer)
        case FindShows.name: try found(answer)
        default: try output.line(answer.text)
        }
        return .success
    }

    /// All pieces of an exported document.
    func document(_ answer: JSONValue) throws(ToolFailure) {
        var piece = DocumentReply(json: answer) ?? DocumentReply()
        try output.write(piece.document)
        while let next = piece.next {
            piece = try call(ExportDocument { $0.offset = next })
            try output.write(piece.document)
        }
    }

    private func found(_ answer: JSONValue) throws(ToolFailure) {
        let found = FoundShowsReply(json: answer) ?? FoundShowsReply()
        let layout = ColumnLayout([
            .init("#", .right), .init("TITLE", minimum: 16), .init("AUTHOR", minimum: 8), .init("FEED"),
        ])
        let rows = found.shows.enumerated().map { ["\($0 + 1)", $1.title, $1.author ?? "", $1.url] }
        if rows.isEmpty {
            try output.line("no directory knows that")
        } else {
            try lines(layout.lines(rows, width: terminal.width))
        }
        try output.flush()
        for failure in found.failed {
            ControlProgram.declaration.report(ToolFailure(.success, failure.what), to: errors)
        }
    }

    private func counted(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    /// What failed, on stderr; the rest was done.
    private func report(_ failures: [FailureReply]) throws(ToolFailure) -> ExitStatus {
        if failures.isEmpty { return .success }
        try output.flush()
        for failure in failures { report(failure, of: failure.feed ?? failure.url ?? "") }
        return .tryAgain
    }

    private func report(_ failure: FailureReply, of name: String) {
        ControlProgram.declaration.report(
            ToolFailure(.tryAgain, "\(name): \(failure.what)", hint: failure.hint), to: errors)
    }

    private func subscribed(_ answer: JSONValue) throws(ToolFailure) -> ExitStatus {
        var status = ExitStatus.success
        for row in SubscriptionsReply(json: answer)?.feeds ?? [] {
            if let imported = row.imported {
                try output.line(SafeText.line("\(row.url ?? ""): \(counted(imported, "feed")) added"))
            } else if let feed = row.feed?.feed {
                try output.line(
                    SafeText.line("subscribed to \(feed.title) (\(counted(feed.episodeCount, "episode")))"))
                if let conflict = feed.conflict { try output.line("  it \(Self.words(for: conflict))") }
            } else {
                try output.flush()
                report(row.error ?? FailureReply("failed"), of: row.url ?? "")
                status = .tryAgain
            }
        }
        return status
    }

    private func feedList(_ answer: JSONValue) throws(ToolFailure) {
        let feeds = (FeedListReply(json: try allFeeds(answer))?.feeds ?? []).map(\.feed)
        if feeds.isEmpty {
            return try output.line("no feeds; subscribe to one with 'podcastctl subscribe URL'")
        }
        let layout = ColumnLayout([
            .init("ID", .right), .init("TITLE", minimum: 16), .init("NEW", .right), .init("ALL", .right),
            .init("REFRESHED"), .init("PROBLEM", minimum: 8),
        ])
        try lines(
            layout.lines(
                feeds.map { feed in
                    [
                        "\(feed.id)", feed.title, feed.unplayedCount == 0 ? "" : "\(feed.unplayedCount)",
                        "\(feed.episodeCount)", feed.health.lastSuccess.map(StatusText.date) ?? "never",
                        problem(of: feed) ?? "",
                    ]
                }, width: terminal.width))
    }

    /// What keeps a feed from being up to date, in few words.
    func problem(of feed: Feed) -> String? {
        if feed.health.isStopped { return "stopped: \(feed.health.error ?? "")" }
        if let error = feed.health.error { return error }
        if let problem = feed.pageWalk?.problem { return problem }
        if let move = feed.move, let obstacle = move.obstacle { return "moved to \(move.url), but \(obstacle)" }
        return feed.conflict.map(Self.words)
    }

    private static func words(for conflict: FeedConflict) -> String {
        switch conflict.reason {
        case .guid: "claims the podcast:guid of feed \(conflict.feed)"
        case .description: "seems to be feed \(conflict.feed) at another address"
        }
    }

    func episodes(_ answer: JSONValue, _ name: String, _ params: JSONValue?) throws(ToolFailure) {
        switch name {
        case ListEpisodes.name: try episodeList(answer)
        case ShowEpisode.name: try details(answer)
        case MarkEpisodes.name, StarEpisodes.name, UnstarEpisodes.name:
            try output.line("\(counted(EpisodesMarkedReply(json: answer)?.episodes.count ?? 0, "episode")) marked")
        case DownloadEpisodes.name: try downloads(answer)
        case DeleteDownloads.name:
            let count = EpisodesMarkedReply(json: answer)?.episodes.count ?? 0
            let files = "the \(count == 1 ? "file" : "files") of \(counted(count, "episode")) deleted"
            try output.line(count == 0 ? "nothing of that is kept" : files)
        case NoteEpisode.name: try output.line("noted")
        case ListHistory.name: try history(answer)
        case ShowTranscript.name: try transcript(try wholeTranscript(answer, params))
        case FindSpoken.name: try said(answer)
        default: try output.line(answer.text)
        }
    }

    /// Episodes that are told one by one; of more, only how many.
    private static let mostTold = 20

    private func downloads(_ answer: JSONValue) throws(ToolFailure) {
        let reply = DownloadsReply(json: answer) ?? DownloadsReply()
        let episodes = reply.episodes.map(\.episode)
        if episodes.count <= Self.mostTold {
            for episode in episodes {
                let fate = episode.state.isDownloaded ? "is on disk already" : "will be downloaded"
                try output.line(SafeText.line("\(episode.title): \(fate)"))
            }
            if episodes.isEmpty { try output.line("there is no such episode") }
        } else {
            let kept = episodes.count { $0.state.isDownloaded }
            let others = kept == 0 ? "" : "; \(kept) more \(kept == 1 ? "is" : "are") on disk already"
            try output.line("\(counted(episodes.count - kept, "episode")) will be downloaded\(others)")
        }
        if reply.hasMore {
            try output.line("there are more; '--limit N' says how many to take of each feed or playlist")
        }
    }

    /// A page with as many rows as were asked for, if there are so many: a page of a filter may hold fewer and go on.
    func filled(_ first: JSONValue, of request: Request) throws(ToolFailure) -> JSONValue {
        switch request.method {
        case ListEpisodes.name: try filled(first, of: try ListEpisodes(given: request.params))
        case ShowPlaylist.name: try filled(first, of: try ShowPlaylist(given: request.params))
        default: first
        }
    }

    private func filled<Paged: PagedCommand>(_ first: JSONValue, of asked: Paged) throws(ToolFailure) -> JSONValue {
        guard case .object(var members) = first, var rows = first["episodes"]?.arrayValue else { return first }
        var (page, request) = (first, asked)
        while rows.count < asked.page.limit, page["hasAfter"]?.boolValue == true,
            let next = page["next"], let key = next.stringValue
        {
            request.page.after = key
            request.page.limit = asked.page.limit - rows.count
            page = try wireAnswer(to: request)
            rows += page["episodes"]?.arrayValue ?? []
            if page["next"] == next { break }
        }
        for index in members.indices {
            switch members[index].name {
            case "episodes": members[index].value = .array(rows)
            case "hasAfter", "next": members[index].value = page[members[index].name] ?? .null
            case _: break
            }
        }
        return .object(members)
    }

    private func episodeList(_ answer: JSONValue) throws(ToolFailure) {
        let list = EpisodeListReply(json: answer) ?? EpisodeListReply()
        let episodes = list.episodes.map(\.episode)
        if episodes.isEmpty { return try output.line("no episodes") }
        let layout = ColumnLayout([
            .init("ID", .right), .init("DATE"), .init(), .init("TITLE", minimum: 16), .init("FEED", minimum: 8),
            .init("TIME", .right),
        ])
        try lines(
            layout.lines(
                episodes.map { episode in
                    [
                        "\(episode.id)", StatusText.date(episode.published), marks(episode), episode.title,
                        episode.feedTitle, time(episode),
                    ]
                }, width: terminal.width))
        try excerpts(list.episodes)
        if list.hasAfter {
            let all = list.count.isExact ? "\(list.count.count)" : "at least \(list.count.count)"
            try output.line(terminal.styled("\(episodes.count) of \(all); see --limit", .dim))
        }
    }

    private func history(_ answer: JSONValue) throws(ToolFailure) {
        let history = HistoryReply(json: answer)?.history ?? []
        if history.isEmpty { return try output.line("nothing was heard yet") }
        let layout = ColumnLayout([
            .init("TIME"), .init("EVENT"), .init("AT", .right), .init("ID", .right), .init("TITLE", minimum: 16),
        ])
        try lines(
            layout.lines(
                history.map { line in
                    [
                        line.time.description, line.event.rawValue,
                        line.event == .queued ? "" : line.position.description, "\(line.episode)",
                        line.title + (line.reason.map { "  (\($0))" } ?? ""),
                    ]
                }, width: terminal.width))
    }

    /// Letters rather than symbols, so that every font and every voice has them.
    private func marks(_ episode: Episode) -> String {
        let state = episode.state
        return stage(state) + (state.isStarred ? "*" : "") + (state.isDownloaded ? "d" : "")
            + (episode.isGone ? "-" : "")
    }

    private func stage(_ state: EpisodeState) -> String {
        switch state.setAside {
        case .skipped: "s"
        case .archived: "a"
        case nil: state.isPlayed ? "p" : state.isInProgress ? "i" : "n"
        }
    }

    private func details(_ answer: JSONValue) throws(ToolFailure) {
        guard let detail = EpisodeDetailReply(json: answer) else { return try output.line(answer.text) }
        if isHTML { return try output.line(SafeText.lines(detail.html ?? "")) }
        let episode = detail.episode.episode
        func row(_ name: String, _ value: String?) throws(ToolFailure) {
            guard let value, !value.isEmpty else { return }
            try output.line("\(terminal.styled(name, .dim)) \(SafeText.line(value))")
        }
        try output.line(terminal.styled(SafeText.line(episode.title), .bold))
        try row("feed:", episode.feedTitle)
        try row("id:", "\(episode.id)")
        try row("published:", episode.published.description)
        try row("duration:", episode.duration?.description)
        if episode.state.isInProgress { try row("position:", episode.state.position.description) }
        try row("state:", episode.state.isPlayed ? "played" : episode.state.isInProgress ? "in progress" : "unplayed")
        try row("set aside:", episode.state.setAside?.rawValue)
        if let act = detail.ruleAct { try row("rule:", "\(act.rule) did \(act.action) at \(act.time)") }
        if episode.state.isStarred { try row("starred:", "yes") }
        try row("download:", episode.state.isDownloaded ? "on disk" : detail.download)
        if episode.isGone { try row("in the feed:", "not any more") }
        try row("season:", detail.seasonLine)
        try row("file:", episode.enclosure.url)
        try row("page:", episode.link)
        try row("note:", episode.state.note)
        for line in DetailLines.lines(detail.details) + DetailLines.support(detail.feedDetails) {
            try row(line.name, line.text)
        }
        for chapter in detail.chapters.map(\.chapter) {
            try row("chapter:", "\(chapter.start) \(chapter.title ?? "")")
        }
        if let text = detail.content ?? detail.summary, !text.isEmpty {
            try output.line()
            // Without HTML of ours the text is as the publisher wrote it.
            let isRaw = detail.html == nil
            try lines(isRaw ? PlainNotes.lines(text, width: terminal.width) : PlainNotes.wrapped(text, terminal.width))
        }
    }

    func playlists(_ answer: JSONValue, _ name: String) throws(ToolFailure) {
        switch name {
        case ShowPlaylist.name: return try episodeList(answer)
        case SavePlaylist.name:
            let saved = PlaylistReply(json: answer) ?? PlaylistReply()
            let count = saved.count.isExact ? "\(saved.count.count)" : "at least \(saved.count.count)"
            return try output.line(SafeText.line("saved \(saved.name): \(saved.filter ?? ""); it has \(count) now"))
        case RemovePlaylist.name: return try output.line("removed")
        default: break
        }
        let layout = ColumnLayout([
            .init("NAME"), .init("TITLE", minimum: 8), .init("EPISODES", .right), .init("FILTER", minimum: 8),
        ])
        try lines(
            layout.lines(
                (PlaylistListReply(json: answer)?.playlists ?? []).map { row in
                    [
                        row.name, row.title, row.count.isExact ? "\(row.count.count)" : "\(row.count.count)+",
                        row.filter ?? "",
                    ]
                }, width: terminal.width))
    }
}
