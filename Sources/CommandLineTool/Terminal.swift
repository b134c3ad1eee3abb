internal import Glibc
internal import SystemCalls

/// What is on the other side of an output: a terminal of a width, or a file or pipe.
public struct Terminal: Equatable, Sendable {
    /// Whether it is a terminal on which a line can be drawn over.
    public var isInteractive: Bool
    /// Columns to fit text into; nil when there is no bound.
    public var width: Int?
    /// Whether to use colours and bold type.
    public var usesStyle: Bool

    /// An output as a test or a program wants it.
    public init(isInteractive: Bool, width: Int?, usesStyle: Bool) {
        self.isInteractive = isInteractive
        self.width = width
        self.usesStyle = usesStyle
    }

    /// The output behind a descriptor, 1 for stdout.
    ///
    /// Without a terminal there is neither bound nor style. `TERM=dumb` is a terminal on which nothing is drawn
    /// over; `NO_COLOR`, set and not empty, takes the style (no-color.org).
    public init(descriptor: Int32) {
        let isTerminal = isatty(descriptor) == 1
        self.init(
            isTerminal: isTerminal, columns: isTerminal ? TerminalText.columns(of: descriptor) : nil,
            variable: Environment.variable)
    }

    /// The rules, apart from the system: what is there, and what the environment says of it.
    public init(isTerminal: Bool, columns: Int?, variable: (String) -> String?) {
        let isDumb = variable("TERM") == "dumb" || variable("TERM") == nil
        isInteractive = isTerminal && !isDumb
        usesStyle = isInteractive && variable("NO_COLOR") == nil
        width =
            isTerminal ? (columns ?? variable("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? 80) : nil
    }

    /// A way of showing text.
    public enum Style: String, Sendable {
        /// What matters most on a line.
        case bold = "\u{1B}[1m"
        /// What matters less.
        case dim = "\u{1B}[2m"
        /// Errors.
        case red = "\u{1B}[31m"
        /// What is well or running.
        case green = "\u{1B}[32m"
    }

    /// The text in a style where the terminal has styles.
    public func styled(_ text: String, _ style: Style) -> String {
        usesStyle && !text.isEmpty ? style.rawValue + text + "\u{1B}[0m" : text
    }
}

/// The process's environment.
public enum Environment {
    /// A variable that is set and not empty: getenv(3).
    public static func variable(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}
