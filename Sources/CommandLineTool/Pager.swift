public import SystemCalls

/// A pager for long output. The pager replaces the process, so that Ctrl-C reaches only one process.
public struct Pager: Sendable {
    /// Longer output is written to the terminal without a pager.
    static let maximumBytes = 16 << 20

    private let program: String
    private let arguments: [String]
    private let lines: Int

    /// Nil if stdin or stdout is not a terminal, or if the user disabled the pager.
    /// - Parameter own: the environment variable to use before `PAGER`: a command line; `cat` disables the pager.
    public init?(own: String, variable: (String) -> String? = CurrentProcess.variable) {
        guard Terminal(descriptor: 1).isInteractive, TerminalInput.isTerminal(0),
            let size = TerminalText.size(of: 1)
        else { return nil }
        self.init(chosen: variable(own) ?? variable("PAGER"), lines: size.lines)
    }

    /// Independent of the system, for tests.
    init?(chosen: String?, lines: Int) {
        if chosen == "cat" { return nil }
        self.lines = lines
        // -F: exit at once if everything fits; -R: show bold text; -X: leave the text on the screen.
        (program, arguments) = chosen.map { ("/bin/sh", ["-c", $0]) } ?? ("less", ["-FRX"])
    }

    /// True if the text and the prompt need more lines than the terminal has.
    func isNeeded(for text: [UInt8]) -> Bool {
        text.count { $0 == UInt8(ascii: "\n") } >= lines
    }

    /// Replaces the process with the pager. Returns only on failure.
    func show(_ text: [UInt8]) {
        guard let file = try? MemoryFile(name: "output") else { return }
        let isWritten: Void? = unsafe text.withUnsafeBytes { unsafe try? file.write($0, at: 0) }
        if isWritten != nil { _ = replaceProcess(program, arguments, reading: file) }
    }
}
