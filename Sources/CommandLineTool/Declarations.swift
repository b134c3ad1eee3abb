internal import PodcastModel

/// What a value on the command line must be like; checked before the program sees it.
public enum ValueKind: Equatable, Sendable {
    /// Any text.
    case text
    /// A file that is read or written; `-` stands for stdin or stdout where the program says so.
    case file
    /// A folder.
    case folder
    /// One of these words.
    case choice([String])
    /// A whole number in a range.
    case integer(ClosedRange<Int64>)
    /// A number in a range.
    case number(ClosedRange<Double>)
    /// A time as `TimeArgument` reads it.
    case time

    /// What is expected, to stand after "is": `a whole number from 1 to 64`. Nil when everything fits.
    func expectation(unlessFits value: String) -> String? {
        switch self {
        case .text, .file, .folder: return nil
        case .choice(let words):
            return words.contains(value) ? nil : "one of \(words.joined(separator: ", "))"
        case .integer(let range):
            if let number = Int64(value), range.contains(number) { return nil }
            return "a whole number"
                + Self.bounds(
                    range.lowerBound == .min ? nil : "\(range.lowerBound)",
                    range.upperBound == .max ? nil : "\(range.upperBound)")
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
    /// The letter of the short form.
    public var letter: Character?
    /// What its value is called, such as `DIR`; nil for a flag.
    public var placeholder: String?
    /// What its value must be like.
    public var kind: ValueKind
    /// Whether it may stand more than once.
    public var isRepeatable: Bool
    /// Whether help and completions leave it out.
    public var isHidden: Bool
    /// One line.
    public var help: String

    /// A flag.
    public init(flag name: String, _ letter: Character? = nil, isHidden: Bool = false, help: String) {
        self.name = name
        self.letter = letter
        self.placeholder = nil
        self.kind = .text
        self.isRepeatable = true
        self.isHidden = isHidden
        self.help = help
    }

    /// An option with a value.
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

    /// As help and manuals show it: `-j, --jobs N`.
    var synopsis: String {
        (letter.map { "-\($0), " } ?? "") + "--\(name)" + (placeholder.map { " \($0)" } ?? "")
    }
}

/// A positional argument.
public struct ArgumentDeclaration: Equatable, Sendable {
    /// How many there may be.
    public enum Count: Equatable, Sendable {
        /// Exactly one.
        case one
        /// One or none.
        case optional
        /// Any number, none too. Only as the last argument.
        case any
        /// At least one. Only as the last argument.
        case some
    }

    /// Its name in capitals: `FEED`.
    public var name: String
    /// What each must be like.
    public var kind: ValueKind
    /// How many there may be.
    public var count: Count
    /// One line.
    public var help: String

    /// An argument.
    public init(_ name: String, _ kind: ValueKind = .text, count: Count = .one, help: String) {
        self.name = name
        self.kind = kind
        self.count = count
        self.help = help
    }

    /// As a synopsis shows it: `FEED`, `[FEED]`, `[FEED…]`, `FEED…`.
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
    /// One line.
    public var summary: String
    /// The heading under which help lists it; nil keeps it out of help, manual and completions.
    public var group: String?
    /// Further paragraphs of its own help and the manual.
    public var details: [String]
    /// Its options, beside the program's.
    public var options: [OptionDeclaration]
    /// Its arguments.
    public var arguments: [ArgumentDeclaration]

    /// A command.
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

    /// The words in one.
    public var name: String { words.joined(separator: " ") }
}

/// The commands of a program. A program with many gives `find`, so that one that runs does not build the others.
public struct SubcommandList: Sendable {
    /// All of them, in the order of the help.
    public var all: @Sendable () -> [SubcommandDeclaration]
    /// The command that the words begin with; nil when there is none. Gets everything from the first word on.
    public var find: @Sendable (ArraySlice<String>) -> SubcommandDeclaration?

    /// Commands that are cheap to build.
    public init(_ all: @escaping @Sendable () -> [SubcommandDeclaration]) {
        self.init(all) { words in
            all().filter { words.starts(with: $0.words) }.max { $0.words.count < $1.words.count }
        }
    }

    /// Commands with a look-up of their own.
    public init(
        _ all: @escaping @Sendable () -> [SubcommandDeclaration],
        find: @escaping @Sendable (ArraySlice<String>) -> SubcommandDeclaration?
    ) {
        self.all = all
        self.find = find
    }
}

/// A program: what its command line, help, man page and completions come from.
public struct ProgramDeclaration: Sendable {
    /// Its name.
    public var name: String
    /// One line.
    public var summary: String
    /// Paragraphs for help and manual.
    public var details: [String]
    /// Options of the program; with commands, of all commands. `--help` and `--version` are added.
    public var options: [OptionDeclaration]
    /// Arguments, when no command was named.
    public var arguments: [ArgumentDeclaration]
    /// Its commands; nil for a program without.
    public var subcommands: SubcommandList?
    /// Whether it also runs without a command, with `arguments`. A first word that is no command is then an argument.
    public var runsWithoutCommand: Bool
    /// The parts of the manual that no declaration knows; made when a manual or help is.
    public var manual: @Sendable () -> ManualNotes

    /// A program. With `subcommands`, `runsWithoutCommand` says that the program also works without one.
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
        help: "Print the manual page or a shell's completions and end.")
    static let helpOption = OptionDeclaration(flag: "help", "h", help: "Show this help and end.")
    static let versionOption = OptionDeclaration(flag: "version", "V", help: "Show the version and end.")
}

/// What a manual says beside the command line itself.
public struct ManualNotes: Sendable {
    /// A name and what it means.
    public struct Item: Equatable, Sendable {
        /// The name: a file, a variable, an example's command line.
        public var name: String
        /// What it means.
        public var text: String
        /// An item.
        public init(_ name: String, _ text: String) {
            self.name = name
            self.text = text
        }
    }

    /// The manual's section: 1 for commands, 8 for daemons.
    public var section: Int
    /// Statuses with which it ends.
    public var statuses: [ExitStatus]
    /// Environment variables that it reads.
    public var environment: [Item]
    /// Files that it uses.
    public var files: [Item]
    /// Command lines with what they do.
    public var examples: [Item]
    /// Other pages: `podcastd(8)`.
    public var seeAlso: [String]

    /// Notes; all parts may be empty.
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
