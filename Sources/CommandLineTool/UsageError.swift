internal import PodcastModel

/// An invalid command line; the exit status is `ExitStatus.usage`.
public enum UsageError: Error, Equatable {
    /// An unknown option, and the most similar known one.
    case unknownOption(String, closest: String?)
    /// An unknown command, and the most similar known one. `rest` are the following words, unparsed.
    case unknownCommand(String, closest: String?, rest: [String])
    /// A command of two words without the second; with the possible second words.
    case incompleteCommand(String, seconds: [String])
    case missingCommand
    case missingValue(option: String)
    case unexpectedValue(option: String)
    case repeatedOption(String)
    case missingArgument(String)
    /// An argument too many, which may be the command that the user meant.
    case unexpectedArgument(String, isCommand: Bool)
    /// The option or argument, its invalid value, and a description of valid values.
    case badValue(of: String, value: String, expected: String)

    /// The error in one line that is safe for a terminal.
    public var message: String {
        switch self {
        case .unknownOption(let name, let closest):
            "unknown option \(Self.quoted(name))" + (closest.map { "; did you mean \($0)?" } ?? "")
        case .unknownCommand(let name, let closest, _):
            "unknown command \(Self.quoted(name))" + (closest.map { "; did you mean \($0)?" } ?? "")
        case .incompleteCommand(let name, let seconds): "\(name) needs one of: \(seconds.joinedText(", "))"
        case .missingCommand: "command missing"
        case .missingValue(let option): "\(option) needs a value"
        case .unexpectedValue(let option): "\(option) takes no value"
        case .repeatedOption(let option): "\(option) may be given only once"
        case .missingArgument(let name): "\(name) missing"
        case .unexpectedArgument(let text, let isCommand):
            "unexpected argument \(Self.quoted(text))" + (isCommand ? "; did you mean the command \(text)?" : "")
        case .badValue(let name, let value, let expected): "\(name) must be \(expected), not \(Self.quoted(value))"
        }
    }

    private static func quoted(_ text: String) -> String { "'\(SafeText.line(text))'" }
}
