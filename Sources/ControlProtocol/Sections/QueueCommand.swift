internal import JSON

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

    /// The command's declaration.
    public var declaration: CommandDeclaration {
        let edited = "`length`: entries in the queue now"
        let what = ParameterDeclaration(
            "what", .list(.what), isRequired: true,
            help: "Episodes or feeds: ids, URLs or parts of titles.")
        return switch self {
        case .list:
            declared(
                "Show the queue.",
                [
                    ParameterDeclaration(
                        "after", .integer(0...Int64.max), default: 0, spelling: .wireOnly,
                        help: "The index of the entry before the first one wanted."),
                    Paging.limit(default: 200, spelling: .wireOnly),
                ], result: "`entries`: `Entry` objects; `length`; `index` of the current one or null; `hasAfter`",
                .read,
                commandLine: CommandLineForm(["queue"], group: "Queue"))
        case .add:
            declared(
                "Append to the queue.",
                [
                    what,
                    ParameterDeclaration(
                        "at", .integer(1...1_000_000), spelling: .option,
                        help: "The index that the first of them gets; the end unless given."),
                ], result: "`entries`: ids of the new entries; `length`", .control, isLong: true,
                commandLine: CommandLineForm(["add"], group: "Queue"))
        case .insert:
            declared(
                "Put into the queue after the current entry.", [what],
                result: "`entries`: ids of the new entries; `length`", .control, isLong: true,
                commandLine: CommandLineForm(["insert"], group: "Queue"))
        case .remove:
            declared(
                "Take out of the queue.",
                [
                    ParameterDeclaration(
                        "what", .list(.what), isRequired: true,
                        help: "Queue indexes, or URLs or parts of titles of queued episodes.")
                ], result: edited, .control, commandLine: CommandLineForm(["remove"], group: "Queue"))
        case .move:
            declared(
                "Move an entry to another place.",
                [
                    ParameterDeclaration(
                        "from", .what, isRequired: true,
                        help: "A queue index, or a URL or part of a title of a queued episode."),
                    ParameterDeclaration(
                        "to", .integer(1...1_000_000), isRequired: true, help: "The index that it has afterwards."),
                ], result: edited, .control, commandLine: CommandLineForm(["move"], group: "Queue"))
        case .clear:
            declared(
                "Empty the queue; what plays stops.", result: edited, .control,
                commandLine: CommandLineForm(["clear"], group: "Queue"))
        case .shuffle:
            declared(
                "Mix what comes after the current entry.", result: edited, .control,
                commandLine: CommandLineForm(["shuffle"], group: "Queue"))
        }
    }
}

/// How list commands are paged: by the key of a row, which stays right while rows come and go.
enum Paging {
    static func limit(
        default value: Int64, spelling: ParameterDeclaration.Spelling = .option
    ) -> ParameterDeclaration {
        ParameterDeclaration(
            "limit", .integer(1...1000), default: .integer(value), spelling: spelling, help: "Rows at most.")
    }
    static let after = ParameterDeclaration(
        "after", .string, spelling: .wireOnly, help: "The `key` of the row before the first one wanted.")
    static let before = ParameterDeclaration(
        "before", .string, spelling: .wireOnly, help: "The `key` of the row after the last one wanted.")
    static let last = ParameterDeclaration(
        "last", .flag, default: false, spelling: .wireOnly, help: "The rows at the end.")
}
