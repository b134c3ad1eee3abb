internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

extension ListDownloads: ContinuedList {
    static let columns: [ColumnLayout.Column] = [
        .init("ID", .right), .init("STATE", minimum: 10), .init("TITLE", minimum: 12),
        .init("FEED", minimum: 8, dropRank: 1), .init("PROBLEM", minimum: 12, dropRank: 2),
    ]

    static let afterHelp = "Show the downloads that follow that of this episode."

    mutating func begin(after word: String, _ view: View) { after = IdWord.episode(word)?.label ?? word }
    mutating func continueAfter(_ reply: DownloadListReply) { after = reply.downloads.last?.key }
    static func rowCount(_ reply: DownloadListReply) -> Int { reply.downloads.count }
    static func hasAfter(_ reply: DownloadListReply) -> Bool { reply.hasAfter }
    static func append(_ page: DownloadListReply, to reply: inout DownloadListReply) {
        reply.downloads += page.downloads
        reply.hasAfter = page.hasAfter
    }

    static func show(_ list: DownloadListReply, _ view: View) throws(ToolFailure) {
        try view.table(
            columns,
            list.downloads.map { row in
                [row.episode.label, stateText(row), row.title, row.feedTitle, problem(row, view)]
            }, empty: "no downloads")
        if list.hasAfter, let last = list.downloads.last {
            try view.more("there are more: --limit all, --after \(last.episode.label)")
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
