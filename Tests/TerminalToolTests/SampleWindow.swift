import CommandLineTool
import ControlClient
import ControlLanguage
import ControlProtocol
import JSON
import PodcastModel

@testable import TerminalTool

/// A window on a sample daemon with a simulated clock.
final class SampleWindow {
    let daemon: SampleDaemon
    let context: ScreenContext
    let window: Window
    var size: Size
    let commands = SampleCommands()
    let links = SampleLinks()
    private let clock = SampleClock()

    final class SampleClock {
        var now = Instant(nanoseconds: 1_000_000_000)
    }

    init(
        _ daemon: SampleDaemon = SampleDaemon(), first: ScreenName = .queue, columns: Int = 60, lines: Int = 12,
        glyphs: Glyphs = .unicode, isConnected: Bool = true, pictureCell: CellSize? = nil
    ) {
        self.daemon = daemon
        size = Size(columns: columns, lines: lines)
        let clock = clock
        context = ScreenContext(
            daemon: daemon, commands: commands, openURL: links.open, keys: TerminalAction.defaultKeys, glyphs: glyphs,
            times: ShownTime(offset: nil, isComplete: false),
            now: { clock.now }, date: { Timestamp(year: 2026, month: 11, day: 25) })
        context.pictureCell = pictureCell
        window = Window(context, first: first)
        if isConnected { connect() }
    }

    func connect() {
        window.receive(.greeted(HelloReply()))
        report([.player: Self.playing, .queue: ["length": 4, "index": 1, "revision": 1], .activities: []])
    }

    static let playing: JSONValue = [
        "state": "playing", "position": 600, "duration": 3_600, "instant": 1, "pace": 1, "volume": 80, "speed": 1.5,
        "episode": ["id": 300, "entry": 40, "title": "Episode 300: of things"],
        "feed": ["id": 1, "title": "Café Talk"], "queueRemaining": ["time": 9_200, "exact": true],
    ]

    /// A snapshot of some parts.
    func report(_ values: [StatusPart: JSONValue]) {
        var parts = SnapshotReply.Parts()
        for (part, value) in values { parts[part] = value }
        window.receive(.snapshot(SnapshotReply(sequence: 1, parts: parts)))
    }

    func change(_ part: StatusPart, _ value: JSONValue = .null) {
        if part == .queue { daemon.queueRevision = QueueExtent(json: value)?.revision ?? daemon.queueRevision }
        window.receive(.changed(EventReply(sequence: 2, part: part, value: value)))
    }

    /// The content of some rows has changed.
    func change(_ part: StatusPart, rows: [Int64]) {
        var event = EventReply(sequence: 2, part: part, value: .null)
        event.changes = rows.map { RowChange(.update, $0) }
        window.receive(.changed(event))
    }

    func pass(_ time: Duration) {
        clock.now = clock.now + time
        window.advance()
    }

    /// Keys by their spelling, separated by spaces.
    @discardableResult
    func press(_ keys: String) -> Window.Request? {
        var request: Window.Request?
        for spelling in keys.split(separator: " ") {
            _ = text
            if let key = Key(spelling: String(spelling)) { request = window.handle(key) }
        }
        return request
    }

    func type(_ text: String) { for character in text { _ = window.handle(Key(character)) } }

    /// The screen. Rows that are asked for while it is drawn are drawn, too.
    var text: String {
        _ = window.draw(size)
        return window.draw(size).text
    }

    /// The cover that is on the screen.
    var picture: PlacedPicture? {
        _ = window.draw(size)
        return window.draw(size).picture
    }

    var lines: [String] { text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
}

/// Takes addresses as a terminal without a display does.
final class SampleLinks {
    private(set) var urls: [String] = []

    func open(_ url: String) -> LinkOutcome {
        urls.append(url)
        return .copied
    }
}

/// Takes command lines, and answers when the test asks for the answer.
final class SampleCommands: CommandLineRunner {
    private(set) var lines: [String] = []
    private var handler: (CommandLineOutcome) -> Void = { _ in }

    func run(_ line: String, columns: Int, handler: @escaping (CommandLineOutcome) -> Void) {
        lines.append(line)
        self.handler = handler
    }

    /// Offers some fixed words, and "Beta talk" for all other text.
    func complete(_ text: String) -> TypedCompletion {
        let word = String(text.split(separator: " ", omittingEmptySubsequences: false).last ?? "")
        let known = ["play", "playlists", "\"Beta talk\""].filter {
            $0.hasPrefix(word) || word == "bet" && $0.count > 9
        }
        return TypedCompletion(replaced: word.count, candidates: word == "x" ? [] : known)
    }

    func answer(_ lines: String..., hasFailed: Bool = false) {
        handler(CommandLineOutcome(lines: lines, hasFailed: hasFailed))
    }
}
