internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import PodcastModel

/// Shows what a command answered: as JSON, or in columns and lines that fit the terminal.
struct AnswerPresenter {
    let client: ControlConnection
    let terminal: Terminal
    let output: ToolOutput
    let errors: ToolOutput
    let isJSON: Bool
    let isPlain: Bool
    /// Whether the status is to be followed by what happened since the daemon's start.
    let hasFigures: Bool
    /// Whether notes are to be shown as HTML.
    let isHTML: Bool
    /// Whether a transcript is to be shown as SubRip.
    let isSubRip: Bool

    /// Shows an answer.
    ///
    /// - Returns: the status to end with; not success when a part of what was asked failed.
    func present(_ answer: JSONValue, to name: String, _ params: JSONValue?) throws(ToolFailure) -> ExitStatus {
        if isJSON { return try presentJSON(answer, to: name, params) }
        switch CommandTable.section(ofCommand: name) {
        case .status?: try status(answer)
        case .playback?: try playback(answer, name)
        case .queue?: try queue(answer, name)
        case .feeds?: return try feeds(answer, name)
        case .episodes?: try episodes(answer, name, params)
        case .merges?: try merges(answer, name)
        case .playlists?: try playlists(answer, name)
        case .rules?: try rules(answer, name)
        case .retention?: try retention(answer, name)
        case .outputs?: try outputs(answer)
        case .settings?: try settings(answer)
        case .activities?: try activities(answer)
        case .metrics?: try output.write(OpenMetrics.text(MetricListReply(json: answer)?.metrics ?? []))
        case .library?: try output.line(SafeText.line(BackupReply(json: answer)?.path ?? ""))
        case .server?: try server(answer, name)
        default: try output.line(answer.text)
        }
        return .success
    }

    private func presentJSON(
        _ answer: JSONValue, to name: String, _ params: JSONValue?
    ) throws(ToolFailure) -> ExitStatus {
        switch name {
        case ListQueue.name: try output.line(try wholeQueue(answer).text)
        case ListFeeds.name: try output.line(try allFeeds(answer).text)
        case ShowTranscript.name: try output.line(try wholeTranscript(answer, params).text)
        case ExportDocument.name: try document(answer)
        case GetStatus.name where hasFigures:
            guard case .object(let members) = answer else { break }
            try output.line(JSONValue.object(members + [.init("figures", try wireAnswer(to: GetFigures()))]).text)
        default: try output.line(answer.text)
        }
        return failureStatus(of: answer)
    }

    /// Some of what was asked failed for now.
    private func failureStatus(of answer: JSONValue) -> ExitStatus {
        if let errors = answer["errors"]?.arrayValue, !errors.isEmpty { return .tryAgain }
        if let feeds = answer["feeds"]?.arrayValue, feeds.contains(where: { $0["error"]?["what"] != nil }) {
            return .tryAgain
        }
        return .success
    }

    func lines(_ lines: [String]) throws(ToolFailure) {
        for line in lines { try output.line(line) }
    }

    /// Calls another command that the presentation needs.
    func call<Called: Command>(_ command: Called) throws(ToolFailure) -> Called.Reply {
        do throws(ClientFailure) {
            return try client.call(command)
        } catch {
            throw ToolFailure(error)
        }
    }

    /// The answer to another command as it is on the wire.
    func wireAnswer<Called: Command>(to command: Called) throws(ToolFailure) -> JSONValue {
        do throws(ClientFailure) {
            return try client.call(Request(id: nil, command))
        } catch {
            throw ToolFailure(error)
        }
    }

    // MARK: player

    private func status(_ answer: JSONValue) throws(ToolFailure) {
        guard let status = StatusReply(json: answer) else {
            throw ToolFailure(.protocolFault, "the daemon's status cannot be read")
        }
        try lines(isPlain ? StatusText.plain(status) : StatusText.lines(status, terminal: terminal))
        if hasFigures { try lines(StatusText.lines(try call(GetFigures()))) }
    }

    private func playback(_ answer: JSONValue, _ name: String) throws(ToolFailure) {
        switch name {
        case SetVolume.name: try output.line("volume \(VolumeReply(json: answer)?.volume ?? 0) %")
        case Seek.name: try output.line(PositionReply(json: answer)?.position.description ?? "")
        case Undo.name: try undone(answer)
        default: try status(try wireAnswer(to: GetStatus()))
        }
    }

