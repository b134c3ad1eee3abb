internal import PodcastModel

/// Type of a value on the command line, which the parser checks.
public enum ValueKind: Equatable, Sendable {
    case text
    /// A file to read or write; `-` means stdin or stdout if the program supports it.
    case file
    case folder
    case choice([String])
    case integer(ClosedRange<Int64>)
    /// A whole number from 1, or `all`.
    case limit
    case number(ClosedRange<Double>)
    /// A time in the formats of `TimeArgument`.
    case time
    /// A name that only the running program knows: completions call `PROGRAM complete KIND WORD BEFORE`, where BEFORE
    /// is the preceding word. The call prints a name per line, optionally followed by a tab and a description.
    case name(of: String)

    /// Description of valid values, for use after "must be": `a whole number from 1 to 64`. Nil if the value is valid.
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
    /// Without dashes.
    public var name: String
    public var letter: Character?
    /// Placeholder for the value in help texts, such as `DIR`; nil for a flag.
    public var placeholder: String?
    public var kind: ValueKind
    var isRepeatable: Bool
    /// True if help and completions omit the option.
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

    /// In the notation of help and manuals: `-j, --jobs N`.
    var synopsis: String {
        (letter.map { "-\($0), " } ?? "") + "--\(name)" + (placeholder.map { " \($0)" } ?? "")
    }
}

/// A positional argument of a program or subcommand.
public struct ArgumentDeclaration: Equatable, Sendable {
    public enum Count: Equatable, Sendable {
        case one
        case optional
        /// Any number, including none. Only for the last argument.
        case any
        /// At least one. Only for the last argument.
        case some
    }

    /// In capitals: `FEED`.
    public var name: String
    public var kind: ValueKind
    /// Kind of names that completions offer (see `ValueKind.name`) for values of another type, such as numbers.
    public var names: String?
    public var count: Count
    /// Summary in one line.
    public var help: String

    public init(_ name: String, _ kind: ValueKind = .text, count: Count = .one, help: String) {
        self.name = name
        self.kind = kind
        self.count = count
        self.help = help
    }

    /// Type of the values that completions offer.
    public var offered: ValueKind { names.map(ValueKind.name) ?? kind }

    /// In the notation of a synopsis: `FEED`, `[FEED]`, `[FEED…]`, `FEED…`.
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
    public var words: [String]
    /// Summary in one line.
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

    public var name: String { words.joined(separator: " ") }
}

/// The commands of a program. A program with many commands sets `find`, so that only the one that runs is built.
public struct SubcommandList: Sendable {
    /// All commands, in the order of the help.
    var all: @Sendable () -> [SubcommandDeclaration]
    /// Returns the command at the start of a list of words, or nil.
    var find: @Sendable (ArraySlice<String>) -> SubcommandDeclaration?
    /// Expands other spellings of a command. The argument begins with the first word of the command.
    var spelledOut: @Sendable (ArraySlice<String>) -> ArraySlice<String> = { $0 }
    /// Returns the command to suggest for a word that means a command without resembling its name.
    var meant: @Sendable (String) -> String? = { _ in nil }
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
    var summary: String
    /// Paragraphs for help and manual.
    var details: [String]
    /// Options of the program and of all its commands. `--help` and `--version` are added.
    var options: [OptionDeclaration]
    /// Arguments without a command.
    var arguments: [ArgumentDeclaration]
    var subcommands: SubcommandList?
    /// True if the command is optional. A first word that is not a command is then an argument.
    public var runsWithoutCommand: Bool
    /// Called only when a manual or help is printed.
    var manual: @Sendable () -> ManualNotes

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
    public struct Item: Equatable, Sendable {
        /// A file, a variable, or the command line of an example.
        var name: String
        var text: String
        public init(_ name: String, _ text: String) {
            self.name = name
            self.text = text
        }
    }

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
