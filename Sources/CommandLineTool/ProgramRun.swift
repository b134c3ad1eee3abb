internal import PodcastModel

/// The command line of the process.
public enum ProcessArguments {
    public static var all: [String] {
        // Without `dropFirst`: the metadata of its generic slice costs a small program more than the rest of its work.
        var arguments = CommandLine.arguments
        if !arguments.isEmpty { arguments.removeFirst() }
        return arguments
    }
}

/// Output streams of a program.
public struct ToolStreams {
    public let output: ToolOutput
    /// Unbuffered.
    public let errors: ToolOutput
    public var terminal: Terminal
    /// False for programs that read the terminal themselves and must not ask questions on it.
    public var mayAsk = true
    /// Shows a question written to `errors` before the answer is read, if `errors` is not the terminal.
    public var showQuestion: () -> Void = {}
    var hasJSONErrors = false

    public init(output: ToolOutput, errors: ToolOutput, terminal: Terminal) {
        // Errors and questions are seen at once.
        errors.capacity = 0
        self.output = output
        self.errors = errors
        self.terminal = terminal
    }

    public static var standard: ToolStreams {
        ToolStreams(output: ToolOutput(), errors: ToolOutput(descriptor: 2), terminal: Terminal(descriptor: 1))
    }

    /// Streams on which failures are JSON if the arguments contain `--json`. The raw words are searched, because a
    /// command line that cannot be parsed is reported in the same way.
    public func reporting(asAskedBy arguments: [String]) -> ToolStreams {
        var streams = self
        for word in arguments {
            if word == "--" { break }
            if word == "--json" { streams.hasJSONErrors = true }
        }
        return streams
    }
}

extension ProgramDeclaration {
    /// Parses the command line, answers `--help` and `--version`, calls `body`, prints failures and flushes the output.
    /// - Parameter unknownCommand: called with an unknown command and the words after it; returns nil to report an
    ///   error.
    public func run(
        _ arguments: [String] = ProcessArguments.all, streams: ToolStreams = .standard,
        unknownCommand: (String, [String]) -> ExitStatus? = { _, _ in nil },
        _ body: (ParsedArguments, ToolOutput) throws(ToolFailure) -> ExitStatus
    ) -> ExitStatus {
        let output = streams.output
        do throws(ToolFailure) {
            if arguments.first == Self.completeOption {
                for candidate in completions(of: Array(arguments.dropFirst())) {
                    output.line("\(SafeText.line(candidate.word))\t\(SafeText.line(candidate.description))")
                }
                try output.flush()
                return .success
            }
            let parsed: ParsedArguments
            do throws(UsageError) {
                parsed = try parse(arguments)
            } catch {
                if case .unknownCommand(let name, _, let rest) = error, let status = unknownCommand(name, rest) {
                    return status
                }
                let help = "see '\(helpCommand(for: error, arguments))'"
                let hint = dashedWord(for: error, arguments).map { "\($0); \(help)" } ?? help
                throw .usage(error.message, hint: hint)
            }
            var status = ExitStatus.success
            switch parsed.request {
            case .run: status = try body(parsed, output)
            case .help:
                output.write(help(of: parsed.subcommand, width: streams.terminal.width, isSpoken: output.isSpoken))
            case .version: output.write(versionText)
            case .generate(let what): output.write(Shell(rawValue: what).map(completionScript) ?? manualPage)
            }
            try output.flush()
            return status
        } catch {
            // Output from before the failure is still written; if that fails too, the first failure is reported.
            try? output.flush()
            report(error, to: streams)
            return error.status
        }
    }

    /// The command line that shows the help of the intended command.
    private func helpCommand(for error: UsageError, _ arguments: [String]) -> String {
        if case .unknownCommand(_, let closest?, _) = error { return "\(name) \(closest) --help" }
        if case .unexpectedArgument(let word, isCommand: true) = error { return "\(name) \(word) --help" }
        if case .incompleteCommand(let word, _) = error { return "\(name) \(word) --help" }
        return "\(name) \(command(in: arguments).map { "\($0.name) " } ?? "")--help"
    }

    private func command(in arguments: [String]) -> SubcommandDeclaration? {
        for index in arguments.indices where !arguments[index].hasPrefix("-") {
            if let command = subcommands?.find(arguments[index...]) { return command }
        }
        return nil
    }

    /// How to pass a word that was read as an option, to a command that takes any words.
    private func dashedWord(for error: UsageError, _ arguments: [String]) -> String? {
        guard case .unknownOption(let option, nil) = error, let command = command(in: arguments),
            let last = command.arguments.last, last.kind.syntax == .text, last.isRequired,
            last.isRepeatable,
            let word = arguments.first(where: { $0.hasPrefix(option) })
        else { return nil }
        return "for a word that begins with -: \(name) \(command.name) -- \(word)"
    }

    /// Prints a failure on stderr: `name: message` and the hint on a separate line; or one line of JSON.
    public func report(_ failure: ToolFailure, to streams: ToolStreams) {
        if streams.hasJSONErrors { return report(text: failure.json + "\n", to: streams.errors) }
        report(failure, to: streams.errors)
    }

    /// Prints a failure on stderr: `name: message` and the hint on a separate line.
    public func report(_ failure: ToolFailure, to errors: ToolOutput = ToolOutput(descriptor: 2)) {
        var text = ""
        for message in [failure.message] + failure.further { text += "\(name): \(SafeText.line(message))\n" }
        for line in ToolFailure.lines(of: failure.candidates, on: errors, indent: 2) { text += line + "\n" }
        if let hint = failure.hint { text += "\(name): \(SafeText.line(hint))\n" }
        report(text: text, to: errors)
    }

    private func report(text: String, to errors: ToolOutput) {
        errors.write(text)
        // Ignore errors: if stderr cannot be written, the failure cannot be reported.
        try? errors.flush()
    }
}
