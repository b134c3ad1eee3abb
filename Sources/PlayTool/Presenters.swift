internal import Activity
internal import CommandLineTool
internal import JSON
internal import MediaPorts
internal import Playback
internal import PodcastModel
internal import SystemCalls

/// What there is to show at one instant.
struct PlayView {
    var status: PlayerStatus
    var activities: [Activity]
    /// What is under way as the command line names it; nil while nothing is.
    var input: String?
    /// What was heard to its end, as the command line names it.
    var played: [String] = []

    /// The file's own title, else what it is called.
    var title: String { status.info?.tags["title"] ?? status.title ?? input.map(MediaOpener.title) ?? "" }
    /// `Buffering audio 40 %`; nil when nothing is waited for.
    var wait: String? {
        guard let activity = activities.last else { return nil }
        return activity.message + (activity.progress.map { " \(Int($0 * 100)) %" } ?? "")
    }
}

/// Shows the course of playing.
protocol PlayPresenter: AnyObject {
    /// Whether it wants a view each second while it sounds.
    var followsTime: Bool { get }
    /// Shows a view.
    func show(_ view: PlayView) throws(ToolFailure)
    /// Nothing follows.
    func finish() throws(ToolFailure)
}

/// One line for each change; for pipes, logs and screen readers.
final class PlainPresenter: PlayPresenter {
    private let output: ToolOutput
    private var last: String?
    private var lastError: MediaFailure?
    private var toldPlayed = 0

    init(_ output: ToolOutput) { self.output = output }

    let followsTime = false

    func show(_ view: PlayView) throws(ToolFailure) {
        if let error = view.status.error, error != lastError { try say("error: \(error.message)") }
        lastError = view.status.error
        for input in view.played.dropFirst(toldPlayed) { try say("played \(MediaOpener.title(of: input))") }
        toldPlayed = view.played.count
        guard let text = Self.text(view), text != last else { return }
        last = text
        // How long it is may become known better; that is no second beginning.
        let isLength = view.status.state == .playing && view.status.duration != nil
        try say(isLength ? "\(text), \(view.status.duration ?? .zero)" : text)
    }

    func finish() throws(ToolFailure) {}

    private func say(_ text: String) throws(ToolFailure) {
        try output.line(SafeText.line(text))
        try output.flush()
    }

    private static func text(_ view: PlayView) -> String? {
        switch view.status.state {
        case .stopped:
            nil
        case .loading, .buffering:
            // The activity without its progress: each step of it would be a line.
            view.activities.last.flatMap { activity in
                guard view.status.entry != nil, view.status.cause != .decoding else { return nil }
                return activity.message + trouble(view.status) + ": \(view.title)"
            }
        case .playing:
            "playing \(view.title)" + (view.status.info.map { ": \($0.summary)" } ?? "")
        case .paused: "paused \(view.title)"
        }
    }

    /// Causes that lie outside are told.
    private static func trouble(_ status: PlayerStatus) -> String {
        switch status.cause {
        case .connecting, .waitingForData, .reconnecting, .sink: status.reason.map { ", \($0)" } ?? ""
        case .seeking, .decoding, nil: ""
        }
    }
}

/// One line that is drawn over.
final class LivePresenter: PlayPresenter {
    private let output: ToolOutput
    private let width: Int
    private var lastError: MediaFailure?

    init(_ output: ToolOutput, width: Int) {
        self.output = output
        self.width = width
    }

    let followsTime = true

    func show(_ view: PlayView) throws(ToolFailure) {
        if let error = view.status.error, error != lastError {
            try output.write("\r\u{1B}[K\(SafeText.line(error.message))\n")
        }
        lastError = view.status.error
        try output.write("\r\u{1B}[K\(Self.line(view, width: width - 1))")
        try output.flush()
    }

    func finish() throws(ToolFailure) {
        try output.write("\n")
        try output.flush()
    }

    /// State or wait, position and title, cut to fit.
    static func line(_ view: PlayView, width: Int) -> String {
        let status = view.status
        var text = view.wait ?? status.state.rawValue
        if status.state == .buffering, let reason = status.reason { text += " (\(reason))" }
        if status.entry != nil {
            text += "  \(status.position)" + (status.duration.map { " / \($0)" } ?? "") + "  \(view.title)"
        }
        return cut(SafeText.line(text), to: max(width, 1))
    }

    private static func cut(_ text: String, to width: Int) -> String {
        guard TerminalText.width(of: text) > width else { return text }
        var result = ""
        var used = 0
        for character in text {
            let columns = TerminalText.width(of: String(character))
            guard used + columns < width else { break }
            result.append(character)
            used += columns
        }
        return result + "…"
    }
}

/// One JSON object a line.
final class JSONPresenter: PlayPresenter {
    private let output: ToolOutput

    init(_ output: ToolOutput) { self.output = output }

    let followsTime = true

    func show(_ view: PlayView) throws(ToolFailure) {
        try output.line(Self.object(view).text)
        try output.flush()
    }

    func finish() throws(ToolFailure) {}

    static func object(_ view: PlayView) -> JSONValue {
        let status = view.status
        return [
            "state": .string(status.state.rawValue),
            "reason": JSONValue(status.reason),
            "input": JSONValue(view.input),
            "played": .array(view.played.map(JSONValue.string)),
            "title": JSONValue(status.entry == nil ? nil : view.title),
            "position": JSONValue(status.position.wireSeconds),
            "duration": JSONValue(status.duration?.wireSeconds),
            "buffer": [
                "seconds": JSONValue((status.bufferSeconds * 1000).rounded() / 1000),
                "fill": JSONValue((status.bufferFill * 1000).rounded() / 1000),
                "rate": JSONValue(status.bufferRate.rounded()),
            ],
            "activities": .array(
                view.activities.map { activity in
                    [
                        "id": .integer(Int64(activity.id)),
                        "kind": .string(activity.kind.rawValue),
                        "message": .string(activity.message),
                        "subject": JSONValue(activity.subject),
                        "progress": JSONValue(activity.progress),
                    ]
                }),
            "error": status.error.map { failure in
                ["kind": .string(failure.kind.rawValue), "message": .string(failure.message)]
            } ?? .null,
        ]
    }
}

extension MediaTime {
    /// Seconds with the wire's grain of a millisecond.
    var wireSeconds: Double { Double(milliseconds) / 1000 }
}

extension StreamInfo {
    /// `mp3, 44100 Hz, 2 channels`.
    var summary: String {
        let name = codec == container ? codec : "\(codec) in \(container)"
        return "\(name), \(format.rate) Hz, \(format.channels) channel\(format.channels == 1 ? "" : "s")"
    }
}
