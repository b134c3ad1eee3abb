public import PodcastModel

/// Converts publishers' notes to text. Programs that fetch feeds provide the parser for this untrusted text.
public protocol NotesReader {
    /// The text of notes: HTML or plain text, of any length.
    func text(ofNotes written: String) -> MarkedText
}

/// Treats notes as plain text.
public struct PlainNotesReader: NotesReader {
    public init() {}

    public func text(ofNotes written: String) -> MarkedText { MarkedText(written) }
}
