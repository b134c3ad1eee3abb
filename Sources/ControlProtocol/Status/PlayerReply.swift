public import ControlLanguage
public import PodcastModel

public struct PlayerReply: ReplyObject {
    public typealias State = PlayerState

    public struct PlayingEpisode: ReplyObject {
        public var id = EpisodeID(0)
        public var entry = EntryID(0)
        public var title: String?

        public init() {}

        public mutating func declareMembers(_ members: inout MemberExchange) {
            members.require("id", &id)
            members.declare("entry", &entry)
            members.declare("title", &title)
        }
    }

    public struct PlayingFeed: ReplyObject {
        public var id: FeedID?
        public var title: String?

        public init() {}

        public mutating func declareMembers(_ members: inout MemberExchange) {
            members.declare("id", &id)
            members.declare("title", &title)
        }
    }

    public struct Buffer: ReplyObject {
        /// Seconds ahead of the playhead.
        public var seconds = 0.0
        /// How full it is, 0 to 1.
        public var fill = 0.0
        /// Bytes a second that come in.
        public var rate = 0.0

        public init() {}

        public mutating func declareMembers(_ members: inout MemberExchange) {
            members.declare("seconds", &seconds, .thousandth)
            members.declare("fill", &fill, .thousandth)
            members.declare("rate", &rate, .whole)
        }
    }

    /// What the decoder reads of the file.
    public struct Audio: ReplyObject {
        /// `mp3`, `aac`, `opus` …
        public var codec = ""
        /// Frames per second.
        public var rate = 0
        public var channels = 0
        /// Type of a decoded sample: `int16`, `int32` or `float32`.
        public var samples = ""
        /// Average of the file in bits per second; nil if it is not known.
        public var bitRate: Int?

        public init() {}

        public mutating func declareMembers(_ members: inout MemberExchange) {
            members.declare("codec", &codec)
            members.declare("rate", &rate)
            members.declare("channels", &channels)
            members.declare("samples", &samples)
            members.declareIfAny("bitRate", &bitRate)
        }
    }

    public var state = State.stopped
    public var reason: String?
    public var episode: PlayingEpisode?
    public var feed: PlayingFeed?
    public var announcement: String?
    public var position: MediaTime?
    public var instant = Instant(nanoseconds: 0)
    public var pace = 0.0
    public var duration: MediaTime?
    public var remaining: MediaTime?
    public var queueRemaining = QueueTimeReply()
    public var speed = 1.0
    public var heardSpeed: Double?
    public var processing: [String] = []
    public var volume = 100
    public var feedVolume: Int?
    public var sleep: SleepTimerReply?
    public var upcoming = UpcomingReply()
    public var buffer = Buffer()
    public var audio: Audio?
    public var chapter: ChapterReply?
    public var error: String?
    public var failedTitle: String?
    public var errorStatus: Int?

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("state", &state, "stopped, loading, buffering, playing or paused.")
        members.declare("reason", &reason, "Why it is stopped or buffering.")
        members.declare("episode", &episode, "`id` and `title` of the current episode, and its queue `entry`.")
        members.declare("feed", &feed, "`id` and `title` of its feed.")
        members.declareIfAny(
            "announcement", &announcement,
            "The message that interrupts playback now, instead of `episode` and `feed`; `position` and `duration` are its own. "
                + "Left out otherwise.")
        members.declare("position", &position, "The audible position.")
        members.declare("instant", &instant, "When `position` was valid: CLOCK_MONOTONIC in nanoseconds.")
        members.declare(
            "pace", &pace, "How fast the position advances: seconds of the episode per second; 0 while it stands still."
        )
        members.declare("duration", &duration, "Total time, once known.")
        members.declareIfAny(
            "remaining", &remaining,
            "Time until the end at the speed that is heard; left out if the duration is not known.")
        members.declare(
            "queueRemaining", &queueRemaining,
            "Time until the end of the queue: `remaining` and the entries after the current one, each at the speed of its feed."
        )
        members.declare("speed", &speed, "Tempo, 1 for normal.")
        members.declareIfAny(
            "heardSpeed", &heardSpeed,
            "The speed that is heard if it is not `speed`: 1, while only players in the network play. Left out otherwise."
        )
        members.declareIfAny(
            "processing", &processing,
            "What else is done to the sound of this episode, each in a few words: pauses shortened, loudness -16 LUFS, voice "
                + "boost, mono, skips 2 parts. Left out if nothing is.")
        members.declare("volume", &volume, "Percentage.")
        members.declareIfAny(
            "feedVolume", &feedVolume, "The feed's volume as a percentage of `volume`; left out without one.")
        members.declareIfAny(
            "next", &upcoming.next, "The episode that plays next; left out at the end and while stopped.")
        members.declareIfAny(
            "context", &upcoming.context,
            "The feed or playlist that plays instead of the queue; left out if the queue plays.")
        members.declareIfAny("sleep", &sleep, "The sleep timer; left out if it is off.")
        members.declare(
            "buffer", &buffer, "`seconds` of audio ahead, `fill` from 0 to 1, `rate` in bytes per second.")
        members.declareIfAny(
            "audio", &audio,
            "Format of the file: `codec`, `rate` in Hz, `channels`, type of the decoded `samples` (int16, int32 or float32), and average "
                + "`bitRate` in bits per second, if known. Left out until the decoder has read it.")
        members.declare("chapter", &chapter, "The chapter.")
        members.declare("error", &error, "The last error.")
        members.declareIfAny(
            "failedTitle", &failedTitle,
            "Title of the episode of `error` if it is not the current one; `error` names it. Left out otherwise.")
        members.declareIfAny(
            "errorStatus", &errorStatus,
            "Exit status of sysexits.h that belongs to `error`; 75 while a host that cannot be reached is tried again, "
                + "with the cause in `reason`. Left out without either.")
    }

    /// Time from `position` until the end at the speed that is heard; nil if it is not known.
    public var timeLeft: MediaTime? {
        let speed = heardSpeed ?? speed
        guard let position, let duration, duration > .zero, speed > 0 else { return nil }
        return MediaTime(seconds: max(.zero, duration - position).seconds / speed)
    }

    /// The position at an instant if nothing changes until then, at most the episode's end.
    ///
    /// - Parameter instant: CLOCK_MONOTONIC of this machine.
    public func position(at instant: Instant) -> MediaTime? {
        guard pace > 0, let position else { return position }
        let running = position + MediaTime(seconds: max(.zero, instant - self.instant).inSeconds * pace)
        return duration.map { min(running, max($0, position)) } ?? running
    }

    /// The state at an instant if nothing changes until then, for readers that have another clock.
    ///
    /// - Parameter instant: CLOCK_MONOTONIC of this machine.
    public func state(at instant: Instant) -> PlayerReply {
        var later = self
        later.position = position(at: instant)
        if let remaining, let left = later.timeLeft {
            later.remaining = left
            later.queueRemaining.time = later.queueRemaining.time - (remaining - left)
        }
        if pace > 0, let left = sleep?.remaining {
            later.sleep?.remaining = max(.zero, left - MediaTime(seconds: max(.zero, instant - self.instant).inSeconds))
        }
        later.instant = instant
        return later
    }
}

