public import JSON

/// A command, declared once. The dispatch table, `server.commands`, the command line's help, completions, man pages
/// and docs/PROTOCOL.md all come from it.
public struct CommandDeclaration: Equatable, Sendable {
    /// Who may call it. Each level includes the ones before.
    public enum Permission: Int, Sendable, Comparable, CaseIterable {
        case read
        case control
        case admin
        /// Less comes first.
        public static func < (left: Permission, right: Permission) -> Bool { left.rawValue < right.rawValue }
        /// Its name in the config and on the wire.
        public var name: String {
            switch self {
            case .read: "read"
            case .control: "control"
            case .admin: "admin"
            }
        }
    }

    /// `section.verb`.
    public var name: String
    /// One line for lists of commands.
    public var summary: String
    /// Parameters in the order in which a command line takes them.
    public var parameters: [ParameterDeclaration]
    /// What comes back, in a line of words and member names.
    public var result: String
    /// Who may call it.
    public var permission: Permission
    /// Whether it may wait for the network or a decoder: then the answers to later commands of the same connection
    /// may overtake its own. All others are answered in the order in which they were asked.
    public var isLong: Bool
    /// Whether it removes something that the user made or chose, even if it can be undone.
    public var isDestructive: Bool
    /// How `podcastctl` spells it; nil when it has no verb of its own.
    public var commandLine: CommandLineForm?

    public init(
        _ name: String, _ summary: String, parameters: [ParameterDeclaration] = [], result: String,
        permission: Permission, isLong: Bool = false, isDestructive: Bool = false,
        commandLine: CommandLineForm? = nil
    ) {
        self.name = name
        self.summary = summary
        self.parameters = parameters
        self.result = result
        self.permission = permission
        self.isLong = isLong
        self.isDestructive = isDestructive
        self.commandLine = commandLine
    }

    /// The word before the point.
    public var section: String { CommandSection.name(ofCommand: name) }
    /// The word after the point.
    public var verb: String { String(name.dropFirst(section.utf8.count + 1)) }
}

/// One parameter of a command.
public struct ParameterDeclaration: Equatable, Sendable {
    /// What a value must be like; checked before a handler sees it.
    public enum Kind: Equatable, Sendable {
        /// Text of at most 4096 bytes.
        case string
        /// Text with a maximum number of UTF-8 bytes: documents, notes.
        case text(maximumBytes: Int)
        /// One of these words.
        case choice([String])
        /// A whole number in a range.
        case integer(ClosedRange<Int64>)
        case number(ClosedRange<Double>)
        /// Seconds as a number, or text as `MediaTime(parsing:)` reads it; `+30` and `-15` are relative.
        case time
        /// `true` or `false`.
        case flag
        /// An id, a URL, a queue index or words of a title.
        case what
        /// A list of at most 1000 of these.
        indirect case list(Kind)
        /// Any JSON object; for structured arguments that the handler checks itself.
        case object
    }

    /// Its name in `params`.
    public var name: String
    /// What its value must be like.
    public var kind: Kind
    /// Whether a call without it is refused.
    public var isRequired: Bool
    /// What a call without it means; nil leaves it absent.
    public var defaultValue: JSONValue?
    /// Where a command line takes it.
    public enum Spelling: Equatable, Sendable {
        case argument
        /// As `--name VALUE`, or `--name` for a flag; `inProgress` is spelled `--in-progress`.
        case option
        case wireOnly
    }

    public var help: String
    /// Where a command line takes it.
    public var spelling: Spelling

    /// A parameter. Flags are options on a command line and all others arguments, unless `spelling` says otherwise.
    public init(
        _ name: String, _ kind: Kind, isRequired: Bool = false, default defaultValue: JSONValue? = nil,
        spelling: Spelling? = nil, help: String
    ) {
        self.spelling = spelling ?? (kind == .flag ? .option : .argument)
        self.name = name
        self.kind = kind
        self.isRequired = isRequired
        self.defaultValue = defaultValue
        self.help = help
    }
}

/// How `podcastctl` spells a command.
public struct CommandLineForm: Equatable, Sendable {
    /// The words: `["play"]`, `["output", "enable"]`.
    public var words: [String]
    /// Its heading in the help.
    public var group: String
    /// Paragraphs for its own help and the man page, beyond the summary.
    public var details: [String]
    public init(_ words: [String], group: String, details: [String] = []) {
        self.words = words
        self.group = group
        self.details = details
    }
}
