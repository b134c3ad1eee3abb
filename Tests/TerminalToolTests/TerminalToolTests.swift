import Configuration
import ControlClient
import Foundation
import PodcastModel
import SystemCalls
import Terminal
import TestSupport
import Testing

@testable import TerminalTool

@Suite(.ownThread) struct CommandProcessesTests {
    @Test(arguments: ["status --follow", "status -f", "play --wait a title", "download -w a title", "tui"])
    func aCommandThatWouldNotEndIsRefused(_ line: String) {
        var outcome: CommandLineOutcome?
        CommandProcesses(socket: "/nowhere").run(line, columns: 80) { outcome = $0 }
        expectEqual(outcome?.hasFailed, true)
    }

    @Test func aCommandRunsWhileThePersonTypesOn() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "commands-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = folder.appending(path: "podcastctl").path
        try #require(mkfifo(program + ".end", 0o600) == 0)
        // The script ends when the test has written to the FIFO.
        try ExecutableFile.write(script: #"read line <"$0.end"; echo "$line""#, to: program)
        let commands = CommandProcesses(socket: "/nowhere", program: program)
        var outcome: CommandLineOutcome?
        commands.run("stats", columns: 80) { outcome = $0 }
        commands.finish()
        expectEqual(outcome, nil)
        FileHandle(forWritingAtPath: program + ".end")?.write(Data("done\n".utf8))
        let end = Instant.now + .seconds(60)
        while outcome == nil, Instant.now < end {
            waitForDescriptors(readable: commands.descriptor, until: end)
            commands.finish()
        }
        expectEqual(outcome, CommandLineOutcome(lines: ["done"], hasFailed: false))
    }
}

@Suite struct TerminalSettingsTests {
    @Test func keysAndColoursAreRead() throws {
        let (settings, problems) = TerminalSettings.file.read(
            "[keys]\nf2 = screen-feeds\nq =\n[colors]\ntheme = light\nheading = bold 4 on 12\n")
        #expect(problems.isEmpty)
        expectEqual(settings.keys[Key(.function(2))], "screen-feeds")
        expectEqual(settings.keys[Key("q")], nil)
        let look = settings.theme(colors: 256, colorVariable: nil).look(of: .heading, isSelected: false)
        expectEqual(look.foreground, 4)
        expectEqual(look.background, 12)
        #expect(look.isBold)
    }

    @Test(arguments: [
        ("[keys]\nxyzzy = play", ":2: no key is called 'xyzzy'; examples: a, ^R, f2, page-down"),
        ("[keys]\np = fly", ":2: no action is called 'fly'; see podcast-tui(1) for their names"),
        (
            "[colors]\n\nbar = red",
            ":3: a colour is a number from 0 to 255, such as '4' or 'bold 0 on 12'"
        ),
        ("[colors]\nsky = 4", ":2: no colour is called 'sky'"),
        ("[sounds]\na = b", ":2: unknown setting 'a' in section [sounds]; see podcast-tui(1)"),
        ("[pictures]\nprotocol = gif", ":2: protocol is one of auto, off, kitty, not 'gif'"),
        ("[pictures]\nsize = 4", ":2: unknown setting 'size' in section [pictures]; see podcast-tui(1)"),
        ("[screen]\nkeys = 3", ":2: keys is one of on, off, not '3'"),
        ("[colors]\ntheme = pink", ":2: theme is one of dark, light, not 'pink'"),
    ]) func mistakesAreNamedWithTheirLine(_ text: String, _ message: String) {
        expectEqual(TerminalSettings.file.read(text).problems.map(\.description), [message])
    }

    @Test func withoutColoursNoneAreUsed() {
        let theme = TerminalSettings().theme(colors: 0, colorVariable: nil)
        for role in Role.allCases {
            let look = theme.look(of: role, isSelected: false)
            #expect(look.foreground == -1 && look.background == -1)
        }
    }

    @Test(arguments: [("75", 256, 75), ("75", 16_777_216, -1), ("3", 16_777_216, 3), ("12", 8, -1)])
    func aColourThatTheTerminalDoesNotHaveIsItsDefault(_ text: String, _ colors: Int, _ number: Int32) {
        var theme = Theme(colors: colors, background: .dark)
        _ = theme.set(.heading, text)
        expectEqual(theme.look(of: .heading, isSelected: false).foreground, number)
    }

    @Test(arguments: ["#123456", "256", "-2", "red"]) func whatIsNotAColourIsRefused(_ text: String) {
        var theme = Theme(colors: 256, background: .dark)
        let isSet = theme.set(.heading, text)
        #expect(!isSet)
    }

    @Test func whatIsSelectedIsReversed() {
        let theme = TerminalSettings().theme(colors: 16, colorVariable: "0;15")
        #expect(theme.look(of: .normal, isSelected: true).isReversed)
        #expect(!theme.look(of: .bar, isSelected: true).isReversed)
    }
}

