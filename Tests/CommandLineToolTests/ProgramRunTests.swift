@testable import CommandLineTool
import SystemCalls
import Testing
import TestSupport

/// A program from its command line to its exit status, as users see it.
@Suite struct ProgramRunTests {
    /// What a run wrote, and its status.
    private struct Run {
        var status: CommandLineTool.ExitStatus
        var output: String
        var errors: String
    }

    private func run(
        _ arguments: [String],
        _ body: (ParsedArguments, ToolOutput) throws(ToolFailure) -> CommandLineTool.ExitStatus = { _, _ in .success },
        unknownCommand: (String, [String]) -> CommandLineTool.ExitStatus? = { _, _ in nil }
    ) throws -> Run {
        let output = try SystemCalls.Pipe()
        let errors = try SystemCalls.Pipe()
        let streams = ToolStreams(
            output: ToolOutput(descriptor: output.writing.raw), errors: ToolOutput(descriptor: errors.writing.raw),
            terminal: Terminal(isInteractive: false, width: 80, usesStyle: false))
        let status = Example.program.run(arguments, streams: streams, unknownCommand: unknownCommand, body)
        return Run(status: status, output: try text(output.closingWriting()), errors: try text(errors.closingWriting()))
    }

    private func text(_ descriptor: consuming FileDescriptor) throws -> String {
        String(decoding: try descriptor.read(upTo: 60_000), as: UTF8.self)
    }

    @Test func aProgramPrintsItsCompletions() throws {
        let run = try run(["--complete", "output", "l"])
        expectEqual(run.status, .success)
        expectEqual(run.output, "level\tSet an output's level.\n")
    }

    @Test func theOutputOfACommandIsWrittenAtItsEnd() throws {
        let run = try run(["--json", "seek", "1:30"]) { (arguments, output) throws(ToolFailure) in
            output.line("json: \(arguments.isSet(Example.json)), command: \(arguments.subcommand?.name ?? "")")
            return .tryAgain
        }
        expectEqual(run.status, .tryAgain)
        expectEqual(run.output, "json: true, command: seek\n")
        expectEqual(run.errors, "")
    }

    @Test func aFailureIsPrintedWithItsHintAfterTheOutputSoFar() throws {
        let run = try run(["refresh"]) { (_, output) throws(ToolFailure) in
            output.line("one")
            throw ToolFailure(.noInput, "no feed \u{1B}[2J'x'\nhere", hint: "list them")
        }
        expectEqual(run.status, .noInput)
        expectEqual(run.output, "one\n")
        expectEqual(run.errors, "pod-example: no feed [2J'x' here\npod-example: list them\n")
    }

    @Test(arguments: [
        ("", "command missing"), ("--json", "command missing"),
        ("refersh", "unknown command 'refersh'; did you mean refresh?"),
        ("output", "output needs one of: enable, level"),
        ("refresh --forse", "unknown option '--forse'; did you mean --force?"),
        ("refresh -x", "unknown option '-x'"), ("refresh --\u{1B}[2Jx\u{202E}", "unknown option '--[2Jx'"),
        ("refresh --jobs", "--jobs needs a value"), ("refresh -j", "-j needs a value"),
        ("refresh --force=yes", "--force takes no value"), ("refresh --help=yes", "--help takes no value"),
        ("refresh -j1 -j2", "--jobs may be given only once"),
        ("refresh -j0", "--jobs must be a whole number from 1 to 64, not '0'"),
        ("refresh -jx", "--jobs must be a whole number from 1 to 64, not 'x'"), ("seek", "TIME missing"),
        ("seek 5 6", "unexpected argument '6'"), ("output level loud", "LEVEL must be one of low, high, not 'loud'"),
        ("seek soon", "TIME must be a time such as 90, 1:30, 1h2m3s, +30 or -15, not 'soon'"),
    ])
    func anInvalidCommandLineIsReportedWithoutRunning(line: String, message: String) throws {
        let run = try run(line.split(separator: " ").map(String.init)) { _, _ in
            Issue.record("it ran")
            return .success
        }
        expectEqual(run.status, .usage)
        expectEqual(run.output, "")
        let lines = run.errors.split(separator: "\n")
        expectEqual(lines.first, "pod-example: \(message)")
        // The help of the command that the line probably meant.
        let command = message.contains("refresh") ? "refresh" : line.split(separator: " ").first { !$0.hasPrefix("-") }
        let meant = line.hasPrefix("output ") ? "output level" : command
        expectEqual(lines.last, "pod-example: see 'pod-example \(meant.map { "\($0) " } ?? "")--help'")
    }

    @Test func anUnknownCommandCanBeHandled() throws {
        let run = try run(
            ["other", "--json", "x"], unknownCommand: { $0 == "other" && $1 == ["--json", "x"] ? .badData : nil })
        expectEqual(run.status, .badData)
        expectEqual(run.errors, "")
    }

    @Test(arguments: [
        (["--help"], "Usage: pod-example"), (["refresh", "--help"], " refresh [--jobs N]"),
        (["--version"], "pod-example \(ProductVersion.current)\n"), (["--generate", "man"], ".TH"),
        (["--generate=bash"], "_pod_example()"),
    ])
    func textsAboutTheProgramAreWrittenInsteadOfRunningIt(arguments: [String], beginning: String) throws {
        let run = try run(arguments) { _, _ in
            Issue.record("it ran")
            return .software
        }
        expectEqual(run.status, .success)
        expectContains(run.output, beginning)
    }

    @Test func outputThatCannotBeWrittenIsAnError() throws {
        let errors = try SystemCalls.Pipe()
        let streams = ToolStreams(
            output: ToolOutput(descriptor: -1), errors: ToolOutput(descriptor: errors.writing.raw),
            terminal: Terminal(isInteractive: false, width: nil, usesStyle: false))
        let status = Example.plain.run(["x"], streams: streams) { (_, output) throws(ToolFailure) in
            output.line("lost")
            return .success
        }
        expectEqual(status, .ioError)
        try expectEqual(text(errors.closingWriting()), "pod-plain: cannot write the output: Bad file descriptor\n")
    }
}

@Suite struct TextLayoutTests {
    @Test(arguments: [
        ("one two three", 7, ["one two", "three"]), ("a-very-long-word b", 5, ["a-very-long-word", "b"]), ("", 5, [""]),
        ("a\n\nb", 5, ["a", "", "b"]),
        ("  spaces   between ", 20, ["spaces between"]), ("中文 中文 中文", 9, ["中文 中文", "中文"]),
    ])
    func textIsWrappedAtSpacesByTerminalColumns(text: String, width: Int, lines: [String]) {
        expectEqual(TextLayout.wrapped(text, width: width), lines)
    }
}
