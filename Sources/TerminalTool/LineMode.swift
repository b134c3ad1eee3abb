internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import ControlTool
internal import Glibc
internal import PodcastModel
internal import Presentation
internal import SystemCalls
internal import Terminal

/// Line mode: reads commands line by line and prints replies and events as lines, without moving the cursor.
final class LineMode {
    /// Lines of an answer that are printed at once; `more` prints the next ones.
    private static let pageLength = 20
    /// Columns of an answer: more than a line has.
    private static let answerWidth = 1 << 20

    let connection: ControlConnection
    let settings: TerminalSettings
    let streams: ToolStreams
    private var model = ClientModel()
    private var changes = ChangeLines(isSpoken: true)
    /// Which events are printed: 0 for none, 1 for changes, 2 for changes and progress.
    private var verbosity = 1
    private var rest: [String] = []
    private var hasQuit = false
    private var input = TypedLines()
    private var editor: LineEditor?
    private var resizes: SignalDescriptor?
    /// Whether a line is being edited, so that events go above it.
    private var isTyping = true
    /// Why an event could not be printed while a line was edited.
    private var outputFailure: ToolFailure?
    private let isASCII = ASCIIText.isNeeded(CurrentProcess.variable)

    init(connection: ControlConnection, settings: TerminalSettings, streams: ToolStreams) {
        self.connection = connection
        self.settings = settings
        self.streams = streams
    }

    /// - Parameter isEdited: whether lines can be edited and names completed, on a terminal.
    func run(isEdited: Bool) throws(ToolFailure) -> ExitStatus {
        connection.watch([.player, .activities])
        try say("podcast-tui: type a command, 'help' for all of them, 'quit' to leave")
        return try isEdited ? converseWithEditing() : converse()
    }

    private func converse() throws(ToolFailure) -> ExitStatus {
        while true {
            try sayChanges()
            for line in input.complete() where !hasQuit { try answer(line) }
            if hasQuit || input.hasEnded {
                if case .waiting = connection.state { return .unavailable }
                return .success
            }
            waitForDescriptors(
                readable: 0, connection.descriptor, writable: connection.wantsWriting ? connection.descriptor : -1,
                until: connection.deadline ?? .distantFuture)
            try ToolFailure.wrapping(.ioError) { try input.read() }
        }
    }

    private func converseWithEditing() throws(ToolFailure) -> ExitStatus {
        resizes = try ToolFailure.wrapping(.software) { try SignalDescriptor(catching: [SIGWINCH]) }
        let editor = try ToolFailure.wrapping(.software, hint: "'podcast-tui --plain </dev/stdin' edits nothing") {
            try LineEditor(
                program: "podcast-tui", prompt: "> ", nextByte: { [unowned self] in nextByte() },
                complete: { [connection] in
                    let completion = NameCompletion.of($0, socket: connection.path)
                    return (completion.replaced, completion.candidates)
                })
        }
        self.editor = editor
        defer { self.editor = nil }
        while let line = editor.readLine() {
            if let outputFailure { throw outputFailure }
            isTyping = false
            defer { isTyping = true }
            if editor.isDiscarded {
                if line.isEmpty { try say("type 'quit' to leave") }
                continue
            }
            if line.contains(where: { !$0.isWhitespace }) { editor.remember(line) }
            try answer(line)
            if hasQuit { return .success }
        }
        if let outputFailure { throw outputFailure }
        streams.output.line()
        return .success
    }

    /// Waits for a typed byte, and prints events above the line meanwhile.
    private func nextByte() -> UInt8? {
        do throws(ToolFailure) {
            while true {
                try sayChanges()
                while (try? resizes?.next(until: .now)) ?? nil != nil { editor?.resize() }
                if waitForDescriptors(readable: 0, until: .now) { return (try? TerminalInput.read(upTo: 1))?.first }
                waitForDescriptors(
                    readable: 0, connection.descriptor, resizes?.raw ?? -1,
                    writable: connection.wantsWriting ? connection.descriptor : -1,
                    until: connection.deadline ?? .distantFuture)
            }
        } catch {
            outputFailure = error
            return nil
        }
    }

    private func say(_ line: String) throws(ToolFailure) {
        let text = written(SafeText.line(line))
        if let editor, isTyping { return editor.printAbove(text) }
        streams.output.line(text)
        try streams.output.flush()
    }

    /// The text in the characters of the locale.
    private func written(_ text: String) -> String { isASCII ? ASCIIText.of(text) : text }

    // MARK: events

    /// Prints the changes of all events received so far.
    /// - Parameter player: the current player, if it may be newer than the events.
    private func sayChanges(to player: PlayerReply? = nil) throws(ToolFailure) {
        var isChanged = player != nil
        for event in connection.process() {
            model.apply(event)
            switch event {
            case .greeted: break
            case .lost: try say("podcastd does not answer; waiting for it")
            case .snapshot, .changed: isChanged = true
            }
        }
        if !isChanged { return }
        let lines = changes.lines(player ?? model.player, model.activities, withProgress: verbosity == 2)
        if verbosity > 0 { for line in lines { try say(line) } }
    }

    // MARK: lines

