/// Whether everything is as it should be.
public enum DoctorCommand: String, SectionCommands {
    /// Looks at everything that only the daemon can see.
    case run

    /// The section.
    public static let section = CommandDeclaration.Section.doctor
}
