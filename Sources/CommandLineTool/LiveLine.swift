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

    public func clear() {
        if !shown.isEmpty { draw("") }
    }

    private func draw(_ line: String) {
        shown = line
        // If the terminal is closed, the next write of data reports it.
        try? output.write("\r\u{1B}[K" + line)
        try? output.flush()
    }
}
