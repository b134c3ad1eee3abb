import Foundation
import SystemCalls
import TestSupport
import Testing

/// Line mode on a terminal, key by key. An unknown command is answered with its name, which shows what was read.
@Suite(.ownThread, .timeLimit(.minutes(5)))
final class LineModeKeyTests {
    private static let locales = ["LANG=C.UTF-8", "LC_ALL=C"]
    private static let up = "\u{1B}[A"
    private static let down = "\u{1B}[B"
    private static let left = "\u{1B}[D"
    private static let home = "\u{1B}[H"
    private static let backspace = "\u{7F}"

    private let terminal: PseudoTerminal
    /// Whether the program must write ASCII only.
    private var isASCII = false

    private static func ascii(_ word: String) -> String {
        word.map { character in
            if character.isASCII { return String(character) }
            let letters: [Character: String] = ["ü": "u", "ö": "o", "é": "e", "ß": "s", "👍🏽": "????"]
            return letters[character] ?? ("日本語".contains(character) ? "??" : "?")
        }.joined()
    }

    init() throws {
        terminal = try PseudoTerminal()
        terminal.resize(columns: 80, lines: 24, cell: (8, 16))
    }

    private func start(_ locale: String, isShell: Bool = false) throws -> ChildProcess {
        isASCII = locale == "LC_ALL=C"
        let socket = ["--socket", "/nonexistent/control"]
        let process = try terminal.start(
            isShell ? "podcastctl" : "podcast-tui", isShell ? ["shell"] + socket : socket + ["--plain"],
            ["TERM=xterm-256color", locale])
        expectContains(terminal.shown { $0.hasSuffix("> ") }, "type a command")
        return process
    }

    /// Types a line, which must be read as an unknown command.
    private func expect(_ keys: some Sequence<UInt8>, _ word: String, at location: SourceLocation = #_sourceLocation) {
        terminal.press(keys)
        terminal.press("\r".utf8)
        let answer = "unknown command '\(isASCII ? Self.ascii(word) : word)'"
        let shown = terminal.shown { $0.contains("unknown command '") && $0.hasSuffix("> ") }
        #expect(shown.contains(answer), "\(shown.debugDescription)", sourceLocation: location)
    }

    private func expect(_ keys: String, _ word: String, at location: SourceLocation = #_sourceLocation) {
        expect(keys.utf8, word, at: location)
    }

    private func leave(_ process: ChildProcess) {
        terminal.press("quit\r".utf8)
        expectContains(terminal.shown(until: "\u{1B}[?2004l"), "quit")
        expectEqual(process.wait(), .exited(0))
    }

    @Test(arguments: locales) func arrowsBringEarlierLinesBack(_ locale: String) throws {
        let process = try start(locale)
        expect(Self.up + "\u{10}" + Self.down + "alpha", "alpha")
        expect("Zürich", "Zürich")
        expect(Self.up, "Zürich")
        expect(Self.up + Self.up, "alpha")
        expect("\u{10}\u{10}" + Self.down, "alpha")
        expect("\u{1B}OA\u{1B}OA\u{1B}OA" + Self.down, "Zürich")
        leave(process)
    }

    @Test(arguments: locales) func charactersOutsideASCIIAreReadByteByByte(_ locale: String) throws {
        let process = try start(locale)
        for word in ["Zürich", "日本", "e\u{301}a", "👍🏽b", "ßü"] { expect(word, word) }
        expect([0xC3, 0x41], "\u{FFFD}A")
        expect([0xFF, 0xE6, 0x97, 0x42], "\u{FFFD}\u{FFFD}B")
        leave(process)
    }

    @Test(arguments: locales) func theCursorMovesAndDeletesByCharacter(_ locale: String) throws {
        let process = try start(locale)
        expect("Zrich" + String(repeating: Self.left, count: 4) + "ü", "Zürich")
        expect("ich" + Self.home + "Zür" + "\u{5}s", "Zürichs")
        expect("Zürichß" + Self.backspace, "Zürich")
        expect("日本語" + Self.backspace + Self.backspace, "日")
        expect("Züx" + Self.left + Self.backspace, "Zx")
        expect("üxy" + Self.home + "\u{1B}[3~", "xy")
        leave(process)
    }

