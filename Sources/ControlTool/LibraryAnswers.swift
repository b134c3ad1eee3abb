internal import CommandLineTool
internal import ControlProtocol
internal import JSON
internal import PodcastModel

/// Feeds, episodes and playlists in columns.
extension AnswerPresenter {
    func feeds(_ answer: JSONValue, _ command: FeedsCommand?) throws(ToolFailure) -> ExitStatus {
        switch command {
        case .list?: try feedList(answer)
        case .subscribe?: return try subscribed(answer)
        case .unsubscribe?:
            for title in answer["removed"]?.arrayValue ?? [] {
                try output.line("unsubscribed from \(SafeText.line(title.stringValue ?? ""))")
            }
        case .refresh?:
            func number(_ name: String) -> Int64 { answer[name]?.integerValue ?? 0 }
            try output.line(
                "\(counted(number("refreshed"), "feed")) refreshed, \(counted(number("newEpisodes"), "new episode"))")
            return try reportErrors(answer, subject: "feed")
        case .set?:
            let value = answer["value"]?.stringValue.map { "= \($0)" } ?? "is the default again"
            try output.line(SafeText.line("\(answer["key"]?.stringValue ?? "") \(value)"))
        case .import?:
            func number(_ name: String) -> Int64 { answer[name]?.integerValue ?? 0 }
            try output.line("\(counted(number("added"), "feed")) added, \(number("known")) known already")
            return try reportErrors(answer, subject: "url")
        case .export?: try output.write(answer["document"]?.stringValue ?? "")
        case .changed?, nil: try output.line(answer.text)
        }
        return .success
    }

    private func counted(_ number: Int64, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    /// What failed, on stderr; the rest was done.
    private func reportErrors(_ answer: JSONValue, subject: String) throws(ToolFailure) -> ExitStatus {
        guard let errors = answer["errors"]?.arrayValue, !errors.isEmpty else { return .success }
        try output.flush()
        for error in errors {
            let name = error[subject]?.stringValue ?? error[subject]?.text ?? ""
            ControlProgram.declaration.report(
                ToolFailure(
                    .tryAgain, "\(name): \(error["what"]?.stringValue ?? "failed")", hint: error["hint"]?.stringValue),
                to: self.errors)
        }
        return .tryAgain
    }

    private func subscribed(_ answer: JSONValue) throws(ToolFailure) -> ExitStatus {
        var status = ExitStatus.success
        for row in answer["feeds"]?.arrayValue ?? [] {
            if let feed = row["feed"].flatMap({ FeedReply(json: $0) })?.feed {
                try output.line(
                    SafeText.line("subscribed to \(feed.title) (\(counted(Int64(feed.episodeCount), "episode")))"))
            } else {
                try output.flush()
                let error = row["error"]
                ControlProgram.declaration.report(
                    ToolFailure(
                        .tryAgain, "\(row["url"]?.stringValue ?? ""): \(error?["what"]?.stringValue ?? "failed")",
                        hint: error?["hint"]?.stringValue), to: self.errors)
                status = .tryAgain
            }
        }
        return status
    }

    private func feedList(_ answer: JSONValue) throws(ToolFailure) {
        let feeds = (try allFeeds(answer)["feeds"]?.arrayValue ?? []).compactMap { FeedReply(json: $0)?.feed }
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
                        feed.health.error ?? "",
                    ]
                }, width: terminal.width))
    }

    func episodes(_ answer: JSONValue, _ command: EpisodesCommand?) throws(ToolFailure) {
        switch command {
        case .list?: try episodeList(answer)
        case .show?: try details(answer)
        case .mark?, .star?, .unstar?:
            try output.line("\(counted(Int64(answer["episodes"]?.arrayValue?.count ?? 0), "episode")) marked")
        case .note?: try output.line("noted")
        case nil: try output.line(answer.text)
        }
    }

    private func episodeList(_ answer: JSONValue) throws(ToolFailure) {
        let episodes = (answer["episodes"]?.arrayValue ?? []).compactMap { EpisodeReply(json: $0)?.episode }
        if episodes.isEmpty { return try output.line("no episodes") }
        let layout = ColumnLayout([
            .init("ID", .right), .init("DATE"), .init(), .init("TITLE", minimum: 16), .init("FEED", minimum: 8),
            .init("TIME", .right),
        ])
        try lines(
            layout.lines(
                episodes.map { episode in
                    [
                        "\(episode.id)", StatusText.date(episode.published), marks(episode.state), episode.title,
                        episode.feedTitle, time(episode),
                    ]
                }, width: terminal.width))
        if answer["hasAfter"]?.boolValue == true, let count = answer["count"]?.integerValue {
            let all = answer["countIsExact"]?.boolValue == false ? "at least \(count)" : "\(count)"
            try output.line(terminal.styled("\(episodes.count) of \(all); see --limit", .dim))
        }
    }

    /// Letters rather than symbols, so that every font and every voice has them.
    private func marks(_ state: EpisodeState) -> String {
        (state.isPlayed ? "p" : state.isInProgress ? "i" : "n") + (state.isStarred ? "*" : "")
            + (state.isDownloaded ? "d" : "")
    }

    private func details(_ answer: JSONValue) throws(ToolFailure) {
        guard let episode = EpisodeReply(json: answer)?.episode else { return try output.line(answer.text) }
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
        if episode.state.isStarred { try row("starred:", "yes") }
        try row("file:", episode.enclosure.url)
        try row("page:", episode.link)
        try row("note:", episode.state.note)
        for chapter in answer["chapters"]?.arrayValue ?? [] {
            try row(
                "chapter:", "\(chapter["start"]?.mediaTime?.description ?? "") \(chapter["title"]?.stringValue ?? "")")
        }
        if let text = answer["summary"]?.stringValue ?? answer["content"]?.stringValue, !text.isEmpty {
            try output.line()
            try lines(PlainNotes.lines(text, width: terminal.width))
        }
    }

    func playlists(_ answer: JSONValue, _ command: PlaylistsCommand?) throws(ToolFailure) {
        guard command == .list else { return try episodeList(answer) }
        let layout = ColumnLayout([.init("NAME"), .init("TITLE", minimum: 8), .init("EPISODES", .right)])
        try lines(
            layout.lines(
                (answer["playlists"]?.arrayValue ?? []).map { row in
                    let count = row["count"]?.integerValue.map { "\($0)" } ?? ""
                    return [
                        row["name"]?.stringValue ?? "", row["title"]?.stringValue ?? "",
                        row["countIsExact"]?.boolValue == false ? "\(count)+" : count,
                    ]
                }, width: terminal.width))
    }
}
