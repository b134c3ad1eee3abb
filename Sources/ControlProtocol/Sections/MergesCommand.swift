/// Which item of a feed is which episode, where that was not plain.
public enum MergesCommand: String, SectionCommands {
    /// Lists what was decided.
    case list
    /// Takes a merge back.
    case split
    /// Makes two episodes one.
    case join

    /// The section.
    public static let section = CommandDeclaration.Section.merges
}
