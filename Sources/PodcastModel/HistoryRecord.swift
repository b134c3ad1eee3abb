/// One line of the listening history.
public struct HistoryRecord: Equatable, Sendable {
    /// The raw value is the word of the control protocol and of the library.
    public enum Event: String, Sendable, CaseIterable {
        /// Listening came to rest at the position: a pause, a stop, another episode.
        case heard
        /// A seek left the position.
        case left
        /// Heard to the end; the position is where the episode was until then.
        case played
        /// Marked unplayed; the position is where the episode was until then.
        case unplayed
        /// Marked as played; the position is where the episode was until then.
        case marked
        /// A rule put the episode into the queue.
        case queued
    }

    public var time = Timestamp(milliseconds: 0)
    public var event = Event.heard
    public var episode = EpisodeID(0)
    public var title = ""
    public var position = MediaTime.zero
    /// Of a rule: the text of the rule.
    public var reason: String?
    /// The line's number, in the order in which the lines were written.
    public var number: Int64 = 0

    public init() {}

    /// A line without its episode, for import and export.
    public init(time: Timestamp, event: Event, position: MediaTime) {
        self.time = time
        self.event = event
        self.position = position
    }
}
