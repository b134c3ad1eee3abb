public import PodcastModel

/// Reads notes as publishers write them. The library has no parser of strangers' texts; who fetches feeds brings one.
public protocol NotesReader {
    /// What notes say: HTML or plain text, of any length.
    func text(ofNotes written: String) -> MarkedText
}

/// Takes notes for plain text.
public struct PlainNotesReader: NotesReader {
    public init() {}

    public func text(ofNotes written: String) -> MarkedText { MarkedText(written) }
}
