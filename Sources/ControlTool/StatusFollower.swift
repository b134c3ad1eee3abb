internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import PodcastModel
internal import SystemCalls

/// `status --follow`: a snapshot, then what changes, until interrupted or the daemon is gone.
final class StatusFollower {
    /// How the news is shown.
    enum Style {
        /// One line of a terminal that is drawn over; the position runs on by itself.
        case live
        /// One piece of news a line.
        case plain
        /// One JSON object a line: first the status, then events.
        case json
    }

    private let client: ControlConnection
    private let output: ToolOutput
    private let style: Style
    private let live: LiveLine
    private var model = ClientModel()
    private var told: [UInt64: String] = [:]
    private var toldPlayer = ""

    init(client: ControlConnection, terminal: Terminal, output: ToolOutput, style: Style) {
        self.client = client
        self.output = output
        self.style = style
        live = LiveLine(output: output, width: terminal.width ?? 80)
    }

    func run() throws(ToolFailure) -> ExitStatus {
        do throws(ClientFailure) {
            let parts = style == .json ? StatusPart.allCases : [.player, .activities]
            model.apply(try client.call(SubscribeStatus { $0.parts = parts }))
            if style == .json {
                let status = try client.call(Request(id: nil, GetStatus()))
                try show { () throws(ToolFailure) in try output.line(status.text) }
            }
            try show { () throws(ToolFailure) in try tell() }
            while true {
                if let event = try client.nextEvent(until: nextTick) {
                    model.apply(event)
                    if style == .json, case .changed(let change) = event {
                        try show { () throws(ToolFailure) in try output.line(change.json.text) }
                    }
                }
                try show { () throws(ToolFailure) in try tell() }
            }
        } catch {
            live.clear()
            if let failure = outputFailure { throw failure }
            throw ToolFailure(error)
        }
    }

    private var outputFailure: ToolFailure?

    /// Writes and flushes; an output that is gone ends the loop.
    private func show(_ body: () throws(ToolFailure) -> Void) throws(ClientFailure) {
        do throws(ToolFailure) {
            try body()
            try output.flush()
        } catch {
            outputFailure = error
            throw .closed
        }
    }

    private func tell() throws(ToolFailure) {
        switch style {
        case .json: break
        case .live:
            var shown = model.player
            shown.position = shown.position(at: monotonicNanoseconds())
            live.show(StatusText.follow(shown, activities: model.activities))
        case .plain: try tellNews()
        }
    }

    /// The player when something other than time has passed, and each activity when its words change.
    private func tellNews() throws(ToolFailure) {
        var still = model.player
        still.position = nil
        let text = StatusText.follow(still, activities: [])
        if text != toldPlayer {
            toldPlayer = text
            try output.line(StatusText.follow(model.player, activities: []))
        }
        for activity in model.activities {
            let text = StatusText.activity(activity)
            if told.updateValue(text, forKey: activity.id) != text { try output.line(text) }
        }
        for (id, text) in told where !model.activities.contains(where: { $0.id == id }) {
            told[id] = nil
            try output.line("done: \(text)")
        }
    }

    // MARK: the running position

    /// When the seconds shown change next; nil while nothing runs, so that following a paused player costs nothing.
    private var nextTick: Int64? {
        let player = model.player
        guard style == .live, player.pace > 0 else { return nil }
        let now = monotonicNanoseconds()
        guard let position = player.position(at: now) else { return nil }
        let untilNext = 1_000_000_000 - position.nanoseconds % 1_000_000_000
        return now + Int64(Double(untilNext) / min(max(player.pace, 0.1), 10)) + 1_000_000
    }
}
