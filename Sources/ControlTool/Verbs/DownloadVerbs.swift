internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import Presentation
internal import Reporting

extension ListDownloads: PagedVerb, TableVerb {
    static let none = "no downloads"

    static func cursor(of row: DownloadReply) -> String? { row.key }

    static let table: [TableColumn<DownloadReply>] = [
        .init("ID", .right) { $0.episode.label }, .init("STATE", minimum: 10) { $0.stateText },
        .init("TITLE", minimum: 12) { $0.title },
        .init("FEED", minimum: 8, dropRank: 1, says: "from {}") { $0.feedTitle },
        .init("PROBLEM", minimum: 12, dropRank: 2, says: "problem: {}") { row, view in
            guard let reason = row.reason else { return "" }
            return (row.nextTry.map { "next try \(view.timeInText($0)): " } ?? "") + reason
        },
    ]
}

extension DownloadEpisodes: CommandVerb {
    private static let wait = OptionDeclaration(
        flag: "wait", "w", help: "Wait until the files are on disk, and show progress; the status is 75 if one fails.")

    private static let folder = OptionDeclaration(
        "to", nil, "DIR", .folder,
        help:
            "Copy the files into this folder once they are on disk, with names such as '2026-11-23 Show - Title.mp3'. "
            + "Files that are there already stay as they are.")

    static let options = [wait, folder]

    func run(_ view: View) throws(ToolFailure) -> ExitStatus {
        let quiet = view.ofReply(isQuery: false)
        let copies = try view.text(Self.folder).map { (folder) throws(ToolFailure) in
            try DownloadCopies(quiet, to: folder)
        }
        let reply = try view.call(self)
        let status = try finish(reply, view)
        guard view.isSet(Self.wait) || copies != nil, status == .success else { return status }
        try view.output.flush()
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

}

extension DownloadsReply: ShownReply {
    /// Above this, only the number of episodes is shown.
    private static let mostListed = 20

    func show(_ view: View) {
        named.show(view)
        for row in episodes {
            guard let name = row.unplayable else { continue }
            view.line("\(row.episode.title): not downloaded, because \(name) cannot be played")
        }
        let episodes = episodes.filter { $0.unplayable == nil }.map(\.episode)
        let count = max(count, episodes.count)
        let present = max(present, episodes.count { $0.state.isDownloaded })
        if episodes.isEmpty {
            view.line("no matching episodes")
        } else if count <= Self.mostListed {
            for episode in episodes {
                view.line(
                    "\(episode.title): \(episode.state.isDownloaded ? "already on disk" : "will be downloaded")")
            }
        } else {
            let others = present == 0 ? "" : "; \(present) already on disk"
            view.line("\(counted(count - present, "episode")) will be downloaded\(others)")
        }
        if hasMore, view.text(VerbSpelling.limit) == nil {
            view.line("there are more; set how many to download of each feed or playlist with --limit N")
        }
    }
}

extension DeleteDownloads: CommandVerb {
    static var question: String { "delete the downloads of" }

    static func show(_ reply: EpisodesMarkedReply, _ view: View) {
        reply.named.show(view)
        let count = reply.episodes.count
        if count == 0 { return view.line("none of these episodes is downloaded") }
        let (did, noun) = count == reply.cancelled ? ("cancelled", "download") : ("deleted", "file")
        view.line("\(did) the \(noun)\(count == 1 ? "" : "s") of \(counted(count, "episode"))")
    }
}

/// `download --wait`: shows progress until the downloads have ended. On a terminal a line with a bar is redrawn, elsewhere each
/// download that ended is a line. An interrupt leaves the downloads to the daemon.
final class DownloadWaiting {
    private let view: View
    private let live: LiveLine?
    private let total: Int
    private var pending: Set<EpisodeID>
    private var failures: [DownloadReply] = []
    private var model = ClientModel()
    /// Called with each download that has ended and did not fail.
    private let onEnd: (EpisodeID) -> Void

    init(_ view: View, for episodes: [EpisodeID], onEnd: @escaping (EpisodeID) -> Void) {
        self.view = view
        self.onEnd = onEnd
        pending = Set(episodes)
        total = pending.count
        live = view.isForProgram ? nil : view.progressLine
    }

    func run() throws(ToolFailure) -> ExitStatus {
        defer { live?.clear() }
        // Marking an episode as played also ends its download request.
        let parts: [StatusPart] = [.downloads, .episodes]
        try view.withConnection {
            $0.timeout = nil
            $0.watch(parts + [.activities])
        }
        var revisions: [UInt64?] = []
        while !pending.isEmpty {
            if parts.map(model.revision) != revisions {
                revisions = parts.map(model.revision)
                try readStates()
                if pending.isEmpty { break }
            }
            showProgress()
            if let event = try view.nextEvent() { model.apply(event) }
        }
        live?.clear()
        if failures.isEmpty { return .success }
        for failure in failures {
            ControlProgram.declaration.report(
                ToolFailure(
                    .tryAgain, "\(failure.title): \(failure.reason ?? "the download failed")",
                    hint: failure.nextTry.map { "it is tried again \(view.timeInText($0))" }),
                to: view.streams)
        }
        return .tryAgain
    }

    /// Reads all downloads, and removes the downloads that have ended from `pending`.
    private func readStates() throws(ToolFailure) {
        var present: Set<EpisodeID> = []
        let list = try ListDownloads { $0.limit = largestPage }.whole(view)
        for row in list.rows where pending.contains(row.episode) {
            switch row.state {
            case .waiting, .downloading: present.insert(row.episode)
            case .failed: try end(row, "failed")
            case .downloaded, .cached: try end(row, "downloaded")
            }
        }
        // A download that is no longer in the list was cancelled.
        for episode in pending.subtracting(present) {
            pending.remove(episode)
            onEnd(episode)
        }
    }

    private func end(_ row: DownloadReply, _ outcome: String) throws(ToolFailure) {
        pending.remove(row.episode)
        if live == nil, !view.isForProgram {
            view.line("\(outcome): \(row.title)")
            try view.output.flush()
        }
        guard row.state != .failed else { return failures.append(row) }
        live?.clear()
        onEnd(row.episode)
    }

    private func showProgress() {
        guard let live else { return }
        let current = model.activities.first { $0.kind == .downloading }
        let ended = Double(total - pending.count) + (current?.progress ?? 0)
        let bar = ProgressBar.text(ended / Double(max(total, 1)))
        let count = "\(total - pending.count) of \(total)"
        live.show([bar, count, current.map(StatusText.activity)].compactMap(\.self).joinedText("  "))
    }
}
