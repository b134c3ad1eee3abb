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
}
