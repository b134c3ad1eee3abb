internal import PodcastModel
internal import SystemCalls

/// A secret that is typed or read from stdin, because every user of the machine can read command lines.
public enum SecretInput {
    /// The word on the command line in place of a secret.
    public static let word = "-"
    private static let longest = 4096
    private static let endOfText: UInt8 = 3
    private static let endOfTransmission: UInt8 = 4
    private static let killLine: UInt8 = 21
    private static let erasers: [UInt8] = [8, 127]

    /// Reads a line of stdin. On a terminal, shows the prompt and disables echo.
    public static func line(
        prompt: String, ifEmpty hint: String? = nil, on errors: ToolOutput
    ) throws(ToolFailure) -> String {
        guard TerminalInput.isTerminal(0) else { return try text(of: nextLine(), hint) }
        errors.write(prompt)
        let typed = try mapError(of: TerminalInput.withoutEcho(typedLine)) { (error: SystemError) in
            ToolFailure(.ioError, "cannot switch off the echo of the terminal: \(error.reason)")
        }
        errors.line()
        guard let typed = typed ?? nil else { throw .usage("nothing was changed") }
        return try text(of: typed, hint)
    }

    private static func typedLine() -> [UInt8]? {
        var line: [UInt8] = []
        while let byte = nextByte() {
            switch byte {
            case .newline, .carriageReturn, endOfTransmission: return line
            case endOfText: return nil
            case killLine: line = []
            case let byte where erasers.contains(byte):
                // Remove all bytes of a non-ASCII character.
                while let last = line.popLast(), last & 0xC0 == 0x80 {}
            case let byte: if line.count <= longest { line.append(byte) }
            }
        }
        return nil
    }

    /// Reads a line from a pipe or from the terminal's line editor.
    public static func nextLine(from descriptor: Int32 = 0) -> [UInt8] {
        var line: [UInt8] = []
        while line.count <= longest, let byte = nextByte(descriptor), byte != .newline { line.append(byte) }
        if line.last == .carriageReturn { line.removeLast() }
        return line
    }

    private static func nextByte(_ descriptor: Int32 = 0) -> UInt8? {
        (try? FileDescriptor.read(descriptor, upTo: 1))?.first
    }

    static func text(of line: [UInt8], _ hint: String?) throws(ToolFailure) -> String {
        if line.isEmpty { throw .usage("no password given", hint: hint) }
        guard line.count <= longest, let text = String(validating: line, as: UTF8.self) else {
            throw ToolFailure(.badData, "not a line of UTF-8 text of at most \(longest) bytes")
        }
        return text
    }
}
