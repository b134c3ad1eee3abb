internal import CommandLineTool
internal import Configuration
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import Library
internal import PodcastModel
internal import Reporting

/// Shows the latest activity of a command: on a terminal one line that is redrawn, otherwise a line every ten seconds, so
/// that a cron job that ends sooner sends no mail about its progress. Also reports to the daemon that has the library.
final class Progress {
    private let clock: any RefreshClock
    private let board: ActivityBoard
    private let output: ToolOutput
    private let isInteractive: Bool
    private let isQuiet: Bool
    private let live: LiveLine
    private let reporter: DaemonReporter?
    /// When the line was drawn last; without a terminal, at first when the work began.
    private var shownAt: Instant?

    init(_ run: CommandRun, library: DataFolder) {
        let terminal = run.environment.errorTerminal
        clock = run.clock
        board = run.board
        output = run.environment.errors
        isInteractive = terminal.isInteractive
        isQuiet = run.isQuiet || run.isJSON
        live = LiveLine(output: output, width: terminal.width ?? 80)
        reporter = DaemonReporter(
            board: board, socket: run.arguments.text(RefreshDeclaration.socket), library: library,
            variable: run.environment.variable)
    }

    /// Called often while the work continues; draws at most ten times a second.
    func tick() {
        let now = clock.now
        draw(now)
        reporter?.tick(now)
    }

    private func draw(_ now: Instant) {
        let last = shownAt ?? (isInteractive ? .distantPast : now)
        shownAt = last
        guard !isQuiet, now - last >= (isInteractive ? .milliseconds(100) : .seconds(10)),
            let activity = board.snapshot.last
        else { return }
        let done = activity.progress.map { " \(Int($0 * 100)) %" } ?? ""
        let line = activity.message + done + (activity.subject.map { " " + $0 } ?? "")
        if isInteractive {
            live.show(line)
        } else {
            // Errors are ignored, because the work can continue without a progress line.
            output.line(SafeText.line(line))
            try? output.flush()
        }
        shownAt = now
    }

    func add(_ report: FeedReport) {
        let feed = report.target.id
        if case .joined(let other, _)? = report.move {
            return add(
                ReportChanges {
                    $0.feeds = [other.id]
                    $0.removedFeeds = [feed]
                })
        }
        switch report.outcome {
        case .merged(let merge):
            guard !merge.added.isEmpty || !merge.changed.isEmpty || report.isHealthChanged else { break }
            add(.changed(feed, added: merge.added, changed: merge.changed))
        case .failed, .unchanged: if report.isHealthChanged { add(.changed(feed)) }
        case .postponed: break
        }
    }

    func add(_ changes: ReportChanges) {
        live.clear()
        reporter?.add(changes)
    }

    /// Makes room for other output on the terminal.
    func clear() { live.clear() }

    /// - Parameter summary: of a refresh; nil for other work.
    func finish(_ summary: RefreshSummary? = nil) {
        live.clear()
        reporter?.finish(summary)
    }
}

/// Reports this process's activities to the daemon, and which feeds and episodes changed: a few times a second at most, so
/// that a thousand feeds cost the daemon and its clients no more than one.
private final class DaemonReporter {
    private static let interval = Duration.milliseconds(250)
    /// Time limit of one answer; a slower daemon gets no further reports.
    private static let timeout = Duration.seconds(10)

    private let board: ActivityBoard
    /// Nil when the connection is lost: the work does not depend on the daemon.
    private var connection: ControlConnection?
    /// Activities sent to the daemon: its number for each, nil if it rejected one, and the values sent last.
    private var shown: [UInt64: (remote: UInt64?, last: Activity)] = [:]
    private var lastTime = Instant.distantPast
    private var changes = ReportChanges()

    /// Connects to the daemon; nil without one.
    ///
    /// Unless the user gave a socket, it is that of the daemon that has locked the library, which says in its lock where it
    /// listens. Nothing else depends on the environment, which cron does not have. Without such a daemon no socket is used:
    /// systemd may listen at the standard path, and a connection would start a daemon.
    init?(board: ActivityBoard, socket: String?, library: DataFolder, variable: (String) -> String?) {
        guard
            let path = socket ?? variable("PODCASTD_SOCKET") ?? LibraryLock.daemonSocket(in: library.path),
            let connection = try? ControlConnection(path: path)
        else { return nil }
        connection.timeout = Self.timeout
        self.connection = connection
        self.board = board
    }

    @discardableResult
    private func call<Called: Command>(_ command: Called) -> Called.Reply? {
        do throws(ClientFailure) {
            return try connection?.call(command)
        } catch .refused {
            return nil
        } catch {
            connection = nil
            return nil
        }
    }

    func add(_ more: ReportChanges) {
        changes.append(more)
        if changes.isLong { reportChanges() }
    }

    func tick(_ now: Instant) {
        guard now - lastTime >= Self.interval else { return }
        lastTime = now
        reportActivities()
        reportChanges()
    }

    func finish(_ summary: RefreshSummary?) {
        reportActivities()
        reportChanges()
        guard let summary, summary.feeds > 0 else { return }
        call(
            ReportRefresh {
                $0.changed = Int64(summary.changed)
                $0.unchanged = Int64(max(0, summary.feeds - summary.changed - summary.failed))
                $0.failed = Int64(summary.failed)
                $0.newEpisodes = Int64(summary.newEpisodes)
            })
    }

    private func reportActivities() {
        let now = board.snapshot
        for activity in now {
            guard let (remote, last) = shown[activity.id] else {
                let begin = BeginActivity {
                    $0.kind = activity.kind
                    $0.message = activity.message
                    $0.subject = activity.subject
                    $0.progress = activity.progress
                }
                shown[activity.id] = (call(begin)?.id, activity)
                continue
            }
            guard let remote, last != activity else { continue }
            call(
                UpdateActivity {
                    $0.id = remote
                    $0.message = activity.message
                    $0.subject = activity.subject
                    $0.progress = activity.progress
                })
            shown[activity.id]?.last = activity
        }
        for (local, (remote, _)) in shown where !now.contains(where: { $0.id == local }) {
            if let remote { call(EndActivity { $0.id = remote }) }
            shown[local] = nil
        }
    }

    private func reportChanges() {
        if changes.isEmpty { return }
        call(changes)
        changes = ReportChanges()
    }
}

/// What this process changed in the library. Of many episodes some suffice, because clients then read their lists again.
extension ReportChanges {
    static func added(_ feed: FeedID, episodes: [EpisodeID] = []) -> ReportChanges {
        ReportChanges {
            $0.newFeeds = [feed]
            $0.newEpisodes = episodes
        }
    }

    static func changed(_ feed: FeedID, added: [EpisodeID] = [], changed: [EpisodeID] = []) -> ReportChanges {
        ReportChanges {
            $0.feeds = [feed]
            $0.newEpisodes = added
            $0.episodes = changed
        }
    }

    fileprivate var isEmpty: Bool { feeds.isEmpty && newFeeds.isEmpty && removedFeeds.isEmpty }

    /// A list of a command has a maximum.
    fileprivate var isLong: Bool {
        [feeds.count, newFeeds.count, removedFeeds.count].contains { $0 >= Self.maximumEpisodes }
    }

    fileprivate mutating func append(_ more: ReportChanges) {
        feeds += more.feeds
        newFeeds += more.newFeeds
        removedFeeds += more.removedFeeds
        episodes += more.episodes.prefix(max(0, Self.maximumEpisodes - episodes.count))
        newEpisodes += more.newEpisodes.prefix(max(0, Self.maximumEpisodes - newEpisodes.count))
    }
}
