public import PodcastModel

/// A command line that fits its declaration. Values were checked; accessors need the declaration they were made with.
public struct ParsedArguments: Equatable, Sendable {
    /// What the program is to do.
    public enum Request: Equatable, Sendable {
        /// Its work.
        case run
        /// Show help, of the command if one was named.
        case help
        /// Show the version.
        case version
        /// Print the manual page (`man`) or a shell's completions.
        case generate(String)
    }

    /// What the program is to do.
    public internal(set) var request: Request = .run
    /// The command; nil when none was named.
    public internal(set) var subcommand: SubcommandDeclaration?
    /// Positional arguments in order.
    public internal(set) var positionals: [String] = []
    /// Options in order, with their values.
    public internal(set) var options: [GivenOption] = []
    /// How positional arguments belong to the declared ones.
    var ranges: [GivenArgument] = []

    /// Whether a flag stands on the line.
    public func isSet(_ option: OptionDeclaration) -> Bool {
        options.contains { $0.name == option.name }
    }

    /// The value of an option; the last one of a repeatable option.
    public func text(_ option: OptionDeclaration) -> String? {
        options.last { $0.name == option.name }?.value
    }

    /// All values of a repeatable option, in order.
    public func texts(_ option: OptionDeclaration) -> [String] {
        options.compactMap { $0.name == option.name ? $0.value : nil }
    }

    /// The value of an option of kind `integer`.
    public func integer(_ option: OptionDeclaration) -> Int64? { text(option).flatMap { Int64($0) } }

    /// The value of an option of kind `number`.
    public func number(_ option: OptionDeclaration) -> Double? { text(option).flatMap { Double($0) } }

    /// The value of an option of kind `time`.
    public func time(_ option: OptionDeclaration) -> TimeArgument? {
        text(option).flatMap { TimeArgument(parsing: $0) }
    }

    /// All values of an argument; empty when it was left out.
    public func texts(_ argument: ArgumentDeclaration) -> ArraySlice<String> {
        guard let range = ranges.first(where: { $0.name == argument.name })?.range else { return [] }
        return positionals[range]
    }

    /// The value of an argument, the first if there are several.
    public func text(_ argument: ArgumentDeclaration) -> String? { texts(argument).first }
}

// Structures and no tuples: to find a tuple's metadata costs a short run of a program more than all its parsing.

/// An option as it stands on a command line.
public struct GivenOption: Equatable, Sendable {
    /// Without dashes.
    public let name: String
    /// What it was given; nil for a flag.
    public let value: String?
}

/// Which positional arguments belong to a declared one.
struct GivenArgument: Equatable, Sendable {
    let name: String
    let range: Range<Int>
}
