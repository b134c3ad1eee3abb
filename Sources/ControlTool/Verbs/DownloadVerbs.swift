internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import Presentation

extension ListDownloads: ContinuedList {
    static var rows: WritableKeyPath<DownloadListReply, [DownloadReply]> { \.downloads }
    static func name(of row: DownloadReply) -> String { row.episode.label }
    static let afterHelp = "Show the downloads that follow that of this episode."
    static let none = "no downloads"

    mutating func begin(after word: String, _ view: View) { after = IdWord.episode(word)?.label ?? word }
    mutating func begin(after row: DownloadReply) { after = row.key }

    static let table: [TableColumn<DownloadReply>] = [
        .init("ID", .right, cell: \.episode.label), .init("STATE", minimum: 10, cell: \.stateText),
        .init("TITLE", minimum: 12, cell: \.title),
        .init("FEED", minimum: 8, dropRank: 1, says: "from {}", cell: \.feedTitle),
        .init("PROBLEM", minimum: 12, dropRank: 2, says: "problem: {}") { row, view in
            guard let reason = row.reason else { return "" }
            return (row.nextTry.map { "next try \(view.timeInText($0)): " } ?? "") + reason
        },
    ]
}

extension DownloadEpisodes: CommandVerb {
    /// Of more episodes only the number is shown.
    private static let mostListed = 20

    private static let wait = OptionDeclaration(
        flag: "wait", "w", help: "Wait until the files are on disk, and show progress; the status is 75 if one fails.")

    private static let folder = OptionDeclaration(
        "to", nil, "DIR", .folder,
        help:
            "Copy the files into this folder once they are on disk, with names such as '2026-11-23 Show - Title.mp3'. "
            + "Files that are there already stay as they are.")

    static func adjust(_ subcommand: inout SubcommandDeclaration) { subcommand.options += [wait, folder] }

    static func run(_ line: CommandLineUse) throws(ToolFailure) -> ExitStatus {
        let view = try line.connect()
        let command = try command(line)
        let quiet = view.ofReply(isQuery: false)
        let copies = try line.parsed.text(folder).map { (folder) throws(ToolFailure) in
            try DownloadCopies(quiet, to: folder)
        }
        guard line.parsed.isSet(wait) || copies != nil else { return try answer(command, view) }
        try line.checkTemplate(Reply.members)
        let answer = try view.wireAnswer(to: command, isLong: true)
        let status = try finish(answer, view)
        try line.streams.output.flush()
        guard status == .success, let reply = Reply(json: answer) else { return status }
        let episodes = reply.episodes.filter { $0.unplayable == nil }.map(\.episode)
        for episode in episodes where episode.state.isDownloaded { copies?.copy(episode.id) }
        let missing = episodes.filter { !$0.state.isDownloaded }
        let outcome = try DownloadWaiting(quiet, for: missing.map(\.id)) { copies?.copy($0) }.run()
        guard let copies else { return outcome }
        if reply.count > reply.episodes.count {
            copies.report(
                ToolFailure(
                    .tryAgain, "only the first \(reply.episodes.count) of \(reply.count) files were copied",
                    hint: "name fewer episodes at a time"))
        }
        return .gravest(outcome, copies.status)
    }

    static func show(_ reply: DownloadsReply, _ view: View) throws(ToolFailure) {
        try reply.named.show(view)
        for row in reply.episodes {
            guard let name = row.unplayable else { continue }
            try view.line("\(row.episode.title): not downloaded, because \(name) cannot be played")
        }
        let episodes = reply.episodes.filter { $0.unplayable == nil }.map(\.episode)
        let count = max(reply.count, episodes.count)
        let present = max(reply.present, episodes.count { $0.state.isDownloaded })
        if episodes.isEmpty {
            try view.line("no matching episodes")
        } else if count <= mostListed {
            for episode in episodes {
                try view.line(
                    "\(episode.title): \(episode.state.isDownloaded ? "already on disk" : "will be downloaded")")
            }
        } else {
            let others = present == 0 ? "" : "; \(present) already on disk"
            try view.line("\(counted(count - present, "episode")) will be downloaded\(others)")
        }
        if reply.hasMore, view.line.parsed.text(VerbSpelling.limit) == nil {
            try view.line("there are more; set how many to download of each feed or playlist with --limit N")
        }
    }
}
