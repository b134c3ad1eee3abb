public import ControlLanguage
public import PodcastModel

extension CommandSection {
    public static let playback = CommandSection(
        "playback",
        [
            Play.self, Pause.self, TogglePlayback.self, Stop.self, PlayNext.self, PlayPrevious.self, Seek.self,
            GoToChapter.self, SetVolume.self, SetSpeed.self, Undo.self, Redo.self, ListUndoable.self,
            SetSleepTimer.self, Announce.self,
        ])
}

public struct Play: Command {
    public var what: String?
    public var position: TimeArgument?
    public var said: String?
    /// The index, from 1, of the first episode of a playlist or filter.
    public var from: Int?
    public var oldestFirst = false
    public var newestFirst = false
    public var thenQueue = false
    public var isPaused = false
    public var isPeer = false

    public static let form = CommandForm<Self, PlayerStateReply>(
        Self(), "playback.play", "Play an episode, a feed, a URL or a file; without WHAT, resume playback.", .control,
        isLong: true, verb: "play",
        details: [
            "A number is an index in the queue; e3124 is an episode's id, f5 a feed's. An episode "
                + "that is not in the queue is inserted after the current entry. A feed plays its newest unplayed "
                + "episode, a serial show its oldest one, season by season, unless --newest-first is given; also a feed by its "
                + "URL without subscribing to it. Several words are one title.",
            "A path such as ./talk.mp3 plays a file: podcastctl opens it and hands it to the daemon. Files by path or URL are "
                + "kept in the feed 'Single files'; see 'podcastctl help feeds'.",
            "With --oldest-first or --newest-first a feed, playlist:NAME or filter:CONDITIONS plays one unplayed episode after "
                + "another in that order instead of the queue, beginning with the first; an episode, or the current one if WHAT is "
                + "left out, is followed by those of its feed. At their end, after 'play' with another WHAT and after 'play "
                + "--then-queue' the queue continues. 'status' shows what is next, and a restart keeps it.",
            "Waits up to three seconds for the episode to load, and exits with 65 if it cannot be played, 69 if the host "
                + "refuses it or does not have it, 75 if the host cannot be reached.",
        ])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare(
            "what", &what, .title,
            help:
                "An index in the queue, an episode's or feed's id such as e3124 or f5, a URL of a file or feed, words of a "
                + "title, playlist:NAME or filter:CONDITIONS.")
        parameters.declare(
            "position", &position, spelling: .option, placeholder: "TIME",
            help: "Where to start (default: the saved position).")
        parameters.declare(
            "said", &said, spelling: .option, placeholder: "TEXT",
            help: "Start where this is said, according to the episode's transcript.")
        parameters.declare(
            "from", &from, .integer(1...100_000), spelling: .option, placeholder: "N",
            help: "Start a playlist or filter at its Nth episode.")
        parameters.declare(
            "oldestFirst", &oldestFirst, help: "Continue with the feed or playlist, oldest episode first.")
        parameters.declare(
            "newestFirst", &newestFirst, help: "Continue with the feed or playlist, newest episode first.")
        parameters.declare("thenQueue", &thenQueue, help: "Continue with the queue, not with a feed or playlist.")
        parameters.declare(
            "paused", &isPaused, spelling: .wireOnly, help: "Load the episode, and wait for 'playback.play' to begin.")
        parameters.declare(
            "peer", &isPeer, spelling: .wireOnly,
            help: "Take only the URL of a file as WHAT, on a host that is public or allowed by network.private_hosts.")
    }
}

public struct Pause: Command {
    public static let form = CommandForm<Self, PlayerStateReply>(
        Self(), "playback.pause", "Pause.", .control, verb: "pause")
}

public struct TogglePlayback: Command {
    public static let form = CommandForm<Self, PlayerStateReply>(
        Self(), "playback.toggle", "Pause when playing, else play.", .control, verb: "toggle")
}

public struct Stop: Command {
    public static let form = CommandForm<Self, PlayerStateReply>(
        Self(), "playback.stop", "Stop; the position is kept.", .control, verb: "stop")
}

public struct PlayNext: Command {
    public static let form = CommandForm<Self, PlayerStateReply>(
        Self(), "playback.next", "Play the next entry of the queue.", .control, verb: "next")
}

/// Plays the episode from its beginning or, if less than five seconds of it were heard, the previous entry.
public struct PlayPrevious: Command {
    public static let form = CommandForm<Self, PlayerStateReply>(
        Self(), "playback.previous", "Restart the episode, or play the previous one.", .control, verb: "previous",
        details: [
            "If at least five seconds were heard, the episode is restarted. Otherwise the previous one plays, also if it "
                + "has left the queue because it was heard to its end."
        ])
}

/// Goes to a time, or to where something is said: one of the two.
public struct Seek: Command {
    public var time: TimeArgument?
    public var said: String?

    public static let form = CommandForm<Self, PositionReply>(
        Self(), "playback.seek", "Jump to a time, or forward or back.", .control, isLong: true, verb: "seek",
        details: [
            "A time beyond the end of the episode is refused. '+TIME' past the end finishes the episode and plays the "
                + "next one; 'undo' brings back the position that was heard."
        ])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare(
            "time", &time,
            help:
                "SECONDS, M:SS, H:MM:SS[.mmm] or 1h2m3s; with + or - relative to the position heard now. Or a percentage such as "
                + "50% or +10%.")
        parameters.declare(
            "said", &said, spelling: .option, placeholder: "TEXT",
            help: "Jump to the next place in the transcript where TEXT is said, starting over after the last.")
    }
}

