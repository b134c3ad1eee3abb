/// The player.
public enum PlaybackCommand: String, SectionCommands {
    /// Plays something, or goes on.
    case play
    /// Holds.
    case pause
    /// Plays or holds.
    case toggle
    /// Ends playing.
    case stop
    /// Goes to the next entry.
    case next
    /// Goes back.
    case previous
    /// Goes to a time.
    case seek
    /// Sets the volume.
    case volume
    /// Takes the last act back.
    case undo

    /// The section.
    public static let section = CommandDeclaration.Section.playback

    /// The command's declaration.
    public var declaration: CommandDeclaration {
        let state = "`state`: the player state that this led to"
        return switch self {
        case .play:
            declared(
                "Play an episode, a feed or a URL; without one, go on where it was paused or stopped.",
                [
                    ParameterDeclaration(
                        "what", .what,
                        help: "A queue index, an episode's or feed's id, a URL of a file or feed, or part of a title."),
                    ParameterDeclaration(
                        "position", .time, spelling: .option,
                        help: "Where to begin; the saved position unless given."),
                    ParameterDeclaration(
                        "said", .string, spelling: .option,
                        help: "Begin where this is said, as the episode's transcript has it."),
                ], result: state, .control, isLong: true,
                commandLine: CommandLineForm(
                    ["play"], group: "Playback",
                    details: [
                        "A number is a queue index if the queue has that many entries, then an episode's id. An episode "
                            + "that is not in the queue is put after the current entry. A feed plays its newest unplayed "
                            + "episode; the URL of a feed that is not subscribed to is loaded and its episodes are queued."
                    ]))
        case .pause:
            declared(
                "Pause.", result: state, .control, commandLine: CommandLineForm(["pause"], group: "Playback"))
        case .toggle:
            declared(
                "Pause when playing, else play.", result: state, .control,
                commandLine: CommandLineForm(["toggle"], group: "Playback"))
        case .stop:
            declared(
                "Stop; the position is kept.", result: state, .control,
                commandLine: CommandLineForm(["stop"], group: "Playback"))
        case .next:
            declared(
                "Play the next entry of the queue.", result: state, .control,
                commandLine: CommandLineForm(["next"], group: "Playback"))
        case .previous:
            declared(
                "Play the entry before, or this one from its beginning.", result: state, .control,
                commandLine: CommandLineForm(["previous"], group: "Playback"))
        case .seek:
            declared(
                "Go to a time, or forward and back from here.",
                [
                    ParameterDeclaration(
                        "time", .time,
                        help: "SECONDS, M:SS, H:MM:SS[.mmm] or 1h2m3s; with + or - relative to the position heard now."),
                    ParameterDeclaration(
                        "said", .string, spelling: .option,
                        help:
                            "Go to the next place where this is said, as the transcript has it; after the last to the first."
                    ),
                ], result: "`position`: where it goes on, in seconds", .control, isLong: true,
                commandLine: CommandLineForm(["seek"], group: "Playback"))
        case .volume:
            declared(
                "Set the volume, or change it.",
                [
                    ParameterDeclaration("level", .integer(0...100), help: "Per cent."),
                    ParameterDeclaration(
                        "change", .integer(-100...100), help: "Per cent more or less; not together with `level`."),
                ], result: "`volume`: per cent", .control,
                commandLine: CommandLineForm(["volume"], group: "Playback"))
        case .undo:
            declared(
                "Take back the last seek, mark or edit of the queue, or what rules did.", result: "an `Undone` object",
                .control,
                commandLine: CommandLineForm(
                    ["undo"], group: "Playback",
                    details: [
                        "Takes back seek, mark played and unplayed, and the queue's add, insert, remove, clear, move and shuffle, "
                            + "the last one first, also after a restart of the daemon. An episode that was heard to its end "
                            + "counts as marked played; what 'play' put into the queue as added. What rules queued, marked and set aside within a minute is one act; what plays stays in the "
                            + "queue, and what you did something with since stays as it is. Without anything to take back it is "
                            + "a conflict."
                    ]))
        }
    }
}
