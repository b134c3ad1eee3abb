@testable import CommandLineTool
import PodcastModel
import Testing
import TestSupport

@Suite struct ArgumentParserTests {
    private func parse(_ line: String, _ program: ProgramDeclaration = Example.program) throws(UsageError)
        -> ParsedArguments
    {
        try program.parse(line.split(separator: " ").map(String.init))
    }

    @Test func programOptionsMayPrecedeOrFollowTheCommand() throws {
        let before = try parse("--json --data-dir /x refresh")
        let after = try parse("refresh --data-dir=/x --json")
        for parsed in [before, after] {
            expectEqual(parsed.subcommand?.name, "refresh")
            #expect(parsed.isSet(Example.json))
            expectEqual(parsed.text(Example.folder), "/x")
        }
    }

    @Test func shortOptionsCanBeCombinedAndHaveAValue() throws {
        let parsed = try parse("refresh -fj8 one two")
        #expect(parsed.isSet(Example.force))
        expectEqual(parsed.integer(Example.jobs), 8)
        expectEqual(Array(parsed.texts(Example.feeds)), ["one", "two"])
        try expectEqual(parse("refresh -j 9").integer(Example.jobs), 9)
    }

    @Test func aMinusBeforeADigitIsNotAnOption() throws {
        try expectEqual(parse("seek -15").positionals, ["-15"])
        try expectEqual(parse("seek -.5", Example.plain).positionals, ["seek", "-.5"])
    }

    @Test func afterTwoDashesNothingIsAnOption() throws {
        try expectEqual(parse("refresh -- --force -j").positionals, ["--force", "-j"])
    }

    @Test func aLoneDashIsAnArgument() throws {
        try expectEqual(parse("import -").positionals, ["-"])
    }

    @Test func twoWordsNameACommand() throws {
        let parsed = try parse("output enable living-room")
        expectEqual(parsed.subcommand?.name, "output enable")
        expectEqual(parsed.positionals, ["living-room"])
    }

    @Test func aRepeatableOptionKeepsAllItsValues() throws {
        try expectEqual(parse("refresh --skip a --skip=b").texts(Example.skip), ["a", "b"])
    }

    @Test func timesAreRead() throws {
        let parsed = try parse("--start 1:30 x", Example.plain)
        expectEqual(parsed.time(Example.start), .absolute(MediaTime(milliseconds: 90_000)))
    }

    @Test func helpIsACommandAlsoWhereCommandsAreOptional() throws {
        var program = Example.program
        program.runsWithoutCommand = true
        try expectEqual(parse("help", program).request, .help)
        let parsed = try parse("help output enable", program)
        #expect(parsed.request == .help && parsed.subcommand?.name == "output enable")
        #expect(throws: UsageError.unknownCommand("refrsh", closest: "refresh", rest: [])) {
            try parse("help refrsh", program)
        }
    }

    @Test func helpAndVersionEndParsing() throws {
        try expectEqual(parse("--version --nonsense").request, .version)
        let parsed = try parse("seek --help")
        expectEqual(parsed.request, .help)
        expectEqual(parsed.subcommand?.name, "seek")
        try expectEqual(parse("-h").request, .help)
    }

    @Test(arguments: [
        ("", UsageError.missingCommand),
        ("--json", .missingCommand),
        ("refersh", .unknownCommand("refersh", closest: "refresh", rest: [])),
        ("doctor --deep x", .unknownCommand("doctor", closest: nil, rest: ["--deep", "x"])),
        ("output", .incompleteCommand("output", seconds: ["enable", "level"])),
        ("refresh --forse", .unknownOption("--forse", closest: "--force")),
        ("refresh -x", .unknownOption("-x", closest: nil)),
        ("refresh --jobs", .missingValue(option: "--jobs")),
        ("refresh -j", .missingValue(option: "-j")),
        ("refresh --force=yes", .unexpectedValue(option: "--force")),
        ("refresh --help=yes", .unexpectedValue(option: "--help")),
        ("refresh -j1 -j2", .repeatedOption("--jobs")),
        ("refresh -j0", .badValue(of: "--jobs", value: "0", expected: "a whole number from 1 to 64")),
        ("refresh -jx", .badValue(of: "--jobs", value: "x", expected: "a whole number from 1 to 64")),
        ("seek", .missingArgument("TIME")),
        ("seek 5 6", .unexpectedArgument("6", isCommand: false)),
        ("seek soon", .badValue(of: "TIME", value: "soon", expected: "a time such as 90, 1:30, 1h2m3s, +30 or -15")),
        ("output level loud", .badValue(of: "LEVEL", value: "loud", expected: "one of low, high")),
    ])
    func invalidCommandLinesAreReported(line: String, error: UsageError) {
        #expect(throws: error) { try parse(line) }
    }

    @Test func messagesAreSafeForATerminal() {
        let error = UsageError.unknownOption("--\u{1B}[2Jx\u{202E}", closest: nil)
        expectEqual(error.message, "unknown option '--[2Jx'")
    }

    @Test func aFailureSetsTheExitStatus() {
        let status = Example.program.run(["refresh", "--jobs", "0"]) { _, _ throws(ToolFailure) in .success }
        expectEqual(status, .usage)
        let other = Example.program.run(["refresh"]) { _, _ throws(ToolFailure) in
            throw ToolFailure(.unavailable, "no daemon")
        }
        expectEqual(other, .unavailable)
    }

    @Test func anUnknownCommandMayBeASeparateProgram() {
        var seen: [String] = []
        let status = Example.program.run(
            ["doctor", "--deep"],
            unknownCommand: { name, rest in
                seen = [name] + rest
                return .tryAgain
            }, { _, _ throws(ToolFailure) in .success })
        expectEqual(status, .tryAgain)
        expectEqual(seen, ["doctor", "--deep"])
    }
}
