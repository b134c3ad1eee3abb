internal import CommandLineTool
public import ControlProtocol
internal import PodcastModel

/// Show notes on a terminal.
public enum PlainNotes {
    /// Text as lines that fit; several empty lines count as one.
    public static func wrapped(_ text: String, _ width: Int?) -> [String] {
        var lines: [String] = []
        for line in TextLayout.wrapped(SafeText.lines(text), width: min(width ?? 100, 100))
        where !line.isEmpty || lines.last?.isEmpty == false {
            lines.append(line)
        }
        return lines
    }
}

extension EpisodeDetailReply {
    public var notes: String? { content ?? summary }
}
