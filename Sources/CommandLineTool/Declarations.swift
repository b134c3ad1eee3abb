internal import PodcastModel

/// Type of a value on the command line; checked by the parser.
public enum ValueKind: Equatable, Sendable {
    case text
    /// A file to read or write; `-` means stdin or stdout if the program supports it.
    case file
    case folder
    /// One of these words.
    case choice([String])
    /// A whole number in a range.
    case integer(ClosedRange<Int64>)
    /// A whole number from 1, or `all`.
    case limit
    case number(ClosedRange<Double>)
    /// A time in the formats of `TimeArgument`.
    case time
    /// The name of a thing that only the running program knows: completions ask `PROGRAM complete KIND WORD BEFORE`, with the word
    /// before it, which prints a name in each line, and after a tab what it is.
    case name(of: String)

    /// Description of valid values, for use after "must be": `a whole number from 1 to 64`. Nil if all values are valid.
    func expectation(unlessFits value: String) -> String? {
        switch self {
        case .text, .file, .folder, .name: return nil
        case .choice(let words):
            return words.contains(value) ? nil : "one of \(words.joined(separator: ", "))"
        case .integer(let range):
            if let number = Int64(value), range.contains(number) { return nil }
            return "a whole number"
                + Self.bounds(
                    range.lowerBound == .min ? nil : "\(range.lowerBound)",
                    range.upperBound == .max ? nil : "\(range.upperBound)")
        case .limit:
            if value == "all" { return nil }
            if let number = Int64(value), number > 0 { return nil }
            return "a whole number from 1, or all"
        case .number(let range):
            if let number = Double(value), number.isFinite, range.contains(number) { return nil }
            return "a number"
                + Self.bounds(
                    range.lowerBound.isFinite ? "\(range.lowerBound)" : nil,
                    range.upperBound.isFinite ? "\(range.upperBound)" : nil)
        case .time:
            return TimeArgument(parsing: value) != nil ? nil : "a time such as 90, 1:30, 1h2m3s, +30 or -15"
        }
    }

    private static func bounds(_ lower: String?, _ upper: String?) -> String {
        switch (lower, upper) {
        case (let lower?, let upper?): " from \(lower) to \(upper)"
        case (let lower?, nil): " of at least \(lower)"
        case (nil, let upper?): " of at most \(upper)"
        case (nil, nil): ""
        }
    }
}

/// An option: `--name` or `--name VALUE`, with an optional letter.
public struct OptionDeclaration: Equatable, Sendable {
    /// The long name without dashes.
    public var name: String
    /// The letter of the short option.
    public var letter: Character?
    /// Placeholder for its value in help texts, such as `DIR`; nil for a flag.
    public var placeholder: String?
    /// Type of its value.
    public var kind: ValueKind
    /// Whether it may be given more than once.
    public var isRepeatable: Bool
    /// Whether help and completions omit it.
    public var isHidden: Bool
    /// Summary in one line.
    public var help: String

    public init(flag name: String, _ letter: Character? = nil, isHidden: Bool = false, help: String) {
        self.name = name
        self.letter = letter
        self.placeholder = nil
        self.kind = .text
        self.isRepeatable = true
        self.isHidden = isHidden
        self.help = help
    }

    public init(
        _ name: String, _ letter: Character? = nil, _ placeholder: String, _ kind: ValueKind = .text,
        isRepeatable: Bool = false, isHidden: Bool = false, help: String
    ) {
        self.name = name
        self.letter = letter
        self.placeholder = placeholder
        self.kind = kind
        self.isRepeatable = isRepeatable
        self.isHidden = isHidden
        self.help = help
    }

    /// The notation of help and manuals: `-j, --jobs N`.
    var synopsis: String {
        (letter.map { "-\($0), " } ?? "") + "--\(name)" + (placeholder.map { " \($0)" } ?? "")
    }
}

/// A positional argument of a program or subcommand.
public struct ArgumentDeclaration: Equatable, Sendable {
    /// How often an argument may be given.
    public enum Count: Equatable, Sendable {
        case one
        /// At most one.
        case optional
        /// Any number, including none. Only for the last argument.
        case any
        /// At least one. Only for the last argument.
        case some
    }

    /// Its name in capitals: `FEED`.
    public var name: String
    /// Type of its values.
    public var kind: ValueKind
    /// The names that completions offer, as in `ValueKind.name`, although the values are of another kind, such as numbers.
    public var names: String?
    /// How often it may be given.
    public var count: Count
    /// Summary in one line.
    public var help: String

    public init(_ name: String, _ kind: ValueKind = .text, count: Count = .one, help: String) {
        self.name = name
        self.kind = kind
        self.count = count
        self.help = help
    }

    /// The kind of the values that completions offer.
    public var offered: ValueKind { names.map(ValueKind.name) ?? kind }

    /// The notation of a synopsis: `FEED`, `[FEED]`, `[FEED…]`, `FEED…`.
    var synopsis: String {
        let shown: String
        if case .choice(let words) = kind, count == .one || count == .optional {
            shown = words.joined(separator: "|")
        } else {
            shown = name
        }
        switch count {
        case .one: return shown
        case .optional: return "[\(shown)]"
        case .any: return "[\(shown)…]"
        case .some: return "\(shown)…"
        }
    }
}

