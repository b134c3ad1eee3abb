internal import SystemCalls

/// The destination of an output: a terminal with its width, or a file or pipe.
public struct Terminal: Equatable, Sendable {
    /// True for a terminal on which lines can be redrawn.
    public var isInteractive: Bool
    public var width: Int?
    /// True to use colours and bold text.
    public var usesStyle: Bool

    public init(isInteractive: Bool, width: Int?, usesStyle: Bool) {
        self.isInteractive = isInteractive
        self.width = width
        self.usesStyle = usesStyle
    }

    /// Detects the properties of a descriptor's destination (1 for stdout).
    ///
    /// Files and pipes have no column limit and no style. `TERM=dumb` is a terminal on which lines are not redrawn. A
    /// non-empty `NO_COLOR` disables style (no-color.org).
    public init(descriptor: Int32) {
        let isTerminal = TerminalInput.isTerminal(descriptor)
        self.init(
            isTerminal: isTerminal, columns: isTerminal ? TerminalText.columns(of: descriptor) : nil,
            variable: CurrentProcess.variable)
    }

    /// Independent of the system, for tests.
    init(isTerminal: Bool, columns: Int?, variable: (String) -> String?) {
        let isDumb = variable("TERM") == "dumb" || variable("TERM") == nil
        isInteractive = isTerminal && !isDumb
        usesStyle = isInteractive && variable("NO_COLOR") == nil
        width =
            isTerminal ? (columns ?? variable("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? 80) : nil
    }

    public enum Style: String, Sendable {
        /// The most important part of a line.
        case bold = "\u{1B}[1m"
        case dim = "\u{1B}[2m"
        case red = "\u{1B}[31m"
        /// For objects that are running or in order.
        case green = "\u{1B}[32m"
    }

    public func styled(_ text: String, _ style: Style) -> String {
        usesStyle && !text.isEmpty ? style.rawValue + text + "\u{1B}[0m" : text
    }
}
