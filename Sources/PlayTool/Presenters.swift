internal import CommandLineTool
internal import JSON
internal import MediaPorts
internal import Playback
internal import PodcastModel
internal import Reporting

struct PlayView {
    var status: PlayerStatus
    var activities: [Activity]
    /// The current input as given on the command line; nil if there is none.
    var input: String?
    /// The input that was heard to the end, as given on the command line.
    var played: [String] = []

    /// The title from the file's tags, else the input's name.
    var title: String { status.info?.tags["title"] ?? status.title ?? input.map(MediaOpener.title) ?? "" }
    /// The current wait, such as `Buffering audio 40 %`; nil if there is none.
    var wait: String? {
        guard let activity = activities.last else { return nil }
        return activity.message + (activity.progress.map { " \(Int($0 * 100)) %" } ?? "")
    }
}

protocol PlayPresenter: AnyObject {
    /// Whether the presenter needs a view every second during playback.
    var followsTime: Bool { get }
    func show(_ view: PlayView) throws(ToolFailure)
    func finish() throws(ToolFailure)
}

extension PlayPresenter {
    func finish() throws(ToolFailure) {}
}

/// Prints one line for each change; for pipes, logs and screen readers.
final class PlainPresenter: PlayPresenter {
    private let output: ToolOutput
    private var last: String?
    private var lastError: MediaFailure?
    private var toldPlayed = 0

    init(_ output: ToolOutput) { self.output = output }

    let followsTime = false

    func show(_ view: PlayView) throws(ToolFailure) {
        if let error = view.status.error, error != lastError { try say("error: \(error)") }
        lastError = view.status.error
        for input in view.played.dropFirst(toldPlayed) { try say("played \(MediaOpener.title(of: input))") }
        toldPlayed = view.played.count
        guard let text = Self.text(view), text != last else { return }
        last = text
        // A better known duration does not count as a new start.
        let isLength = view.status.state == .playing && view.status.duration != nil
        try say(isLength ? "\(text), \(view.status.duration ?? .zero)" : text)
    }

    private func say(_ text: String) throws(ToolFailure) {
        output.line(SafeText.line(text))
        try output.flush()
    }

    private static func text(_ view: PlayView) -> String? {
        switch view.status.state {
        case .stopped:
            nil
        case .loading, .buffering:
            // The activity without its progress, because each step would print a line.
            view.activities.last.flatMap { activity in
                guard view.status.entry != nil, view.status.cause != .decoding else { return nil }
                return activity.message + trouble(view.status) + ": \(view.title)"
            }
        case .playing:
            "playing \(view.title)" + (view.status.info.map { ": \($0.summary)" } ?? "")
        case .paused: "paused \(view.title)"
        }
    }

    /// A reason that does not come from the user, without the seconds of waiting, because each would print a line.
    private static func trouble(_ status: PlayerStatus) -> String {
        switch status.cause {
        case .connecting, .waitingForData, .reconnecting, .sink: status.cause.map { ", \($0)" } ?? ""
        case .seeking, .decoding, nil: ""
        }
    }
}

final class LivePresenter: PlayPresenter {
    private let output: ToolOutput
    private let live: LiveLine
    private let width: Int
    private var lastError: MediaFailure?

    init(_ output: ToolOutput, width: Int) {
        self.output = output
        self.width = width
        live = LiveLine(output: output, width: width)
    }

    let followsTime = true

    func show(_ view: PlayView) throws(ToolFailure) {
        if let error = view.status.error, error != lastError {
            live.clear()
            output.line(SafeText.line(error.description))
        }
        lastError = view.status.error
        live.show(Self.line(view, width: width - 1))
    }

    func finish() throws(ToolFailure) {
        output.line()
        try output.flush()
    }

    /// State or wait, position and title, cut to the width.
    static func line(_ view: PlayView, width: Int) -> String {
        let status = view.status
        var text = view.wait ?? status.state.rawValue
        if status.state == .buffering, let reason = status.reason { text += " (\(reason))" }
        if status.entry != nil {
            text += "  \(status.position)" + (status.duration.map { " / \($0)" } ?? "") + "  \(view.title)"
        }
        return TextLayout.fitted(SafeText.line(text), width: max(width, 1))
    }
}

final class JSONPresenter: PlayPresenter {
    private let output: ToolOutput

    init(_ output: ToolOutput) { self.output = output }

    let followsTime = true

    func show(_ view: PlayView) throws(ToolFailure) {
        output.line(Self.object(view).text)
        try output.flush()
    }

    static func object(_ view: PlayView) -> JSONValue {
        let status = view.status
        return JSONValue(members: [
            "state": status.state.rawValue, "reason": status.reason, "input": view.input, "played": view.played,
            "title": status.entry.map { _ in view.title }, "position": status.position.wireSeconds,
            "duration": status.duration?.wireSeconds,
            "buffer": JSONValue(members: [
                "seconds": (status.bufferSeconds * 1000).rounded() / 1000,
                "fill": (status.bufferFill * 1000).rounded() / 1000, "rate": status.bufferRate.rounded(),
            ]),
            "activities": view.activities.map { activity in
                JSONValue(members: [
                    "id": Int64(activity.id), "kind": activity.kind.rawValue, "message": activity.message,
                    "subject": activity.subject, "progress": activity.progress,
                ])
            },
            "error": status.error.map { JSONValue(members: ["kind": $0.kind.rawValue, "message": $0.description]) },
        ])
    }
}

extension MediaTime {
    /// Seconds, rounded to milliseconds like in the protocol.
    var wireSeconds: Double { Double(milliseconds) / 1000 }
}

extension StreamInfo {
    /// `mp3, 44100 Hz, 2 channels`.
    var summary: String {
        let name = codec == container ? codec : "\(codec) in \(container)"
        return "\(name), \(format.rate) Hz, \(counted(format.channels, "channel"))"
    }
}
