/// A piece of a transcript: who says what, and when.
public struct Cue: Equatable, Sendable {
    /// Where it begins; nil in a transcript without times.
    public var start: MediaTime?
    /// Where it ends, when the source says so.
    public var end: MediaTime?
    /// Who speaks, when the source says so.
    public var speaker: String?
    /// What is said: plain text, perhaps of several lines; never empty.
    public var text: String
    /// A piece of a transcript.
    public init(start: MediaTime? = nil, end: MediaTime? = nil, speaker: String? = nil, text: String) {
        self.start = start
        self.end = end
        self.speaker = speaker
        self.text = text
    }
}
