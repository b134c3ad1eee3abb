internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import Presentation

/// The whole terminal: a title bar, the screen on top of the stack, and a line with the current episode, a question or a message.
/// Keys, pointer events, time and what the daemon reports go in; a canvas comes out. One thread.
final class Window {
    /// What only the program around can do.
    enum Request {
        case quit, suspend, redraw
    }

    private let context: ScreenContext
    private let reader: ModelReader
    private let maker: ScreenMaker
    /// The open screens, from the bottom; never empty. A screen keeps its state while others are above it.
    private var stack: [(name: ScreenName, screen: any Screen)]
    private var top: any Screen { stack[stack.count - 1].screen }
    private var busy = BusyIndicator()
    private var prompt: Prompt?
    private var message: (text: String, isError: Bool, since: Instant)?
    /// When the current episode replaces a message without a key: after this time, or with another episode after the shorter one.
    private static let messageTime = Duration.seconds(60)
    private static let leastMessageTime = Duration.seconds(5)
    private var isConnected: Bool { context.isConnected }
    private var lastError: String?
    private var lastEpisode: EpisodeID?
    /// Whether the activities are listed over the screen.
    private var showsActivities = false
    /// The lines of the screen when it was drawn last.
    private var screenLines = 0..<0
    /// Whether something that is shown has changed since it was drawn.
    private(set) var needsDrawing = true

    init(_ context: ScreenContext, first: ScreenName = .queue) {
        self.context = context
        reader = ModelReader(context)
        let maker = ScreenMaker(context: context, reader: reader)
        self.maker = maker
        stack = [(first, maker.make(first))]
        context.needsDrawing = { [weak self] in self?.needsDrawing = true }
        reader.onChange = { [weak self] parts in self?.update(parts) }
        reader.want(.feeds)
        top.load()
    }

    // MARK: what comes in

    /// Shows what the connection reported.
    func receive(_ event: ConnectionEvent) {
        needsDrawing = true
        switch event {
        case .greeted:
            if !isConnected && context.model.greeting == nil { context.log("connected") }
            context.isConnected = true
            if message?.isError == true { message = nil }
        case .lost(let failure):
            context.isConnected = false
            context.say("\(failure.explanation); trying again", isError: true)
        case .snapshot, .changed: break
        }
        reader.receive(event)
        if case .snapshot = event { for (_, screen) in stack { screen.load() } }
        performRequests()
    }

    private func update(_ parts: StatusParts) {
        needsDrawing = true
        if parts == .init(.feeds) { context.areFeedsRead = true }
        let player = context.model.player
        if player.episode?.id != lastEpisode { endMessage(after: Self.leastMessageTime) }
        lastEpisode = player.episode?.id
        if let error = player.error, error != lastError {
            let title = player.failedTitle == nil ? player.episode?.title.map { "'\($0)': " } : nil
            context.say((title ?? "") + error, isError: true)
        }
        lastError = player.error
        for (_, screen) in stack { screen.update(parts) }
        advance()
    }

    /// Updates what depends on the time: the busy view and the playback position; and shows what came from outside.
    func advance() {
        if !context.requests.isEmpty {
            needsDrawing = true
            performRequests()
        }
        endMessage(after: Self.messageTime)
        if busy.advance(isBusy: isBusy, now: context.now()) { needsDrawing = true }
        if let tick = nextTick, context.now() >= tick { needsDrawing = true }
    }

    private func endMessage(after time: Duration) {
        guard let since = message?.since, context.now() >= since + time else { return }
        message = nil
        needsDrawing = true
    }

    /// When `advance` must be called at the latest; nil for never.
    var deadline: Instant? {
        [busy.deadline, nextTick, message.map { $0.since + Self.messageTime }].compactMap(\.self).min()
    }

    /// When the shown seconds change; nil while the position does not move.
    private var nextTick: Instant? {
        let player = context.model.player
        guard isConnected, player.pace > 0, player.episode != nil else { return nil }
        return lastDrawn + .seconds(1)
    }
    private var lastDrawn = Instant(nanoseconds: 0)

    private var isBusy: Bool { !isConnected || !context.model.activities.isEmpty }

    // MARK: keys

    /// - Returns: what the program must do.
    func handle(_ key: Key) -> Request? {
        needsDrawing = true
        if key.hasAlt && context.keys[key] == nil {
            // Escape and another key that came at once look like one with Alt.
            var second = key
            second.hasAlt = false
            return handle(Key(.escape)) ?? handle(second)
        }
        message = nil
        defer { performRequests() }
        if prompt != nil {
            answer(key)
            return context.mustQuit ? .quit : nil
        }
        if top.takesText && top.handle(text: key) { return nil }
        guard let action = context.keys[key].flatMap(TerminalAction.named) else { return nil }
        if showsActivities {
            showsActivities = false
            switch action.effect {
            case .back, .activities: return nil
            default: break
            }
        }
        return perform(action)
    }

