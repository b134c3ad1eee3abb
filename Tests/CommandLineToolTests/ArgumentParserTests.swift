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
}
