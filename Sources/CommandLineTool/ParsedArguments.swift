public import PodcastModel

/// A command line that matches its declaration. Values were checked; accessors need the declaration that was used for
/// parsing.
public struct ParsedArguments: Equatable, Sendable {
    /// What the command line asks for.
    public enum Request: Equatable, Sendable {
        /// Run the program's task.
        case run
        /// Show help for the program, or for the command if one was given.
        case help
        case version
        /// Print the manual page (`man`) or the completions for a shell.
        case generate(String)
    }

    /// What the command line asks for.
    public internal(set) var request: Request = .run
    /// The command; nil if none was given.
    public internal(set) var subcommand: SubcommandDeclaration?
    /// Positional arguments in order.
    public internal(set) var positionals: [String] = []
    /// Number of the positional arguments before `--`; nil without `--`.
    public internal(set) var countBeforeDashes: Int?
    /// Options in order, with their values.
    public internal(set) var options: [GivenOption] = []
    /// Which positional arguments belong to each declared argument.
    var ranges: [GivenArgument] = []

    /// Whether a flag was given.
    public func isSet(_ option: OptionDeclaration) -> Bool {
        options.contains { $0.name == option.name }
    }

    /// The value of an option; the last one if the option is repeatable.
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

    /// All values of an argument; empty if it was omitted.
    public func texts(_ argument: ArgumentDeclaration) -> ArraySlice<String> {
        guard let range = ranges.first(where: { $0.name == argument.name })?.range else { return [] }
        return positionals[range]
    }

    /// The value of an argument; the first if there are several.
    public func text(_ argument: ArgumentDeclaration) -> String? { texts(argument).first }
}

// Structs instead of tuples, because looking up a tuple's metadata costs a short run of a program more than its
// parsing.

/// An option on a command line.
public struct GivenOption: Equatable, Sendable {
    /// The name without dashes.
    public let name: String
    /// The value; nil for a flag.
    public let value: String?
}

/// The positional arguments that belong to a declared argument.
struct GivenArgument: Equatable, Sendable {
    let name: String
    let range: Range<Int>
}
