internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import PodcastModel
internal import Presentation
internal import SystemCalls

/// `status --follow`: a snapshot and then changes, until it is interrupted. It outlives the daemon's restarts.
final class StatusFollower {
    private enum Style {
        /// One line of a terminal that is redrawn, with a running position.
        case live
        /// One change per line.
        case plain
        /// One JSON object per line: the status, then events.
        case json
        /// A line of a template whenever it changes.
        case template(RowTemplate)
    }

    private let client: ControlConnection
    private let output: ToolOutput
    private let errors: ToolOutput
    private let style: Style
    private let live: LiveLine
    private let width: Int
    private var model = ClientModel()
    private var changes = ChangeLines()

    init(_ view: View) {
        client = ControlConnection(reconnectingTo: view.socket)
        output = view.output
        errors = view.streams.errors
        let terminal = view.terminal
        let isPlain = view.isSet(GetStatus.plain) || !terminal.isInteractive
        style = view.template.map(Style.template) ?? (view.isForProgram ? .json : isPlain ? .plain : .live)
        width = terminal.width ?? 80
        live = LiveLine(output: output, width: width)
    }

    func run() throws(ToolFailure) -> ExitStatus {
        defer { live.clear() }
        client.watch(parts)
        while true {
            let event = try mapError(of: client.nextEvent(until: deadline), ToolFailure.init)
            if let event {
                model.apply(event)
                try show(event)
            } else if hasReaderLeft {
                return .success
            }
            if isCurrent { showChanges() }
            try output.flush()
        }
    }

    /// What programs get for an event, and the line about a daemon that has gone.
    private func show(_ event: ConnectionEvent) throws(ToolFailure) {
        let isJSON = if case .json = style { true } else { false }
        switch event {
        case .greeted: break
        case .snapshot:
            // What is the same as before is shown too.
            if isLost { changes.forgetPlayer() }
            isLost = false
            isCurrent = true
            // A daemon that ends now is reported by the next event.
            if isJSON, let status = try? client.call(GetStatus()) { output.line(status.json.text) }
        case .changed(let change): if isJSON { output.line(change.json.text) }
        case .lost:
            if isLost { break }
            isLost = true
            isCurrent = false
            live.clear()
            try output.flush()
            errors.line("podcastctl: the connection to podcastd has ended; waiting for it to start again")
        }
    }

    /// Whether the line about a daemon that has gone was shown.
    private var isLost = false
    /// Whether the model has the daemon's current state.
    private var isCurrent = false

    private func showChanges() {
        switch style {
        case .json: break
        case .live:
            var shown = model.player
            shown.position = shown.position(at: .now)
            live.show(StatusText.follow(shown, activities: model.activities, width: width - 1))
        case .plain: for line in changes.lines(model.player, model.activities) { output.line(line) }
        case .template(let template):
            let status = StatusReply {
                $0.player = model.player
                $0.queue = model.queue
                $0.outputs = model.outputs
                $0.activities = model.activities
                $0.player.position = $0.player.position(at: .now)
            }
            let line = template.lines(of: status.json, StatusReply.members).joinedText("")
            if line == shownLine { break }
            shownLine = line
            output.line(line)
        }
    }

    private var shownLine: String?

    private var parts: [StatusPart] {
        switch style {
        case .json: StatusPart.allCases
        case .template: [.player, .queue, .outputs, .activities]
        case .live, .plain: [.player, .activities]
        }
    }

    // MARK: a reader that goes

    /// A program that writes nothing learns only by asking that the reader of its pipe has gone.
    private let isPipe = (try? FileStatus(of: 1))?.isPipe == true

    private var hasReaderLeft: Bool { isPipe && waitForDescriptors(readable: 1, until: .distantPast) }

    private var deadline: Instant? { isPipe ? min(nextTick ?? .distantFuture, .now + .seconds(1)) : nextTick }

    // MARK: the running position

    /// When the shown seconds change next; nil while the position does not move, so that following a paused player costs
    /// nothing.
    private var nextTick: Instant? {
        let player = model.player
        switch style {
        case .plain, .json: return nil
        case .live, .template: if player.pace <= 0 { return nil }
        }
        let now = Instant.now
        guard let position = player.position(at: now) else { return nil }
        let untilNext = 1_000_000_000 - position.nanoseconds % 1_000_000_000
        return now + .nanoseconds(Int64(Double(untilNext) / min(max(player.pace, 0.1), 10)) + 1_000_000)
    }
}