extension PlayerState: WireScalar {}

/// A titled part of an episode.
public struct ChapterReply: ReplyObject {
    public private(set) var chapter = Chapter(start: .zero)
    /// Whether playback leaves it out; known in lists of chapters.
    public private(set) var isSkipped = false

    public init() {}
    public init(_ chapter: Chapter, isSkipped: Bool = false) {
        self.chapter = chapter
        self.isSkipped = isSkipped
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("start", &chapter.start, "Where it starts.")
        members.declare("end", &chapter.end, "Where it ends, if the source says so.")
        members.declare("title", &chapter.title, "Its title.")
        members.declare("link", &chapter.link, "A web page about it.")
        members.declare("image", &chapter.image, "URL of an image.")
        members.declare("toc", &chapter.isListed, "Whether it belongs in a table of contents.")
        members.declareIfAny(
            "skipped", &isSkipped, "True if playback leaves all of it out, in lists of chapters; left out otherwise.")
    }
}

/// What follows the current episode.
public struct UpcomingReply: Equatable, Sendable {
    public var next: NextReply?
    /// Nil if the queue plays.
    public var context: PlayContextReply?
    /// Of the entries after the current one.
    public var queueTime = QueueTimeReply()
    public init() {}
}

public struct NextReply: ReplyObject, Equatable {
    public var id = EpisodeID(0)
    public var title: String?
    public var feed: PlayerReply.PlayingFeed?
    public var from = PlayContextReply.Kind.queue

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("id", &id, "The episode's id.")
        members.declare("title", &title, "Its title.")
        members.declare("feed", &feed, "`id` and `title` of its feed.")
        members.declare("from", &from, "Where it comes from: queue, feed or playlist.")
    }
}

/// The feed or playlist that plays instead of the queue.
public struct PlayContextReply: ReplyObject, Equatable {
    public enum Kind: String, Sendable, CaseIterable, WireScalar {
        case queue, feed, playlist
    }

    public var kind = Kind.feed
    public var name = ""
    public var feed: FeedID?
    public var order = ""

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("kind", &kind, "feed or playlist.")
        members.declare("name", &name, "Title of the feed, or playlist:NAME or filter:CONDITIONS.")
        members.declare("feed", &feed, "The feed's id; null for a playlist.")
        members.declare("order", &order, "oldest-first or newest-first.")
    }
}
