internal import PodcastModel

/// One line of a terminal that is redrawn.
public final class LiveLine {
    private let output: ToolOutput
    private let width: Int
    private var shown = ""

    public init(output: ToolOutput, width: Int) {
        self.output = output
        self.width = width
    }

    /// Shows a text, cut to the width. Writes nothing if the text is shown already.
    public func show(_ text: String) {
        let line = TextLayout.fitted(SafeText.line(text), width: width - 1)
        if line == shown { return }
        draw(line)
    }

    public func clear() { if !shown.isEmpty { draw("") } }

    private func draw(_ line: String) {
        shown = line
        // If the terminal is closed, the next write of data reports it.
        output.write("\r\u{1B}[K" + line)
        try? output.flush()
    }
}

/// A progress bar of text: `[######    ]`.
public enum ProgressBar {
    /// - Parameters:
    ///   - share: clamped to 0…1.
    ///   - width: columns within the brackets.
    public static func text(_ share: Double, width: Int = 20) -> String {
        let full = share.isFinite ? min(max(Int(share * Double(width)), 0), width) : 0
        return "[" + String(repeating: "#", count: full) + String(repeating: " ", count: width - full) + "]"
    }
}