    /// Pasted text goes into a field that is typed into, and is never a command.
    func paste(_ text: String) {
        needsDrawing = true
        message = nil
        if let asked = prompt {
            if var field = asked.field {
                field.paste(text)
                prompt?.field = field
                prompt?.cycle = nil
                asked.changed(field.text)
            }
        } else if !top.paste(text) {
            context.say("text was pasted where nothing is typed; ':' or 'S' first for a command or an address")
        }
        performRequests()
    }

    func handle(_ pointer: PointerEvent) {
        needsDrawing = true
        guard prompt == nil else { return }
        top.handle(pointer: pointer, lines: screenLines)
        performRequests()
    }

    private func perform(_ action: TerminalAction) -> Request? {
        if top.handle(action.effect) { return nil }
        switch action.effect {
        case .program(let request): return request
        case .activities: showsActivities = true
        case .screen(let screen): context.open(screen)
        case .back: context.close()
        case .call(let call): call(context)
        case .row(let act), .question(let act):
            let subject = (top as? ListScreen)?.subject
            if let subject, act(context, subject) != nil { break }
            let refusal = subject == nil ? "put the cursor on an episode first" : Self.notHere
            guard case .question = action.effect else {
                context.say(refusal, isError: true)
                break
            }
            // The user types the text of the refused prompt next; keep it from acting as keys.
            context.ask("\(refusal) (escape): ") { _ in }
        case .table, .filter, .reverse: context.say(Self.notHere, isError: true)
        }
        return nil
    }

    private static let notHere = "not available on this screen"

    private func answer(_ key: Key) {
        guard let asked = prompt else { return }
        guard var field = asked.field else {
            prompt = nil
            return key == Key("y") || key == Key("Y") ? asked.done("") : asked.cancelled()
        }
        switch (key, asked.complete, asked.next) {
        case (Key(.tab), let complete?, _), (Key(.backTab), let complete?, _):
            // Puts the next candidate into the prompt.
            if asked.cycle == nil {
                prompt?.cycle = CompletionCycle(field, complete(field.textBeforeCaret))
            } else {
                prompt?.cycle?.advance(backwards: key == Key(.backTab))
            }
            if let completed = prompt?.cycle?.field { prompt?.field = completed }
        case (Key(.up), _, _), (Key(.down), _, _):
            guard let text = prompt?.earlier.advance(from: field.text, backwards: key == Key(.up)) else { return }
            prompt?.field = TextField(text)
            prompt?.cycle = nil
        case (Key(.tab), _, let next?), (Key(.backTab), _, let next?):
            prompt = nil
            asked.done(field.text)
            next(key == Key(.backTab))
        default:
            prompt?.cycle = nil
            switch field.handle(key) {
            case .changed:
                prompt?.field = field
                asked.changed(field.text)
            case .unused: break
            case .done:
                prompt = nil
                asked.done(field.text)
            case .cancelled:
                prompt = nil
                asked.cancelled()
            }
        }
    }

    /// Shows a screen above the others, or closes the screens that are above it if it is open already.
    private func open(_ name: ScreenName) {
        guard let index = stack.firstIndex(where: { $0.name == name }) else {
            stack.append((name, maker.make(name)))
            return top.load()
        }
        if index + 1 == stack.count { return (top as? ListScreen)?.onAgain() ?? () }
        stack.removeSubrange((index + 1)...)
        top.update(.all)
    }

    private func close(_ name: ScreenName) {
        if stack.count > 1 { stack.removeAll { $0.name == name } }
        top.update(.all)
    }

    private func performRequests() {
        while !context.requests.isEmpty {
            switch context.requests.removeFirst() {
            case .open(let name): open(name)
            case .close(let name): close(name ?? stack[stack.count - 1].name)
            case .ask(let prompt): self.prompt = prompt
            case .say(let text, let isError): message = (text, isError, context.now())
            }
        }
    }

    // MARK: drawing

    func draw(_ size: Size) -> Canvas {
        advance()
        needsDrawing = false
        lastDrawn = context.now()
        context.columns = size.columns
        context.textColumns = size.columns
        var canvas = Canvas(size: size)
        guard size.lines > 0 else { return canvas }
        let hasTitle = size.lines >= 3
        let hints = size.lines >= 10 ? hints : ""
        let below = (size.lines >= 2 ? 1 : 0) + (hints.isEmpty ? 0 : 1)
        screenLines = (hasTitle ? 1 : 0)..<max(hasTitle ? 1 : 0, size.lines - below)
        top.draw(on: &canvas, lines: screenLines)
        if hasTitle { drawTitle(on: &canvas) }
        if showsActivities { drawActivities(on: &canvas) }
        canvas.put(hints, column: 0, line: size.lines - 2, role: .dim)
        if size.lines >= 2 { drawLastLine(on: &canvas, line: size.lines - 1) }
        performRequests()
        return canvas
    }

