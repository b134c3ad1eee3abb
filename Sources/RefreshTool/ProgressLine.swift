internal import CommandLineTool
internal import PodcastModel
internal import Reporting

/// Shows the latest activity: on a terminal one line that is redrawn, otherwise a line every ten seconds, so that a cron job that
/// ends sooner sends no mail about its progress.
final class ProgressLine {
    private let board: ActivityBoard
    private let output: ToolOutput
    private let terminal: Terminal
    private let isQuiet: Bool
    private let live: LiveLine
    /// When the line was drawn last; without a terminal at first when the work began.
    private var shownAt: Instant?

    init(board: ActivityBoard, output: ToolOutput, terminal: Terminal, isQuiet: Bool) {
        self.board = board
        self.output = output
        self.terminal = terminal
        self.isQuiet = isQuiet
        live = LiveLine(output: output, width: terminal.width ?? 80)
    }

    /// Draws what is new, at most ten times a second.
    func tick(_ now: Instant) {
        let last = shownAt ?? (terminal.isInteractive ? .distantPast : now)
        shownAt = last
        guard !isQuiet, now - last >= (terminal.isInteractive ? .milliseconds(100) : .seconds(10)),
            let activity = board.snapshot.last
        else { return }
        let done = activity.progress.map { " \(Int($0 * 100)) %" } ?? ""
        let line = activity.message + done + (activity.subject.map { " " + $0 } ?? "")
        if terminal.isInteractive {
            live.show(line)
        } else {
            // Errors are ignored, because the work can continue without a progress line.
            try? output.line(SafeText.line(line))
            try? output.flush()
        }
        shownAt = now
    }

    /// Takes the line away, so that something else can be printed.
    func clear() { live.clear() }
}
