internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

extension GetStatistics: TableVerb {
    private static let by = OptionDeclaration(
        "by", nil, "feed|month|year", .choice(["feed", "month", "year"]), help: "Rows of the table (default: feed).")

    static let none = "nothing was heard yet"

    static let table: [TableColumn<ListeningReply>] = [
        .init("NAME", minimum: 12, cell: \.name),
        .init("HEARD", .right, says: "heard {}") { row, _ in hours(row.heard) },
        .init("BY SPEED", .right, dropRank: 2, says: "saved {} by speed") { row, _ in hours(row.savedBySpeed) },
        .init("BY SILENCE", .right, dropRank: 1, says: "saved {} by silence") { row, _ in
            hours(row.savedBySilence)
        },
    ]

    static func rows(of reply: StatisticsReply) -> [ListeningReply] { reply.feeds }

    static func adjust(_ subcommand: inout SubcommandDeclaration) { subcommand.options.append(by) }

    /// The rows of `--format` are those of the table.
    static func run(_ line: CommandLineUse) throws(ToolFailure) -> ExitStatus {
        var members = Reply.members
        let list = "\(line.parsed.text(by) ?? "feed")s"
        for index in members.indices where members[index].name == list { members[index].holdsRows = true }
        try line.checkTemplate(members)
        let view = try line.connect()
        let answer = try view.wireAnswer(to: try command(line), isLong: isLong)
        return try line.printForProgram(answer, members) ? .success : try finish(answer, view)
    }

    static func show(_ reply: StatisticsReply, _ view: View) throws(ToolFailure) {
        let rows =
            switch view.line.parsed.text(by) {
            case "month": reply.months
            case "year": reply.years
            case _: reply.feeds
            }
        try showRows(rows, view)
        if view.terminal.width != nil, !rows.isEmpty {
            let since = reply.since.map { " since \($0)" } ?? ""
            try view.line(
                "heard \(hours(reply.total.heard))\(since); saved \(hours(reply.total.savedBySpeed)) by speed, "
                    + "\(hours(reply.total.savedBySilence)) by silence")
        }
    }

    /// `12 h 34 min` for people; programs read `--json`.
    private static func hours(_ time: MediaTime) -> String {
        let minutes = (time.milliseconds + 30_000) / 60_000
        if minutes == 0 { return time.milliseconds > 0 ? "under 1 min" : "0 min" }
        return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }
}
