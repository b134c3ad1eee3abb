internal import JSON
internal import Library

/// One record of an import, in the source's order: feeds may come after their episodes.
enum PortableRecord: Equatable {
    case feed(PortableFeed)
    case episode(PortableEpisode)
    case policy(PortablePolicy)
    /// A setting of the daemon that clients made, or the volume.
    case setting(ClientSetting)
    /// An output as clients set it up.
    case output(JSONValue)
    case listening(HeardDay)
}

/// Why an import failed or is incomplete.
enum MovingError: Error, Equatable, CustomStringConvertible {
    /// The document is something else; see `reason`.
    case notRecognized(reason: String)
    /// A newer program wrote it: its version, and the newest known here.
    case tooNew(found: Int64, known: Int64)
    /// The document is incomplete or damaged: the place, or the library's message.
    case damaged(String)

    var description: String {
        switch self {
        case .notRecognized(let reason): "cannot be imported: \(reason)"
        case .tooNew(let found, let known):
            "was written by a newer podcastd (format version \(found); this one reads up to \(known))"
        case .damaged(let words): "is damaged: \(words)"
        }
    }
}
