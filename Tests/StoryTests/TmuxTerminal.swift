import Foundation
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// A program in a terminal of tmux.
final class TmuxTerminal {
    private let scratch: Scratch
    private let tmux: String

    init(_ command: [String], columns: Int, lines: Int) throws {
        scratch = try Scratch()
        tmux = try RequiredTool.tmux.path()
        let words = command.map { "'\($0)'" }.joined(separator: " ")
        try run("new-session", "-d", "-x", "\(columns)", "-y", "\(lines)", "\(words); echo ended with $?; read -r rest")
    }

    deinit { _ = try? run("kill-server") }

    @discardableResult
    private func run(_ arguments: String...) throws -> String {
        try Programs.run(
            Launch(
                tmux, ["-S", scratch.path + "/tmux", "-f", "/dev/null"] + arguments,
                environment: ["PATH=/usr/bin:/bin", "HOME=\(scratch.path)", "TERM=xterm-256color", "LC_ALL=C.UTF-8"])
        ).output
    }

    /// Keys by tmux's names: `j`, `Enter`, `Escape`, `PageDown`.
    func press(_ keys: String...) throws { for key in keys { try run("send-keys", key) } }
    func type(_ text: String) throws { try run("send-keys", "-l", text) }
    /// Sends the bytes of a text one by one, as a slow line does.
    func typeBytes(_ text: String) throws {
        for byte in text.utf8 { try run("send-keys", "-H", String(byte, radix: 16)) }
    }
    /// Pastes a text, marked as such if the program has asked for it.
    func paste(_ text: String) throws {
        try run("set-buffer", "--", text)
        try run("paste-buffer", "-p", "-r")
    }
    func resize(columns: Int, lines: Int) throws { try run("resize-window", "-x", "\(columns)", "-y", "\(lines)") }

    /// Waits until a text is on the screen.
    /// - Parameter line: where it must be, from 0; nil for anywhere.
    func wait(for text: String, line: Int? = nil, at location: SourceLocation = #_sourceLocation) throws {
        try wait(for: text, at: location) { shown in
            let lines = shown.split(separator: "\n", omittingEmptySubsequences: false)
            return (line.map { $0 < lines.count ? String(lines[$0]) : "" } ?? shown).contains(text)
        }
    }

    /// Waits until the screen matches.
    func wait(
        for text: String, at location: SourceLocation = #_sourceLocation, until matches: (String) -> Bool
    ) throws {
        let deadline = Instant.now + .seconds(120)
        var shown = ""
        while Instant.now < deadline {
            shown = try run("capture-pane", "-p")
            if matches(shown) { return }
        }
        Issue.record("'\(text)' is not on the screen:\n\(shown)", sourceLocation: location)
    }
}
