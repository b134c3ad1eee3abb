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

    static var rows: WritableKeyPath<HistoryReply, [HeardReply]> { \.history }
    static func name(of row: HeardReply) -> String { row.key ?? "" }
    static let afterHelp = "Show the rows that follow this one: the key of a row in --json."
    static let none = "history is empty"

    mutating func begin(after word: String, _ view: View) { after = word }
    mutating func begin(after row: HeardReply) { after = row.key }

    static let table: [TableColumn<HeardReply>] = [
        .init("TIME", dropRank: 1) { row, view in view.time(row.record.time) },
        .init("EVENT", dropRank: 2, cell: \.record.event.rawValue),
        .init("POSITION", .right, says: "at {}") { row, _ in
            row.record.event == .queued ? "" : row.record.position.description
        },
        .init("EPISODE", .right, dropRank: 3, cell: \.record.episode.label),
        .init("TITLE", minimum: 12) { row, _ in row.record.title + (row.record.reason.map { "  (\($0))" } ?? "") },
    ]
}