public struct GoToChapter: Command {
    public var chapter = ""

    public static let form = CommandForm<Self, PositionReply>(
        Self(), "playback.chapter", "Jump to a chapter.", .control, verb: "chapter",
        details: [
            "'podcastctl chapters' lists the chapters with their numbers. 'previous' returns to the beginning of the chapter or, "
                + "in its first five seconds, to the one before. 'undo' brings back the position that was heard."
        ])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.require(
            "chapter", &chapter, .what.offering(.chapter),
            help: "next, previous, a chapter's number, or words of its title.")
    }
}

/// Sets the volume, or changes it: at most one of the two. Without both it is only reported.
public struct SetVolume: Command {
    public var level: Int?
    public var change: Int?

    public static let form = CommandForm<Self, VolumeReply>(
        Self(), "playback.volume", "Show, set or change the volume.", .control, verb: "volume",
        details: ["The volume is kept when the daemon restarts."])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("level", &level, .integer(0...100), help: "Percentage.")
        parameters.declare(
            "change", &change, .integer(-100...100),
            help: "Percentage to add, or subtract if negative; not together with `level`.")
    }
}

/// Sets the speed, or changes it: at most one of the two. Without both it is only reported.
public struct SetSpeed: Command {
    public var speed: Double?
    public var change: Double?

    public static let form = CommandForm<Self, SpeedReply>(
        Self(), "playback.speed", "Show, set or change the playback speed.", .control, verb: "speed",
        details: [
            "The pitch is kept, and positions remain those of the recording. The speed applies to all feeds, unless the episode "
                + "that plays is from a feed with its own speed ('set FEED speed 1.5') or from a feed that publishes music: then it is "
                + "the feed's."
        ])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare(
            "speed", &speed, .number(0.5...4), help: "Seconds of the episode per second, in steps of 0.05.")
        parameters.declare(
            "change", &change, .number(-3.5...3.5),
            help: "What to add, or subtract if negative; not together with `speed`.")
    }
}

public struct Undo: Command {
    public var act: Int64?
    public static let form = CommandForm<Self, UndoneReply>(
        Self(), "playback.undo", "Undo the last change of the library or the queue, or the last actions of rules.",
        .control,
        verb: "undo",
        details: [
            "Undoes seeks, marks, stars, notes, edits of the queue, subscribing and unsubscribing, settings, the speed, the volume, outputs, rules, "
                + "retention, playlists, downloads, deleted files, joined episodes and feeds and imports, latest first, also after "
                + "a restart of the daemon. An episode that played to its end "
                + "counts as marked played and returns to the queue, and an entry that 'play' queued counts as added. Everything that rules "
                + "queued, marked and hid within a minute is one step. The playing entry stays in the queue, and "
                + "episodes that you have used since rules or an import changed them stay as they are. A deleted file is downloaded again.",
            "The last 50 changes can be undone. What cannot be undone is named, and nothing is changed; the next 'undo' takes "
                + "the one before. 'redo' takes an undo back. Fails if there is nothing to undo.",
            "The end of an episode does not come before what you did in the ten minutes before it. An act that is more than ten "
                + "minutes old is named, and undone after a confirmation or with --yes.",
        ])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare(
            "act", &act, .integer(1...Int64.max), spelling: .wireOnly,
            help: "The id of the act to undo, as in `playback.undoable` (default: the last act).")
    }
}

public struct Redo: Command {
    public static let form = CommandForm<Self, UndoneReply>(
        Self(), "playback.redo", "Take the last 'undo' back.", .control, verb: "redo",
        details: [
            "Several in a row redo as many undone changes. Any other change of the library or the queue ends that. "
                + "Fails if there is nothing to redo."
        ])
}

public struct ListUndoable: Command {
    public static let form = CommandForm<Self, UndoableListReply>(
        Self(), "playback.undoable",
        "List what `podcastctl undo` would undo and `redo` do again, as the option --list of `undo` does.", .read)
}

public struct Announce: Command {
    public var what = ""
    public var volume: Int?

    public static let form = CommandForm<Self, PlayerStateReply>(
        Self(), "playback.announce", "Interrupt playback for a message, and return to the same place.", .control,
        verb: "announce",
        details: [
            "Playback fades out, the message plays once at normal speed, and playback returns to where the fade began; what "
                + "was paused or stopped is so again. A file is opened with your rights.",
            "'next' ends the message early, 'stop' ends it without a return, and another message replaces it. It is neither "
                + "queued nor kept in the library or the history.",
            "Waits up to three seconds for the message to load, and exits as 'play' does.",
        ])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.require(
            "what", &what, .text(maximumBytes: 4096), placeholder: "FILE",
            help:
                "URL of an audio file, its path, or - for standard input. On the socket the descriptor of the file comes with the request."
        )
        parameters.declare(
            "volume", &volume, .integer(0...100), spelling: .option,
            help: "Volume of the message as a percentage (default: that of playback).")
    }
}