    private func drawTitle(on canvas: inout Canvas) {
        let back = stack.dropLast().last.map { "  \(context.glyphs.back) \($0.screen.title)" } ?? ""
        let title = top.title + back
        canvas.put("", column: 0, line: 0, role: .bar, fills: true)
        guard busy.isShown else {
            canvas.put(title, column: 0, line: 0, role: .bar)
            if let place = top.place, TextLayout.width(of: title) + place.utf8.count + 2 <= canvas.size.columns {
                canvas.putRight(" \(place)", end: canvas.size.columns, line: 0, role: .bar)
            }
            return
        }
        let text =
            isConnected
            ? context.model.activities.first.map(StatusText.activity) ?? "" : "no daemon, connecting"
        let more = context.model.activities.count > 1 ? " +\(context.model.activities.count - 1)" : ""
        // The screen's name is cut only for a third of the line.
        let columns = canvas.size.columns
        let room = max(columns - TextLayout.width(of: top.title) - 1, columns / 3) - TextLayout.width(of: more) - 2
        let start = canvas.putRight(
            " " + TextLayout.fitted(text, width: max(0, room)) + more + " ", end: columns, line: 0, role: .busy)
        canvas.put(title, column: 0, line: 0, width: start - 1, role: .bar)
    }

    /// Draws all activities over the upper right of the screen.
    private func drawActivities(on canvas: inout Canvas) {
        var texts = context.model.activities.map(StatusText.activity)
        if !isConnected { texts.insert("no daemon, connecting", at: 0) }
        if texts.isEmpty { texts = ["nothing is in progress"] }
        let widest = texts.map { TextLayout.width(of: $0) }.max() ?? 0
        let width = max(4, min(canvas.size.columns, widest + 4))
        let column = canvas.size.columns - width
        let frame = context.glyphs.frame
        let edge = String(repeating: frame.horizontal, count: width - 2)
        let rows =
            [frame.topLeft + edge + frame.topRight]
            + texts.prefix(max(0, screenLines.count - 2)).map { text in
                let (text, used) = TextLayout.cut(text, to: width - 4)
                let spaces = String(repeating: " ", count: width - 3 - used)
                return "\(frame.vertical) \(text)\(spaces)\(frame.vertical)"
            } + [frame.bottomLeft + edge + frame.bottomRight]
        for (line, row) in zip(screenLines, rows) { canvas.put(row, column: column, line: line, role: .busy) }
    }

    private func drawLastLine(on canvas: inout Canvas, line: Int) {
        if let prompt {
            let used = canvas.put(prompt.label, column: 0, line: line, role: .bar)
            prompt.field?.draw(on: &canvas, column: used, line: line, width: canvas.size.columns - used)
        } else if let message {
            // In as many lines as it needs, because it ends with what to do.
            let rows = TextLayout.wrapped(message.text, width: canvas.size.columns, breaksWords: true)
                .suffix(max(1, screenLines.count))
            for (row, text) in zip((line - rows.count + 1)..., rows) {
                canvas.put(text, column: 0, line: row, role: message.isError ? .error : .bar, fills: true)
            }
        } else {
            drawPlayer(on: &canvas, line: line)
        }
    }

    /// The keys of the screen, as far as they fit; forms name their own.
    private var hints: String {
        guard context.showsKeys, let list = top as? ListScreen else { return "" }
        let shared = [("search", "filter"), ("back", "back"), ("keys", "all keys"), ("quit", "quit")]
        var line = ""
        for (action, name) in list.hints + shared {
            guard let key = context.keys.keys(of: action).first else { continue }
            let longer = line + (line.isEmpty ? "" : "   ") + "\(key) \(name)"
            if TextLayout.width(of: longer) > context.columns { break }
            line = longer
        }
        return line
    }

    private func drawPlayer(on canvas: inout Canvas, line: Int) {
        let player = context.model.player.state(at: context.now())
        canvas.put("", column: 0, line: line, role: .bar, fills: true)
        guard isConnected else {
            canvas.put("not connected", column: 0, line: line, role: .error)
            return
        }
        var details = [StatusText.time(player) ?? ""]
        if player.speed != 1 { details.append("x\(StatusText.number(player.speed))") }
        details.append("\(player.volume) %")
        if let sleep = player.sleep { details.append("sleep: \(StatusText.sleep(sleep))") }
        let right = details.filter { !$0.isEmpty }.joinedText("  ")
        let start = canvas.putRight(
            TextLayout.fitted(right, width: canvas.size.columns), end: canvas.size.columns, line: line, role: .bar)
        var text = StatusText.state(player)
        if let episode = player.episode { text += "  \(episode.title ?? episode.id.label)" }
        let error = player.state == .stopped ? player.error : nil
        if let error { text += "  \(error)" }
        canvas.put(text, column: 0, line: line, width: max(0, start - 1), role: error == nil ? .bar : .error)
    }
}