/// A command of a program: `podcastctl output enable`.
public struct SubcommandDeclaration: Equatable, Sendable {
    /// One or two words.
    public var words: [String]
    /// Summary in one line.
    public var summary: String
    /// The heading in the help text; nil omits the command from help, manual and completions.
    public var group: String?
    /// Further paragraphs for its help and the manual.
    public var details: [String]
    /// Its options, in addition to the program's.
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

    /// The words as one text.
    public var name: String { words.joined(separator: " ") }
}

/// The commands of a program. A program with many commands sets `find`, so that only the one that runs is built.
public struct SubcommandList: Sendable {
    /// All commands, in the order of the help.
    public var all: @Sendable () -> [SubcommandDeclaration]
    /// Returns the command that the words begin with, or nil. The parameter contains all words from the first word of
    /// the command on.
    public var find: @Sendable (ArraySlice<String>) -> SubcommandDeclaration?
    /// Other ways to write a command, as `find` knows it: the words from the first one of the command on.
    var spelledOut: @Sendable (ArraySlice<String>) -> ArraySlice<String> = { $0 }
    /// Returns the command to suggest for a word that means one without resembling its name.
    var meant: @Sendable (String) -> String? = { _ in nil }
    /// The command of a command line without one; nil if there must be one.
    var unnamed: (@Sendable () -> SubcommandDeclaration)?

    /// Creates commands from a list, for programs with few commands.
    public init(_ all: @escaping @Sendable () -> [SubcommandDeclaration]) {
        self.init(all) { words in
            all().filter { words.starts(with: $0.words) }.max { $0.words.count < $1.words.count }
        }
    }

    /// Creates commands with a lookup function.
    public init(
        _ all: @escaping @Sendable () -> [SubcommandDeclaration],
        find: @escaping @Sendable (ArraySlice<String>) -> SubcommandDeclaration?,
        spelledOut: @escaping @Sendable (ArraySlice<String>) -> ArraySlice<String> = { $0 },
        meant: @escaping @Sendable (String) -> String? = { _ in nil },
        unnamed: (@Sendable () -> SubcommandDeclaration)? = nil
    ) {
        self.all = all
        self.find = find
        self.spelledOut = spelledOut
        self.meant = meant
        self.unnamed = unnamed
    }
}

/// A program: the source of its parser, help, man page and completions.
public struct ProgramDeclaration: Sendable {
    public var name: String
    /// Summary in one line.
    public var summary: String
    /// Paragraphs for help and manual.
    public var details: [String]
    /// Options of the program, which also apply to all its commands. `--help` and `--version` are added.
    public var options: [OptionDeclaration]
    /// Arguments if no command is given.
    public var arguments: [ArgumentDeclaration]
    /// Its commands; nil for a program without commands.
    public var subcommands: SubcommandList?
    /// Whether the program also runs without a command, with `arguments`. A first word that is not a command is then an
    /// argument.
    public var runsWithoutCommand: Bool
    /// The parts of the manual that are not in the declaration; called only when a manual or help is printed.
    public var manual: @Sendable () -> ManualNotes

    /// Creates a program. With `subcommands`, `runsWithoutCommand` means that the program also runs without a command.
    public init(
        _ name: String, _ summary: String, details: [String] = [], options: [OptionDeclaration] = [],
        arguments: [ArgumentDeclaration] = [], subcommands: SubcommandList? = nil, runsWithoutCommand: Bool = false,
        manual: @autoclosure @escaping @Sendable () -> ManualNotes = ManualNotes()
    ) {
        self.name = name
        self.summary = summary
        self.details = details
        self.options = options
        self.arguments = arguments
        self.subcommands = subcommands
        self.runsWithoutCommand = runsWithoutCommand || subcommands == nil
        self.manual = manual
    }

    static let generateOption = OptionDeclaration(
        "generate", nil, "WHAT", .choice(["man"] + Shell.allCases.map(\.rawValue)), isHidden: true,
        help: "Print the manual page or a shell's completions and exit.")
    static let helpOption = OptionDeclaration(flag: "help", "h", help: "Show this help and exit.")
    static let versionOption = OptionDeclaration(flag: "version", "V", help: "Show the version and exit.")
}

/// Parts of a manual besides the command line.
public struct ManualNotes: Sendable {
    /// A name with its description.
    public struct Item: Equatable, Sendable {
        /// The name: a file, a variable, or the command line of an example.
        public var name: String
        public var text: String
        public init(_ name: String, _ text: String) {
            self.name = name
            self.text = text
        }
    }

    /// The manual's section: 1 for commands, 8 for daemons.
    public var section: Int
    public var statuses: [ExitStatus]
    /// Environment variables that the program reads.
    public var environment: [Item]
    /// Files that the program uses.
    public var files: [Item]
    /// Example command lines with descriptions.
    public var examples: [Item]
    /// Related pages, such as `podcastd(8)`.
    public var seeAlso: [String]

    /// Creates notes; all parts may be empty.
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
