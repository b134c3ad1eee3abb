public import JSON
public import PodcastModel

/// A command, declared once for the dispatch table, `server.commands`, the command line, man pages and
/// docs/PROTOCOL.md.
public struct CommandDeclaration: Sendable {
    /// Required permission of the caller. Each level includes the levels before.
    public enum Permission: String, ParameterChoice, Comparable {
        case read
        case control
        case admin

        public static func < (left: Permission, right: Permission) -> Bool {
            left != right && (left == .read || right == .admin)
        }
    }

    /// `section.verb`.
    public var name: String
    public var summary: String
    /// Parameters in command-line order.
    public var parameters: [ParameterDeclaration] = []
    /// Describes the reply, by its name or its members.
    var describeResult: @Sendable () -> String = { "" }
    public var result: String { describeResult() }
    public var permission: Permission
    /// True if the command may wait for the network or a decoder. Replies to later commands of the same connection may
    /// overtake the reply to a long command; all other commands are answered in order.
    public var isLong: Bool
    /// True if the command removes something that the user made or chose, even if it can be undone.
    public var isDestructive: Bool
    /// Spelling in `podcastctl`; nil if `podcastctl` has no verb for the command.
    public var commandLine: CommandLineForm?

    /// The part of `name` before the dot.
    public var section: String { CommandSection.name(ofCommand: name) }
    /// The part of `name` after the dot.
    public var verb: String { String(name.dropFirst(section.utf8.count + 1)) }
}

/// One parameter of a command.
public struct ParameterDeclaration: Equatable, Sendable {
    /// The parameter's name in `params`.
    public var name: String
    /// Checked before a handler sees the value.
    public var kind: ValueKind
    public var isRequired: Bool
    /// Value of a missing parameter; nil keeps the parameter absent.
    public var defaultValue: JSONValue?
    public enum Spelling: Sendable {
        case argument
        /// As `--name VALUE`, or `--name` for a flag; `inProgress` is spelled `--in-progress`.
        case option
        /// As `--limit N`, or `--limit all` for as many as the wire allows.
        case rows
        case wireOnly
    }

    public var help: String
    public var spelling: Spelling
    /// The placeholder of the value in help: `FEED`.
    public var placeholder = ""
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
