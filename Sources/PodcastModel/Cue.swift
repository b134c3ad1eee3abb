/// A segment of a transcript: speaker, text and time.
public struct Cue: Equatable, Sendable {
    /// Start; nil in a transcript without times.
    public var start: MediaTime?
    /// End; nil if the source does not give it.
    public var end: MediaTime?
    /// Speaker; nil if the source does not give one.
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
