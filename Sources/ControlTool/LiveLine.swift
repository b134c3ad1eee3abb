internal import CommandLineTool
internal import PodcastModel

/// One line of a terminal that is drawn over.
final class LiveLine {
    private let output: ToolOutput
    private let width: Int
    private var shown = ""

    init(output: ToolOutput, width: Int) {
        self.output = output
        self.width = width
    }

    /// Shows a text, cut to the width; nothing is written when it stands there already.
    func show(_ text: String) {
        let line = ColumnLayout.fitted(SafeText.line(text), width: width - 1)
        if line == shown { return }
        draw(line)
    }

    /// Leaves an empty line.
    func clear() {
        if !shown.isEmpty { draw("") }
    }

    private func draw(_ line: String) {
        shown = line
        // A terminal that is gone ends the program by its next write of data.
        try? output.write("\r\u{1B}[K" + line)
        try? output.flush()
    }
}