@Suite struct TerminalActionTests {
    @Test func theDocumentNamesEveryActionInTheOrderOfItsTable() throws {
        let document = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/TERMINAL.md")
        let text = try String(contentsOf: document, encoding: .utf8)
        let list = try #require(
            text.split(separator: "Actions have these names:\n\n").last?.split(separator: ".\n").first)
        expectEqual(
            list.split(whereSeparator: { "`, \n".contains($0) }).map(String.init), TerminalAction.all.map(\.name))
    }

    @Test func noKeyHasTwoActions() {
        let keys = TerminalAction.all.flatMap(\.defaultKeys)
        expectEqual(keys.count, Set(keys).count)
        expectEqual(keys.filter { Key(spelling: $0) == nil }, [])
    }

    @Test(arguments: [
        ScreenName.nowPlaying, .queue, .feeds, .episodes, .rules, .playlists, .bookmarks, .downloads, .outputs, .log,
    ]) func theLineOfKeysNamesActions(_ screen: ScreenName) throws {
        let names = Set(TerminalAction.all.map(\.name))
        let context = SampleWindow().context
        let maker = ScreenMaker(context: context, reader: ModelReader(context))
        let list = try #require(maker.make(screen) as? ListScreen)
        expectEqual(list.keys().map(\.action).filter { !names.contains($0) }, [])
    }
}

@Suite struct ASCIITextTests {
    @Test(arguments: [
        ("Café – “Ölüm”…", "Cafe - \"Olum\"."), ("日本 ›", "???? >"), ("e\u{301}x", "ex"), ("plain", "plain"),
        ("Журнал, Ёлки й «Эхо»", "Zurnal, Elki i \"Eho\""), ("Ελλάδα ψυχή", "Ellada puce"), ("ß æ ł ı", "s a l i"),
        ("カナ", "kana"),
        ("שלום", "slvm"), ("한국", "hagu"),
    ]) func aTextKeepsItsWidth(_ text: String, _ written: String) { expectEqual(ASCIIText.of(text), written) }

    @Test(arguments: [
        (["LC_ALL": "C", "LANG": "de_DE.UTF-8"], true), (["LANG": "de_DE.UTF-8"], false), ([:], true),
        (["LC_ALL": "", "LC_CTYPE": "C.utf8"], false), (["LANG": "POSIX"], true),
    ]) func theLocaleSaysWhatTheTerminalReads(_ variables: [String: String], _ isASCII: Bool) {
        expectEqual(ASCIIText.isNeeded { variables[$0] }, isASCII)
    }
}

@Suite struct TypedLinesTests {
    @Test(arguments: [
        ("play the talk", ["play", "the", "talk"]), ("note e3 \"a b\"", ["note", "e3", "a b"]),
        ("note e3 it's", ["note", "e3", "it's"]), ("a\\ b", ["a b"]), ("  ", []), ("''", [""]),
    ]) func aLineIsSplitIntoWords(_ line: String, _ words: [String]) { expectEqual(TypedLines.words(line), words) }

    @Test(arguments: [
        ("import ~/\"a b\" ~x ~", ["import", "/home/ann/a b", "~x", "~"]),
        ("a~/b \"~/c\" \\~/d", ["a~/b", "~/c", "~/d"]),
    ]) func aTildeIsTheHomeDirectoryAsInAShell(_ line: String, _ words: [String]) {
        expectEqual(TypedLines.words(line, home: "/home/ann"), words)
    }

    @Test(arguments: [
        ("episodes The La", 6, ["\"The Lamp Keeper\""]), ("episodes La", 2, ["\"The Lamp Keeper\"", "Lamps"]),
        ("episodes \"The La", 7, ["\"The Lamp Keeper\""]), ("add e3 The  La", 7, ["\"The Lamp Keeper\""]),
        ("The La", 2, ["\"The Lamp Keeper\"", "Lamps"]),
    ]) func aNameReplacesAllThatIsTypedOfIt(_ text: String, _ replaced: Int, _ candidates: [String]) {
        let names = text.contains("\"") ? ["The Lamp Keeper"] : ["The Lamp Keeper", "Lamps"]
        expectEqual(
            NameCompletion(text).completion(names), TypedCompletion(replaced: replaced, candidates: candidates))
    }

    @Test func theRestOfALineThatIsTooLongIsNoCommand() {
        var lines = TypedLines()
        for _ in 0..<20 { lines.add([UInt8](repeating: 0x20, count: 4_096)) }
        lines.add(Array("clear\nstat".utf8))
        lines.add(Array("us\n".utf8))
        expectEqual(lines.complete(), ["status"])
    }

    @Test func aMissingQuotationMarkIsNoticed() { expectEqual(TypedLines.words("note \"a"), nil) }
}

@Suite struct KeyInputTests {
    @Test(arguments: [
        (CursesInput.character("a", hasAlt: false), "a"), (.character("\u{12}", hasAlt: false), "^R"),
        (.character("\r", hasAlt: false), "enter"), (.character("\u{1B}", hasAlt: false), "escape"),
        (.character("x", hasAlt: true), "alt-x"), (.key("page-down"), "page-down"), (.key("f5"), "f5"),
        (.character(" ", hasAlt: false), "space"), (.character("\u{7F}", hasAlt: false), "backspace"),
    ]) func inputIsAKey(_ input: CursesInput, _ spelling: String) { expectEqual(Key(input)?.spelling, spelling) }

    @Test func eachPointerActionOfTheTerminalIsKnown() {
        for pointer in CursesInput.Pointer.allCases {
            expectEqual(PointerEvent(.pointer(pointer, line: 0))?.kind.rawValue, pointer.rawValue)
        }
    }
}
