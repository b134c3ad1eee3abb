/// A segment of a transcript: speaker, text and time.
public struct Cue: Equatable, Sendable {
    /// Nil in a transcript without times.
    public var start: MediaTime?
    public var end: MediaTime?
    public var speaker: String?
    /// The spoken text: plain, possibly several lines, never empty.
    public var text: String
    public init(start: MediaTime? = nil, end: MediaTime? = nil, speaker: String? = nil, text: String) {
        self.start = start
        self.end = end
        self.speaker = speaker
        self.text = text
    }
}
