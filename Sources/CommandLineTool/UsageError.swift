internal import PodcastModel

/// What is wrong with a command line; always ends with `ExitStatus.usage`.
public enum UsageError: Error, Equatable, Sendable {
    /// There is no such option; the closest one that there is.
    case unknownOption(String, closest: String?)
    /// There is no such command; the closest one that there is. `rest` is what followed, unparsed.
    case unknownCommand(String, closest: String?, rest: [String])
    /// A command of two words stands with the first alone; what the second may be.
    case incompleteCommand(String, seconds: [String])
    /// A command was expected.
    case missingCommand
    /// An option stands without its value.
    case missingValue(option: String)
    /// A flag was given a value.
    case unexpectedValue(option: String)
    /// An option that may stand once stands twice.
    case repeatedOption(String)
    /// An argument is missing; its name.
    case missingArgument(String)
    /// One argument too many.
    case unexpectedArgument(String)
    /// A value does not fit: which argument, the value, what is expected.
    case badValue(of: String, value: String, expected: String)

    /// What is wrong, in one line that is safe for a terminal.
    public var message: String {
        switch self {
        case .unknownOption(let name, let closest):
            "unknown option \(Self.quoted(name))" + (closest.map { "; did you mean \($0)?" } ?? "")
        case .unknownCommand(let name, let closest, _):
            "unknown command \(Self.quoted(name))" + (closest.map { "; did you mean \($0)?" } ?? "")
        case .incompleteCommand(let name, let seconds): "\(name) is followed by \(seconds.joined(separator: ", "))"
        case .missingCommand: "a command is missing"
        case .missingValue(let option): "\(option) needs a value"
        case .unexpectedValue(let option): "\(option) takes no value"
        case .repeatedOption(let option): "\(option) may be given only once"
        case .missingArgument(let name): "\(name) is missing"
        case .unexpectedArgument(let text): "unexpected argument \(Self.quoted(text))"
        case .badValue(let name, let value, let expected): "\(name) is \(expected), not \(Self.quoted(value))"
        }
    }

    private static func quoted(_ text: String) -> String { "'\(SafeText.line(text))'" }
}
