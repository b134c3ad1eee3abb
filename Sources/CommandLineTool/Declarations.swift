public import PodcastModel

/// An option: `--name` or `--name VALUE`, with an optional letter.
public struct OptionDeclaration: Equatable, Sendable {
    /// Without dashes.
    public var name: String
    public var letter: Character?
    /// Placeholder for the value in help texts, such as `DIR`; nil for a flag.
    public var placeholder: String?
    public var kind: ValueKind
    var isRepeatable: Bool
    /// True if help and completions omit the option.
    public var isHidden: Bool
    public var help: String

    /// In the notation of help and manuals: `-j, --jobs N`.
    var synopsis: String { (letter.map { "-\($0), " } ?? "") + "--\(name)" + (placeholder.map { " \($0)" } ?? "") }
}

extension OptionDeclaration {
    public init(flag name: String, _ letter: Character? = nil, isHidden: Bool = false, help: String) {
        self.init(
            name: name, letter: letter, placeholder: nil, kind: .flag, isRepeatable: true, isHidden: isHidden,
            help: help)
    }

    public init(
        _ name: String, _ letter: Character? = nil, _ placeholder: String, _ kind: ValueKind = .text,
        isRepeatable: Bool = false, isHidden: Bool = false, help: String
    ) {
        self.init(
            name: name, letter: letter, placeholder: placeholder, kind: kind, isRepeatable: isRepeatable,
            isHidden: isHidden, help: help)
    }
}

/// A positional argument of a program or subcommand.
public struct ArgumentDeclaration: Equatable, Sendable {

    /// In capitals: `FEED`.
    public var name: String
    public var kind: ValueKind
    public var isRequired: Bool
    /// True for any number of values. Only for the last argument.
    public var isRepeatable: Bool
    public var help: String

    public init(
        _ name: String, _ kind: ValueKind = .text, isRequired: Bool = true, isRepeatable: Bool = false, help: String
    ) {
        self.name = name
        self.kind = kind
        self.isRequired = isRequired
        self.isRepeatable = isRepeatable
        self.help = help
    }

    /// In the notation of a synopsis: `FEED`, `[FEED]`, `[FEED…]`, `FEED…`.
    var synopsis: String {
        let values = kind.syntax == .choice ? kind.choices.joinedText("|") : name
        let shown = isRepeatable ? "\(name)…" : values
        return isRequired ? shown : "[\(shown)]"
    }
}

/// A command of a program: `podcastctl output enable`.
public struct SubcommandDeclaration: Equatable, Sendable {
    public var words: [String]
    public var summary: String
    /// Heading in the help; nil omits the command from help, manual and completions.
    public var group: String?
    /// Further paragraphs for the command's help and the manual.
    public var details: [String]
    /// In addition to the program's options.
    public var options: [OptionDeclaration]
    public var arguments: [ArgumentDeclaration]

    public init(
        _ words: [String], _ summary: String, group: String?, details: [String] = [],
        options: [OptionDeclaration] = [], arguments: [ArgumentDeclaration] = []
    ) {
        self.words = words
        self.summary = summary
        self.group = group
        self.details = details
        self.options = options
        self.arguments = arguments
    }

    public var name: String { words.joinedText(" ") }
}

/// The commands of a program. A program with many commands sets `find`, so that only the one that runs is built.
public struct SubcommandList: Sendable {
    /// All commands, in the order of the help.
    var all: @Sendable () -> [SubcommandDeclaration]
    /// Returns the command at the start of a list of words, or nil.
    var find: @Sendable (ArraySlice<String>) -> SubcommandDeclaration?
    /// The default command; nil if a command is required.
    var unnamed: (@Sendable () -> SubcommandDeclaration)?

    /// For programs with few commands.
    public init(_ all: @escaping @Sendable () -> [SubcommandDeclaration]) {
        self.init(all) { words in
            all().filter { words.starts(with: $0.words) }.max { $0.words.count < $1.words.count }
        }
    }

    public init(
        _ all: @escaping @Sendable () -> [SubcommandDeclaration],
        find: @escaping @Sendable (ArraySlice<String>) -> SubcommandDeclaration?,
        unnamed: (@Sendable () -> SubcommandDeclaration)? = nil
    ) {
        self.all = all
        self.find = find
        self.unnamed = unnamed
    }
}

/// A program: the source of its parser, help, man page and completions.
public struct ProgramDeclaration: Sendable {
    public var name: String
    var summary: String
    /// Paragraphs for help and manual.
    var details: [String]
    /// Options of the program and of all its commands. `--help` and `--version` are added.
    var options: [OptionDeclaration]
    /// Arguments without a command.
    var arguments: [ArgumentDeclaration]
    var subcommands: SubcommandList?
    /// True if the command is optional. A first word that is not a command is then an argument.
    var runsWithoutCommand: Bool
    /// Called only when a manual or help is printed.
    var manual: @Sendable () -> ManualNotes
    /// Names that only the running program knows, for completions.
    /// - Parameters: the kind (see `ValueKind.names`), the beginning of a name, and the words before it.
    var names: @Sendable (String, String, [String]) -> [Candidate]

    static let generateOption = OptionDeclaration(
        "generate", nil, "WHAT", .choice(["man"] + Shell.words), isHidden: true,
        help: "Print the manual page or a shell's completions and exit.")
    static let helpOption = OptionDeclaration(flag: "help", "h", help: "Show this help and exit.")
    static let versionOption = OptionDeclaration(flag: "version", "V", help: "Show the version and exit.")
    static let commonOptions = [helpOption, versionOption]
}

extension ProgramDeclaration {
    public init(
        _ name: String, _ summary: String, details: [String] = [], options: [OptionDeclaration] = [],
        arguments: [ArgumentDeclaration] = [], subcommands: SubcommandList? = nil, runsWithoutCommand: Bool = false,
        manual: @autoclosure @escaping @Sendable () -> ManualNotes = ManualNotes(),
        names: @escaping @Sendable (String, String, [String]) -> [Candidate] = { _, _, _ in [] }
    ) {
        self.init(
            name: name, summary: summary, details: details, options: options, arguments: arguments,
            subcommands: subcommands, runsWithoutCommand: runsWithoutCommand || subcommands == nil, manual: manual,
            names: names)
    }
}

/// Parts of a manual besides the command line.
public struct ManualNotes: Sendable {
    /// A file, a variable, or the command line of an example, and what it means.
    public typealias Item = (name: String, text: String)

    /// 1 for commands, 8 for daemons.
    var section: Int
    var statuses: [ExitStatus]
    /// Environment variables that the program reads.
    public var environment: [Item]
    var files: [Item]
    /// Example command lines with descriptions.
    var examples: [Item]
    /// Related pages, such as `podcastd(8)`.
    var seeAlso: [String]

    public init(
        section: Int = 1, statuses: [ExitStatus] = [.success, .usage], environment: [Item] = [], files: [Item] = [],
        examples: [Item] = [], seeAlso: [String] = []
    ) {
        self.section = section
        self.statuses = statuses
        self.environment = environment
        self.files = files
        self.examples = examples
        self.seeAlso = seeAlso
    }
}
