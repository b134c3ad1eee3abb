internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

extension ListHistory: ContinuedList {
    private static let legend =
        "EVENT: heard, playback stopped at POSITION, from 30 s or 1 % on; played, heard to the end. With --all also left, a seek left from there; "
        + "marked, marked as played; unplayed, marked as unplayed; queued, by a rule."

    static var details: [String] { [legend] }

    static let all = OptionDeclaration(flag: "all", help: "Also list marks, seeks and what rules queued.")

    static func adjust(_ subcommand: inout SubcommandDeclaration) { subcommand.options += [after, all] }

    static func command(_ line: CommandLineUse) throws(ToolFailure) -> ListHistory {
        var command = try ListHistory(given: VerbSpelling.parameters(of: declaration, from: line.parsed))
        command.heardOnly = !line.parsed.isSet(all)
        return command
    }

    static let afterHelp = "Show the rows that follow this one: the key of a row in --json."

    mutating func begin(after word: String, _ view: View) { after = word }
    mutating func continueAfter(_ reply: HistoryReply) { after = reply.history.last?.key }
    static func rowCount(_ reply: HistoryReply) -> Int { reply.history.count }
    static func hasAfter(_ reply: HistoryReply) -> Bool { reply.hasAfter }
    static func append(_ page: HistoryReply, to reply: inout HistoryReply) {
        reply.history += page.history
        reply.hasAfter = page.hasAfter
    }

    static let columns: [ColumnLayout.Column] = [
        .init("TIME", dropRank: 1), .init("EVENT", dropRank: 2), .init("POSITION", .right, says: "at {}"),
        .init("EPISODE", .right, dropRank: 3),
        .init("TITLE", minimum: 12),
    ]

    static func show(_ reply: HistoryReply, _ view: View) throws(ToolFailure) {
        let rows: [[String]] = reply.history.map(\.record).map { line in
            [
                view.time(line.time), line.event.rawValue,
                line.event == .queued ? "" : line.position.description, line.episode.label,
                line.title + (line.reason.map { "  (\($0))" } ?? ""),
            ]
        }
        try view.table(columns, rows, empty: "history is empty")
        if reply.hasAfter, let key = reply.history.last?.key {
            try view.more("there are more: --limit all, --after \(key)")
        }
    }
}
