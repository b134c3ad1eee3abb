internal import SystemCalls

/// The destination of an output: a terminal with its width, or a file or pipe.
public struct Terminal: Equatable, Sendable {
    /// Whether it is a terminal that allows redrawing a line.
    public var isInteractive: Bool
    /// Number of columns; nil if there is no limit.
    public var width: Int?
    /// Whether to use colours and bold text.
    public var usesStyle: Bool

    public init(isInteractive: Bool, width: Int?, usesStyle: Bool) {
        self.isInteractive = isInteractive
        self.width = width
        self.usesStyle = usesStyle
    }

    /// Detects the properties of the destination of a descriptor, 1 for stdout.
    ///
    /// Files and pipes have no column limit and no style. `TERM=dumb` is a terminal on which lines are not redrawn. A
    /// non-empty `NO_COLOR` disables style (no-color.org).
    public init(descriptor: Int32) {
        let isTerminal = TerminalInput.isTerminal(descriptor)
        self.init(
            isTerminal: isTerminal, columns: isTerminal ? TerminalText.columns(of: descriptor) : nil,
            variable: CurrentProcess.variable)
    }

    /// Applies the rules to the given facts; independent of the system, for tests.
    public init(isTerminal: Bool, columns: Int?, variable: (String) -> String?) {
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
        /// Something that is in order or running.
        case green = "\u{1B}[32m"
    }

    /// The text in a style, if the terminal supports styles.
    public func styled(_ text: String, _ style: Style) -> String {
        usesStyle && !text.isEmpty ? style.rawValue + text + "\u{1B}[0m" : text
    }
}
