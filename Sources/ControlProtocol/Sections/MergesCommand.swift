internal import JSON

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

    /// The command's declaration.
    public var declaration: CommandDeclaration {
        switch self {
        case .list:
            declared(
                "List what was decided about the identity of episodes and was not plain, the latest first.",
                [
                    ParameterDeclaration("feed", .what, help: "Of this feed only: its id, URL or part of its title."),
                    Paging.limit(default: 50),
                    ParameterDeclaration(
                        "before", .integer(1...Int64.max), spelling: .option,
                        help: "Decided before this one, by its id."),
                ],
                result: "`merges`: `Merge` objects; the library keeps the last 1000 of each feed", .read,
                commandLine: CommandLineForm(["merges"], group: "Episodes"))
        case .split:
            declared(
                "Take a merge back: what was taken for one episode is two.",
                [
                    ParameterDeclaration(
                        "merge", .integer(1...Int64.max), isRequired: true, help: "Its id, as 'merges' lists it.")
                ],
                result:
                    "`kept`: id of the episode that keeps position, star, note and queue entries; `other`: id of the "
                    + "other one", .control,
                commandLine: CommandLineForm(
                    ["split"], group: "Episodes",
                    details: [
                        "The item that was taken for an episode becomes an episode of its own; later refreshes keep the two "
                            + "apart. Episodes that 'join' made one are as before."
                    ]))
        case .join:
            declared(
                "Make two episodes of a feed one.",
                [
                    ParameterDeclaration(
                        "episode", .what, isRequired: true,
                        help: "The one that stays: its id, URL or part of its title."),
                    ParameterDeclaration(
                        "other", .what, isRequired: true, help: "The one that goes: its id, URL or part of its title."),
                ],
                result:
                    "`merge`: id of the decision, which `merges.split` takes back; `episode`: id of the one that stays",
                .control,
                commandLine: CommandLineForm(
                    ["join"], group: "Episodes",
                    details: [
                        "The first one stays and gets the further position, the star, both notes and the queue entries of the "
                            + "other; later refreshes take both for it. 'split' takes it back."
                    ]))
        }
    }
}
