internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

extension ListDownloads: CommandVerb {
    static func show(_ list: DownloadListReply, _ view: View) throws(ToolFailure) {
        try view.table(
            [
                .init("ID", .right), .init("STATE", minimum: 10), .init("TITLE", minimum: 12),
                .init("FEED", minimum: 8, dropRank: 1), .init("PROBLEM", minimum: 12, dropRank: 2),
            ],
            list.downloads.map { row in
                [row.episode.label, stateText(row), row.title, row.feedTitle, problem(row, view)]
            }, empty: "no downloads")
        if list.hasMore, view.terminal.width != nil {
            try view.output.line(view.terminal.styled("there are more: --limit all", .dim))
        }
    }

    private static func stateText(_ row: DownloadReply) -> String {
        switch row.state {
        case .waiting: "waiting"
        case .downloading: row.progress.map { "\(Int(min(max($0, 0), 1) * 100)) %" } ?? "started"
        case .failed: "failed"
        case .downloaded: "on disk"
        }
    }

    private static func problem(_ row: DownloadReply, _ view: View) -> String {
        guard let reason = row.reason else { return "" }
        return (row.nextTry.map { "next try \(view.timeInText($0)): " } ?? "") + reason
    }
}