    private func answer(_ line: String) throws(ToolFailure) {
        // A key may be a quotation mark.
        let key = line.split(whereSeparator: \.isWhitespace).map { String($0) }
        guard let words = action(of: key) == nil ? TypedLines.words(line) : key else {
            return try say("a quotation mark is missing")
        }
        if words.isEmpty { return }
        if words[0].hasPrefix("/"), words[0].count > 1 || words.count > 1 {
            return try run(["search", String(words[0].dropFirst())].filter { !$0.isEmpty } + words.dropFirst())
        }
        var sentence = words.joinedText(" ").lowercased()
        while sentence.count > 1, let last = sentence.last, "?.".contains(last) { sentence.removeLast() }
        switch sentence {
        case "quit", "exit", "q": hasQuit = true
        case "more": try printPage()
        case "?":
            rest = TerminalAction.all.compactMap { action in
                let keys = settings.keys.keys(of: action.name).joinedText(" or ")
                return action.commandLine == nil || keys.isEmpty ? nil : "\(keys): \(action.help)"
            }
            rest += ["/ and words: Search in titles and notes", "help: All commands"]
            try printPage()
        case "/": try say("type the words after it, such as /whales")
        case "where am i", "where": try say(place)
        case "what is happening", "what": try say(happening)
        case "verbosity 0", "verbosity 1", "verbosity 2":
            verbosity = Int(words[1]) ?? 1
            try say(["answers only", "answers and changes", "answers, changes and progress"][verbosity])
        case "verbosity": try say("verbosity \(verbosity); 0 to 2 set it")
        case _ where words[0].lowercased() == "verbosity": try say("verbosity is 0, 1 or 2")
        default:
            guard let action = action(of: words) else { return try run(words) }
            guard let command = action.commandLine.flatMap({ TypedLines.words($0) }) else {
                return try say("'\(words[0])' (\(action.help)) needs the screen; 'help' lists the commands")
            }
            try run(command)
        }
    }

    /// The action of the key that a line names; nil if it names none.
    private func action(of words: [String]) -> TerminalAction? {
        guard words.count == 1, let key = Key(spelling: words[0]),
            words[0].count == 1 || key.typed == nil || key == Key(.space)
        else { return nil }
        return settings.keys[key].flatMap(TerminalAction.named)
    }

    /// Runs a command as podcastctl does, and prints the first page of its answer.
    private func run(_ words: [String]) throws(ToolFailure) {
        if words[0] == "status" && words.contains("--follow") {
            return try say("changes are printed here as they come; 'verbosity' sets which")
        }
        if ["shell", "tui"].contains(words[0]) { return try say("this is it") }
        var text: [UInt8] = []
        let output = ToolOutput(to: { text += $0 })
        output.isSpoken = true
        var terminal = streams.terminal
        terminal.isInteractive = false
        // For people, so with local times; nothing is cut off or wrapped.
        terminal.width = Self.answerWidth
        var answers = ToolStreams(output: output, errors: output, terminal: terminal)
        answers.mayAsk = editor != nil
        answers.showQuestion = { [self] in
            streams.output.write(written(String(utf8: text)))
            try? streams.output.flush()
            text = []
        }
        _ = ControlTool.run(["--socket", connection.path] + words, streams: answers, runsOthers: false)
        rest = String(utf8: text).fields(separatedBy: "\n").map {
            Self.spoken($0)
        }
        if rest.last?.isEmpty == true { rest.removeLast() }
        if rest.isEmpty { rest = ["done"] }
        changes.answer = rest
        try printPage()
        try sayChanges(to: (try? connection.call(GetStatus()))?.player)
    }

    /// A line of podcastctl without its name, which is not typed here: `unknown command 'x'`, `see 'help'`.
    private static func spoken(_ line: Substring) -> String {
        let name = "podcastctl"
        guard line.hasPrefix("\(name): ") else { return String(line) }
        return String(line.dropFirst(name.count + 2)).replacing("'\(name) --help'", with: "'help'").replacing(
            "'\(name) ", with: "'")
    }

    private func printPage() throws(ToolFailure) {
        if rest.isEmpty { return try say("nothing more") }
        for line in rest.prefix(Self.pageLength) { streams.output.line(written(line)) }
        rest.removeFirst(min(Self.pageLength, rest.count))
        if !rest.isEmpty { streams.output.line("\(counted(rest.count, "more line")); 'more' prints them") }
        try streams.output.flush()
    }

    // MARK: questions

    /// Where the listener is, in one sentence.
    private var place: String {
        guard let status = try? connection.call(GetStatus()) else {
            return ClientFailure.notRunning(path: connection.path).message
        }
        let player = status.player
        if player.episode == nil { return "nothing is loaded; \(status.queue.length) in the queue" }
        var parts = StatusText.spokenPlace(player)
        if let chapter = player.chapter?.chapter.title { parts.append("chapter \(chapter)") }
        return parts.joinedText(", ") + ", \(StatusText.state(player))"
    }

    private var happening: String {
        guard let status = try? connection.call(GetStatus()) else {
            return "\(ClientFailure.notRunning(path: connection.path).message); connecting again"
        }
        if status.activities.isEmpty { return "nothing is in progress; \(StatusText.state(status.player))" }
        return status.activities.map(StatusText.activity).joinedText("; ")
    }
}
