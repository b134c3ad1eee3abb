public import PodcastModel

/// A command line that matches its declaration, with checked values. Accessors need that declaration.
public struct ParsedArguments: Equatable, Sendable {
    enum Request: Equatable {
        case run
        /// Show help for the program, or for the given command.
        case help
        case version
        /// Print the manual page (`man`) or the completions for a shell.
        case generate(String)
    }

    var request: Request = .run
    public internal(set) var subcommand: SubcommandDeclaration?
    public internal(set) var positionals: [String] = []
    /// Number of positional arguments before `--`; nil without `--`.
    public internal(set) var countBeforeDashes: Int?
    var options: [GivenOption] = []
    var ranges: [GivenArgument] = []

    public func isSet(_ option: OptionDeclaration) -> Bool { options.contains { $0.name == option.name } }

    /// The value of an option; the last one if the option is repeatable.
    public func text(_ option: OptionDeclaration) -> String? { options.last { $0.name == option.name }?.value }

    public func texts(_ option: OptionDeclaration) -> [String] {
        options.compactMap { $0.name == option.name ? $0.value : nil }
    }

    public func integer(_ option: OptionDeclaration) -> Int64? { text(option).flatMap { Int64($0) } }

    public func time(_ option: OptionDeclaration) -> TimeArgument? {
        text(option).flatMap { TimeArgument(parsing: $0) }
    }

    /// Empty if the argument was omitted.
    public func texts(_ argument: ArgumentDeclaration) -> ArraySlice<String> { texts(ofArgument: argument.name) }

    /// - Parameter name: as declared, such as `FEED`.
    public func texts(ofArgument name: String) -> ArraySlice<String> {
        ranges.first { $0.name == name }.map { positionals[$0.range] } ?? []
    }

    public func text(_ argument: ArgumentDeclaration) -> String? { texts(argument).first }
}

// Structs, because looking up a tuple's metadata costs a short run of a program more than its parsing.

/// An option on a command line.
struct GivenOption: Equatable {
    /// Without dashes.
    let name: String
    /// Nil for a flag.
    let value: String?
}

struct GivenArgument: Equatable {
    let name: String
    let range: Range<Int>
}
