internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import Glibc
internal import PodcastModel
internal import SystemCalls
internal import Terminal

extension ControlConnection: CommandSender {
    func send<Called: Command>(
        _ command: Called, handler: @escaping (Result<Called.Reply, ClientFailure>) -> Void
    ) { send(command, file: nil, handler: handler) }
}

/// The full-screen mode: waits for keys, the daemon and signals, and paints what has changed.
struct FullScreen {
    let connection: ControlConnection
    let settings: TerminalSettings
    let first: ScreenName
    let isASCII: Bool

    func run() throws(ToolFailure) -> ExitStatus {
        let signals = try ToolFailure.wrapping(.software) {
            try SignalDescriptor(catching: [SIGWINCH, SIGTERM, SIGHUP, SIGINT])
        }
        let screen = try ToolFailure.wrapping(
            .unavailable, hint: "'podcast-tui --plain' needs no such terminal", CursesScreen.init)
        defer { screen.end() }
        let colors = CurrentProcess.variable("NO_COLOR") == nil ? screen.colors : 0
        let hasASCIILocale = ASCIIText.isNeeded(CurrentProcess.variable)
        let showsPictures = !isASCII && KittyGraphics.isUsed(settings.pictures, CurrentProcess.variable)
        var painter = Painter(
            screen, settings.theme(colors: colors, colorVariable: CurrentProcess.variable("COLORFGBG")),
            isASCII: hasASCIILocale)
        defer { painter.forget() }
        let times = ShownTime(offset: { LocalZone.offset(atSeconds: $0.seconds) }, isComplete: false)
        let commands = CommandProcesses(socket: connection.path)
        let context = ScreenContext(
            daemon: connection, commands: commands, openURL: DesktopLinks(screen).open, keys: settings.keys,
            glyphs: isASCII || hasASCIILocale ? .ascii : .unicode, times: times, now: { .now }, date: { .now })
        context.showsKeys = settings.showsKeys
        if showsPictures { context.pictureCell = CellSize.ofTerminal }
        let window = Window(context, first: first)
        connection.watch(StatusPart.allCases)
        while true {
            for event in connection.process() { window.receive(event) }
            commands.finish()
            window.advance()
            if window.needsDrawing || painter.mustPaint {
                painter.paint(window.draw(Size(columns: screen.columns, lines: screen.lines)))
            }
            waitForDescriptors(
                readable: 0, connection.descriptor, signals.raw, commands.descriptor,
                writable: connection.wantsWriting ? connection.descriptor : -1,
                until: [window.deadline, connection.deadline].compactMap(\.self).min() ?? .distantFuture)
            while let signal = try ToolFailure.wrapping(.software, { try signals.next(until: .now) }) {
                guard signal == SIGWINCH else { return .success }
                painter.forget()
                if let size = TerminalText.size(of: 1) { screen.resize(columns: size.columns, lines: size.lines) }
                // Another font has other cells.
                if showsPictures { context.pictureCell = CellSize.ofTerminal }
            }
            if TerminalInput.hasEnded(0) { return .success }
            while let input = screen.nextInput() {
                if case .paste(let text) = input { window.paste(text) }
                if let pointer = PointerEvent(input) { window.handle(pointer) }
                guard let request = Key(input).flatMap(window.handle) else { continue }
                if request == .quit { return .success }
                painter.forget()
                if request == .suspend {
                    screen.suspend()
                    TerminalInput.stopJob()
                }
                screen.resume()
            }
        }
    }
}

extension CellSize {
    /// As the terminal says, else the usual one: kitty's protocol scales pictures to cells.
    fileprivate static var ofTerminal: CellSize {
        TerminalText.cell(of: 1).map { CellSize(width: $0.width, height: $0.height) } ?? .usual
    }
}
