internal import CommandLineTool
public import ControlProtocol
internal import PodcastModel

/// Show notes on a terminal.
public enum PlainNotes {
    /// Text as lines that fit; several empty lines count as one.
    public static func wrapped(_ text: String, _ width: Int?) -> [String] {
        var lines: [String] = []
        for paragraph in SafeText.lines(text).split(separator: "\n", omittingEmptySubsequences: false) {
            let broken = TextLayout.wrapped(String(paragraph), width: min(width ?? 100, 100))
            if broken.isEmpty && (lines.last ?? "").isEmpty { continue }
            lines += broken.isEmpty ? [""] : broken
        }
        return lines
    }
}

extension EpisodeDetailReply {
    public var notes: String? { content ?? summary }
}
