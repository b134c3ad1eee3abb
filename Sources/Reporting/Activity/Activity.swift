public import PodcastModel

/// An operation in progress that a person waits for.
public struct Activity: Equatable, Sendable {
    /// Clients choose words and symbols by the kind.
    public enum Kind: String, Sendable, CaseIterable {
        /// Fetching, parsing and queueing a requested episode, until the first sound.
        case loading
        /// Waiting for audio from the network or the decoder.
        case buffering
        case seeking
        case refreshing
        case subscribing
        case downloading
        case backup
    }

    /// Maximum Unicode scalars of a message or subject. Longer texts are cut, so that the activities of all clients fit
    /// in one line of the control protocol.
    public static let maximumLength = 200

    /// Unique within a process.
    public var id: UInt64 = 0
    public var kind = Kind.loading
    /// Text for users, such as `Buffering audio`: one line without control characters, at most `maximumLength` Unicode scalars.
    public var message = ""
    /// Title of the feed or episode; cleaned and cut like the message.
    public var subject: String?
    /// 0 to 1; nil if unknown.
    public var progress: Double?
    public var since = Timestamp(seconds: 0)
    /// The activity that this one is a part of.
    public var parent: UInt64?

    public init() {}
}
