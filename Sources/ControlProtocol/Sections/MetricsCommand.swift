/// The daemon's figures of itself.
public enum MetricsCommand: String, SectionCommands {
    /// Reads all.
    case get
    /// Reads a few.
    case figures

    /// The section.
    public static let section = CommandDeclaration.Section.metrics
}
