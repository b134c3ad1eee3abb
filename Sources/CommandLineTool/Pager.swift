public import SystemCalls

/// The program that shows output which is longer than the terminal, page by page. It takes the place of the program that wrote the
/// output, so that there is nothing to wait for and Ctrl-C reaches only one of them.
public struct Pager: Sendable {
    /// Output beyond this is written to the terminal without a pager.
    static let maximumBytes = 16 << 20

    private let program: String
    private let arguments: [String]
    /// Lines of the terminal.
    private let lines: Int

    /// The pager of a user at a terminal; nil where stdin or stdout is none, or if the user wants none.
    ///
    /// - Parameter own: the variable that is read before `PAGER`, which has a command line; `cat` means none.
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
        // -F: leaves at once if everything fits; -R: shows bold text; -X: leaves the text on the screen.
        (program, arguments) = chosen.map { ("/bin/sh", ["-c", $0]) } ?? ("less", ["-FRX"])
    }

    /// Whether the text needs more lines than the terminal has, of which one is for the prompt.
    func isNeeded(for text: [UInt8]) -> Bool {
        text.count { $0 == UInt8(ascii: "\n") } >= lines
    }

    /// Becomes the pager. Returns only if that is not possible.
    func show(_ text: [UInt8]) {
        guard let file = try? MemoryFile(name: "output", capacity: Int64(text.count)) else { return }
        let isWritten: Void? = unsafe text.withUnsafeBytes { unsafe try? file.write($0, at: 0) }
        if isWritten != nil { _ = replaceProcess(program, arguments, reading: file) }
    }
}