    @Test(arguments: locales) func aPasteOfSeveralLinesRunsNothingBeforeEnter(_ locale: String) throws {
        let process = try start(locale)
        expect("'<" + Self.pasted("one\r\ntwö\tthree\r") + ">'", "<one twö three>")
        expect("a" + Self.pasted("\u{1B}[A\u{7F}") + "b", "a[Ab")
        leave(process)
    }

    @Test func keysAreListedByAQuestionMarkAndASlashSearches() throws {
        let process = try start("LANG=C.UTF-8")
        terminal.press("?\r".utf8)
        let keys = terminal.shown { $0.contains("help: ") || $0.contains("more lines") }
        expectContains(keys, "space or p: Play or pause")
        for line in ["/whales", "/ whales", "v", "'", "where am I?", "What is happening?."] {
            terminal.press((line + "\r").utf8)
            expectContains(
                terminal.shown { $0.contains("podcastd is not running") && $0.hasSuffix("> ") }, "is not running")
        }
        leave(process)
    }

    @Test func controlCDiscardsTheLineAndStays() throws {
        let process = try start("LANG=C.UTF-8")
        terminal.press("half a line\u{3}".utf8)
        expectContains(terminal.shown { $0.contains("^C") && $0.hasSuffix("> ") }, "half a line")
        terminal.press([3])
        expectContains(terminal.shown { $0.contains("leave") && $0.hasSuffix("> ") }, "type 'quit' to leave")
        expect("Zürich", "Zürich")
        expect(Self.up, "Zürich")
        leave(process)
    }

    @Test func anUnknownCommandNamesTheHelpOfLineMode() throws {
        let process = try start("LANG=C.UTF-8")
        terminal.press("frob\r".utf8)
        let shown = terminal.shown { $0.contains("see ") && $0.hasSuffix("> ") }
        expectContains(shown, "unknown command 'frob'")
        expectContains(shown, "see 'help'")
        terminal.press("verbosity 9\r".utf8)
        expectContains(terminal.shown { $0.contains("0, 1") && $0.hasSuffix("> ") }, "verbosity is 0, 1 or 2")
        #expect(!shown.contains("podcastctl"))
        leave(process)
    }

    @Test func theShellOfPodcastctlIsTheSame() throws {
        let process = try start("LANG=C.UTF-8", isShell: true)
        expect(Self.up + "Zürich", "Zürich")
        expect(Self.up, "Zürich")
        leave(process)
    }

    @Test func aSignalLeavesTheTerminalAsItWas() throws {
        let process = try start("LANG=C.UTF-8")
        terminal.press("al".utf8)
        _ = terminal.shown(until: "al")
        process.signal(SIGINT)
        _ = terminal.shown(until: "\u{1B}[?2004l")
        expectEqual(process.wait(), .signaled(SIGINT))
        var settings = termios()
        expectEqual(tcgetattr(terminal.slave, &settings), 0)
        #expect(settings.c_lflag & tcflag_t(ICANON | ECHO) == tcflag_t(ICANON | ECHO))
    }

    @Test func aLineThatIsDeletedAndResizedIsDrawnAsItIs() throws {
        let screen = try TmuxTerminal(
            [Programs.path("podcast-tui"), "--socket", "/nonexistent/control", "--plain"], columns: 60, lines: 12)
        // Before the prompt the terminal's driver shows what is typed.
        try screen.wait(for: "\n>")
        try screen.type("search Zürich 日本")
        try screen.wait(for: "> search Zürich 日本")
        try screen.press("BSpace", "BSpace", "BSpace", "BSpace", "BSpace")
        try screen.wait(for: "> search Züri\n")
        try screen.press("C-u")
        let words = (1...12).map { "wörd\($0)" }.joined(separator: " ")
        try screen.type(words)
        try screen.wait(for: "wörd12")
        for columns in [30, 100, 45] {
            try screen.resize(columns: columns, lines: 12)
            try screen.wait(for: words) { shown in
                let joined = shown.split(separator: "\n").joined()
                return joined.contains("> " + words) && joined.components(separatedBy: "> ").count == 2
            }
        }
    }

    private static func pasted(_ text: String) -> String { "\u{1B}[200~\(text)\u{1B}[201~" }
}
