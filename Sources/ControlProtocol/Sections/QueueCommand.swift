/// The queue.
public enum QueueCommand: String, SectionCommands {
    /// Lists entries.
    case list
    /// Appends.
    case add
    /// Puts after the current entry.
    case insert
    /// Takes away.
    case remove
    /// Moves one entry.
    case move
    /// Takes all away.
    case clear
    /// Mixes.
    case shuffle

    /// The section.
    public static let section = CommandDeclaration.Section.queue
}
