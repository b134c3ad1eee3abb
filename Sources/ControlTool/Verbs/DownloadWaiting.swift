internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import Presentation
internal import Reporting

/// `download --wait`: shows progress until the downloads have ended. On a terminal a line with a bar is redrawn, elsewhere each
/// download that ended is a line. An interrupt leaves the downloads to the daemon.
final class DownloadWaiting {
    private let view: View
    private let live: LiveLine?
    private let total: Int
    /// Downloads that have not ended.
    private var pending: Set<EpisodeID>
    private var failures: [DownloadReply] = []
    private var model = ClientModel()
    /// Takes each download that has ended and did not fail.
    private let take: (EpisodeID) -> Void

    init(_ view: View, for episodes: [EpisodeID], take: @escaping (EpisodeID) -> Void) {
        (self.view, self.take) = (view, take)
        pending = Set(episodes)
        total = pending.count
        let errors = Terminal(descriptor: 2)
        let isLive = errors.isInteractive && !view.line.isQuiet && !view.isForProgram
        live = isLive ? LiveLine(output: view.line.streams.errors, width: errors.width ?? 80) : nil
    }

    func run() throws(ToolFailure) -> ExitStatus {
        defer { live?.clear() }
        view.connection.timeout = nil
        // A request ends with its episode, too: whatever marks that as played drops the request.
        let parts: [StatusPart] = [.downloads, .episodes]
        view.connection.watch(parts + [.activities])
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
                to: view.line.streams)
        }
        return .tryAgain
    }

    /// Asks for all downloads, and takes out those that have ended.
    private func readStates() throws(ToolFailure) {
        var present: Set<EpisodeID> = []
        let list = try ListDownloads.whole(ListDownloads { $0.limit = largestPage }, view)
        for row in list.downloads where pending.contains(row.episode) {
            switch row.state {
            case .waiting, .downloading: present.insert(row.episode)
            case .failed: try end(row, "failed")
            case .downloaded, .cached: try end(row, "downloaded")
            }
        }
        // A download that is not in the list any more was cancelled.
        for episode in pending.subtracting(present) {
            pending.remove(episode)
            take(episode)
        }
    }

    private func end(_ row: DownloadReply, _ outcome: String) throws(ToolFailure) {
        pending.remove(row.episode)
        if live == nil, !view.isForProgram {
            try view.line("\(outcome): \(row.title)")
            try view.output.flush()
        }
        guard row.state != .failed else { return failures.append(row) }
        live?.clear()
        take(row.episode)
    }

    private func showProgress() {
        guard let live else { return }
        let current = model.activities.first { $0.kind == .downloading }
        let ended = Double(total - pending.count) + (current?.progress ?? 0)
        live.show(
            [
                ProgressBar.text(ended / Double(max(total, 1))), "\(total - pending.count) of \(total)",
                current.map(StatusText.activity),
            ].compactMap(\.self).joinedText("  "))
    }
}
