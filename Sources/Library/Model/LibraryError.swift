public import PodcastModel

/// The errors of all stores.
public enum LibraryError: Error, Equatable {
    /// No object matches: the query, and its kind if the query does not show the kind.
    case notFound(String, of: NamedKind? = nil)
    /// Several objects match; the first ones, at most `TitleResolver.maximumShown`.
    case ambiguous(String, of: NamedKind, candidates: [NamedCandidate])
    case otherKind(String, needed: NamedKind)
    /// A range of ids whose end is before its start.
    case reversedRange(String)
    /// Only part of a title was given where exact names are required; with the object of that title.
    case inexact(String, NamedCandidate)
    case alreadySubscribed(FeedID)
    /// The change conflicts with the library; the reason in one sentence.
    case refused(String)
    /// A newer program upgraded the file: its schema version and ours.
    case newerSchema(found: Int, known: Int)
    case diskFull
    /// The file or its directory cannot be written.
    case readOnly(String)
    /// Another process locked the library for too long.
    case busy
    /// The file is damaged; SQLite's message.
    case damaged(String)
    /// Any other error; SQLite's message.
    case storage(String)
}

extension LibraryError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notFound(let what, nil): "not found: \(what)"
        case .notFound(let what, let kind?): "no \(kind.rawValue) matches '\(what)'"
        case .ambiguous(let what, let kind, let candidates):
            "'\(what)' matches several \(kind.plural): "
                + candidates.map { "\($0.label) \($0.shortened.title)" }.joinedText("; ")
        case .otherKind(let what, let kind): "'\(what)' does not name \(kind == .episode ? "an" : "a") \(kind.rawValue)"
        case .reversedRange(let what): "'\(what)' is not a range: its end comes before its beginning"
        case .inexact(let what, let candidate):
            "'\(what)' is only a part of the title '\(candidate.shortened.title)' (\(candidate.label))"
        case .alreadySubscribed(let feed): "already subscribed, as feed \(feed.label)"
        case .refused(let why): why
        case .newerSchema(let found, let known):
            "the library has schema version \(found); this program supports versions up to \(known)"
        case .diskFull: "the disk is full"
        case .readOnly(let path): "cannot write \(path)"
        case .busy: "another process has locked the library"
        case .damaged(let words): "the library is damaged: \(words)"
        case .storage(let words): words
        }
    }
}