    private func undone(_ answer: JSONValue) throws(ToolFailure) {
        guard let undone = UndoneReply(json: answer) else { return try output.line(answer.text) }
        let title = SafeText.line(undone.title ?? "")
        let others = undone.count > 1 ? " and \(undone.count - 1) more" : ""
        let entries = "\(undone.count) \(undone.count == 1 ? "entry" : "entries")"
        let position = undone.position ?? .zero
        switch undone.act {
        case .seek: try output.line("undid seek: \(title) is at \(position) again")
        case .played:
            let place = undone.count == 1 && position > .zero ? " at \(position)" : ""
            try output.line("undid played: \(title)\(others) as before\(place)")
        case .unplayed: try output.line("undid unplayed: \(title)\(others) as before")
        case .remove: try output.line("undid remove: \(entries) back in the queue")
        case .clear: try output.line("undid clear: \(entries) back in the queue")
        case .move: try output.line("undid move: \(title) is back in its place")
        case .shuffle: try output.line("undid shuffle: the queue is in its order again")
        case .add: try output.line("undid add: \(title)\(others) left the queue")
        case .rules: try output.line("undid what rules did: \(title)\(others) as before")
        }
    }

    // MARK: queue

    private func queue(_ answer: JSONValue, _ name: String) throws(ToolFailure) {
        switch name {
        case ListQueue.name:
            let entries = QueueListReply(json: try wholeQueue(answer))?.entries ?? []
            let layout = ColumnLayout([
                .init(), .init("#", .right), .init("TITLE", minimum: 16), .init("FEED", minimum: 8),
                .init("TIME", .right),
            ])
            if entries.isEmpty { return try output.line("the queue is empty") }
            try lines(
                layout.lines(
                    entries.compactMap { entry in
                        guard let episode = entry.episode?.episode else { return nil }
                        return [
                            entry.isCurrent ? ">" : "", "\(entry.index)", episode.title, episode.feedTitle,
                            time(episode),
                        ]
                    }, width: terminal.width))
        case AddToQueue.name, InsertIntoQueue.name:
            let added = QueueAdditionReply(json: answer) ?? QueueAdditionReply()
            try output.line("added \(added.entries.count); the queue has \(added.length)")
        default:
            try output.line("the queue has \(QueueLengthReply(json: answer)?.length ?? 0)")
        }
    }

    /// All pages of the queue as one answer.
    private func wholeQueue(_ first: JSONValue) throws(ToolFailure) -> JSONValue {
        try allPages(first, rows: "entries", key: "index") { key in
            ListQueue { ($0.after, $0.limit) = (Int(key.integerValue ?? 0), Self.largestPage) }
        }
    }

    /// All pages of the feeds as one answer.
    func allFeeds(_ first: JSONValue) throws(ToolFailure) -> JSONValue {
        try allPages(first, rows: "feeds", key: "key") { key in
            ListFeeds { ($0.after, $0.limit) = (key.stringValue, Self.largestPage) }
        }
    }

    /// All pages of a transcript as one answer.
    func wholeTranscript(_ first: JSONValue, _ params: JSONValue?) throws(ToolFailure) -> JSONValue {
        let asked = try ShowTranscript(given: params)
        return try allPages(first, rows: "cues", key: "index") { key in
            ShowTranscript {
                $0.episode = asked.episode
                ($0.after, $0.limit) = (key.integerValue.map { Int($0) }, Self.largestPage)
            }
        }
    }

    private static let largestPage = 1000

    /// - Parameters:
    ///   - rows: the member of an answer that holds its rows.
    ///   - key: the member of a row by which the next page is asked for, with `next`.
    private func allPages<Paged: Command>(
        _ first: JSONValue, rows: String, key: String, next: (JSONValue) -> Paged
    ) throws(ToolFailure) -> JSONValue {
        guard case .object(var members) = first, var all = first[rows]?.arrayValue else { return first }
        var page = first
        // A page without rows, or whose last row is the one asked for, would never end.
        while page["hasAfter"]?.boolValue == true, let after = page[rows]?.arrayValue?.last?[key] {
            page = try wireAnswer(to: next(after))
            let more = page[rows]?.arrayValue ?? []
            if let end = more.last, end[key] == after { break }
            all += more
        }
        for index in members.indices {
            if members[index].name == rows { members[index].value = .array(all) }
            if members[index].name == "hasAfter" { members[index].value = false }
        }
        return .object(members)
    }

    /// The duration, or what is left of an episode that was begun: `-12:34`.
    func time(_ episode: Episode) -> String {
        guard let duration = episode.duration else { return "" }
        if episode.state.isInProgress, episode.state.position < duration {
            return "-\(duration - episode.state.position)"
        }
        return duration.description
    }
}
