public import JSON

/// A command, declared once for the dispatch table, `server.commands`, the command line, man pages and
/// docs/PROTOCOL.md.
public struct CommandDeclaration: Equatable, Sendable {
    /// Required permission of the caller. Each level includes the levels before.
    public enum Permission: Int, Sendable, Comparable, CaseIterable {
        case read
        case control
        case admin
        public static func < (left: Permission, right: Permission) -> Bool { left.rawValue < right.rawValue }
        /// The permission's name in the config and on the wire.
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
    public var summary: String
    /// Parameters in command-line order.
    public var parameters: [ParameterDeclaration]
    /// Description of the reply, with names of members.
    public var result: String
    public var permission: Permission
    /// True if the command may wait for the network or a decoder. Replies to later commands of the same connection may
    /// overtake the reply to a long command; all other commands are answered in order.
    public var isLong: Bool
    /// True if the command removes something that the user made or chose, even if it can be undone.
    public var isDestructive: Bool
    /// Spelling in `podcastctl`; nil if `podcastctl` has no verb for the command.
    public var commandLine: CommandLineForm?

    init(
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

    /// The part of `name` before the dot.
    public var section: String { CommandSection.name(ofCommand: name) }
    /// The part of `name` after the dot.
    public var verb: String { String(name.dropFirst(section.utf8.count + 1)) }
}

/// One parameter of a command.
public struct ParameterDeclaration: Equatable, Sendable {
    /// Type of a value; checked before a handler sees the value.
    public enum Kind: Equatable, Sendable {
        /// Text of at most 4096 bytes.
        case string
        /// Text with a maximum number of UTF-8 bytes, for documents and notes.
        case text(maximumBytes: Int)
        case choice([String])
        case integer(ClosedRange<Int64>)
        case number(ClosedRange<Double>)
        /// Seconds as a number, or text as `MediaTime(parsing:)` reads it; `+30` and `-15` are relative.
        case time
        case flag
        /// An id, a URL, a queue index or words of a title.
        case what
        /// A list of at most 1000 values.
        indirect case list(Kind)
        /// Any JSON object; the handler checks the contents.
        case object
    }

    /// The parameter's name in `params`.
    public var name: String
    public var kind: Kind
    public var isRequired: Bool
    /// Value of a missing parameter; nil keeps the parameter absent.
    public var defaultValue: JSONValue?
    /// How a command line spells the parameter.
    public enum Spelling: Equatable, Sendable {
        case argument
        /// As `--name VALUE`, or `--name` for a flag; `inProgress` is spelled `--in-progress`.
        case option
        case wireOnly
    }

    public var help: String
    public var spelling: Spelling

    /// Without `spelling`, flags are options on a command line and all other parameters are arguments.
    init(
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
    /// `["play"]`, `["output", "enable"]`.
    public var words: [String]
    public var group: String
    /// Paragraphs for the verb's help and man page, after the summary.
    public var details: [String]
    public init(_ words: [String], group: String, details: [String] = []) {
        self.words = words
        self.group = group
        self.details = details
    }
}
