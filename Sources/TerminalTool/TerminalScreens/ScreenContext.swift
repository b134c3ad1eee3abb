internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import Presentation

/// What screens share: the daemon, the model, the keys; and their requests to the window.
final class ScreenContext: ModelHolder {
    /// What a screen asks of the window.
    enum Request {
        case open(ScreenName)
        /// Nil for the screen on top.
        case close(ScreenName?)
        case ask(Prompt)
        case say(String, isError: Bool)
    }

    let daemon: any CommandSender
    /// What the daemon reported last.
    var model = ClientModel()
    let keys: KeyMap
    let glyphs: Glyphs
    let times: ShownTime
    /// CLOCK_MONOTONIC.
    let now: () -> Instant
    private let commands: any CommandLineRunner
    /// Shows an address outside of the program.
    private let openURL: (String) -> LinkOutcome
    /// Pixels of a character cell on a terminal that shows pictures; nil for no pictures.
    var pictureCell: CellSize?
    /// What the last command line printed, or a message that is read in full.
    private(set) var answer: (title: String, lines: [String]) = ("", [])
    var showsKeys = true
    var isConnected = false
    static let notConnected = "No connection to podcastd; start it with 'podcastd'."
    /// Whether the model has the list of feeds.
    var areFeedsRead = false
    /// Columns of the screen as it was last drawn.
    var columns = 80
    /// Whether lists have a line for each row, with columns instead of a second line.
    var isWide: Bool { columns >= Self.wideColumns }
    private static let wideColumns = 120
    /// Columns for wrapped text: fewer than `columns` beside a picture.
    var textColumns = 80
    var requests: [Request] = []
    /// The identity of a new row, which gets the cursor in the list that shows it first.
    var awaitedRow: Int64?
    /// The lists that show their oldest episodes first.
    var oldestFirst: Set<EpisodeList.Scope> = []
    /// Whether `:q` was typed.
    private(set) var mustQuit = false
    /// Messages, the newest last; at most `mostMessages`.
    private(set) var messages: [(time: Timestamp, text: String)] = []
    private static let mostMessages = 500

    init(
        daemon: any CommandSender, commands: any CommandLineRunner, openURL: @escaping (String) -> LinkOutcome,
        keys: KeyMap, glyphs: Glyphs, times: ShownTime, now: @escaping () -> Instant, date: @escaping () -> Timestamp
    ) {
        self.daemon = daemon
        self.commands = commands
        self.openURL = openURL
        self.keys = keys
        self.glyphs = glyphs
        self.times = times
        self.now = now
        self.date = date
    }

    /// The time of day.
    private let date: () -> Timestamp
    /// Command lines that were typed, the newest last.
    private var typedCommands: [String] = []

    /// Called when something came that is shown.
    var needsDrawing: () -> Void = {}

    func feedTitle(_ id: FeedID) -> String {
        model.feeds.first { $0.feed.id == id }?.feed.distinctTitle ?? "feed \(id.label)"
    }

    func open(_ screen: ScreenName) { requests.append(.open(screen)) }
    func close(_ screen: ScreenName? = nil) { requests.append(.close(screen)) }
    func ask(_ prompt: Prompt) { requests.append(.ask(prompt)) }

    func ask(
        _ label: String, text: String = "", next: ((_ backwards: Bool) -> Void)? = nil, done: @escaping (String) -> Void
    ) { ask(Prompt(label: label, field: TextField(text), next: next, done: done)) }

    func confirm(_ question: String, yes: @escaping () -> Void) {
        ask(Prompt(label: "\(question) (y/n) ", done: { _ in yes() }))
    }

    /// Shows a line until the next key, and keeps it in the log.
    func say(_ text: String, isError: Bool = false) {
        if text.isEmpty { return }
        requests.append(.say(text, isError: isError))
        log(text)
    }

    /// Opens one of some addresses; asks which if there are several.
    func openLink(_ urls: [String]) {
        guard urls.count > 1 else {
            if let url = urls.first { open(url) }
            return
        }
        let hosts = urls.enumerated().map {
            "\($0 + 1) \($1.split(separator: "/").dropFirst().first ?? $1.dropFirst("mailto:".count))"
        }
        ask("Open (\(hosts.joinedText(", "))): ") { [self] text in
            guard let number = Int(text), urls.indices.contains(number - 1) else {
                return say("type a number from 1 to \(urls.count)", isError: true)
            }
            open(urls[number - 1])
        }
    }

    private func open(_ url: String) {
        switch openURL(url) {
        case .opened: say("opening \(url)")
        case .copied: say("copied: \(url)")
        case .failed(let why): say("\(url): \(why)", isError: true)
        }
    }

    /// The act that the last message promised to undo; nil after another command.
    private(set) var promisedAct: Int64?

    /// Shows what was done, and binds the next undo to it.
    func promise(_ text: String) {
        say("\(text); 'u' undoes this")
        read(ListUndoable()) { [weak self] in self?.promisedAct = $0?.acts.first?.id }
    }

    /// Adds a line to the log only.
    func log(_ text: String) {
        messages.append((date(), text))
        if messages.count > Self.mostMessages { messages.removeFirst() }
    }

    /// Shows a message on a separate screen, wrapped.
    func showInFull(_ text: String) {
        openAnswer("Message", TextLayout.wrapped(text, width: max(10, columns - 3), breaksWords: true))
    }

    private func openAnswer(_ title: String, _ lines: [String]) {
        answer = (title, lines)
        close(.answer)
        open(.answer)
    }

    /// What an empty list says while there are no feeds; nil if there are some, or the daemon has not answered yet.
    var firstSteps: String? {
        guard isConnected, model.feeds.isEmpty, areFeedsRead else { return nil }
        func key(_ action: String) -> String { keys.keys(of: action).first ?? action }
        return
            "No feeds yet. \(key("subscribe")) subscribes to the address of a feed, \(key("find")) searches podcast "
            + "directories, \(key("import")) imports an OPML file."
    }

    func refreshDueFeeds() {
        run(RefreshFeeds()) { [weak self] in
            self?.say($0, FeedText.refreshed($0) ?? "no feed is due; :refresh --force fetches all feeds now")
        }
    }

    /// Shows what a refresh did: a text, or the first failure.
    func say(_ reply: RefreshReply, _ text: String) {
        for line in reply.remarks { log(line) }
        guard let failure = reply.errors.first else { return say(text) }
        say(reply.refreshed + reply.failed > 1 ? "\(text); \(failure.explanation)" : failure.explanation, isError: true)
    }

    /// Shows the results of subscriptions, with another hint if a server requires a login. Returns whether none failed.
    @discardableResult
    func say(_ reply: SubscriptionsReply, loginHint: String? = nil) -> Bool {
        let texts = reply.rows.map { row in
            if let text = FeedText.subscribed(row).first { return text }
            guard var failure = row.error else { return "failed" }
            if failure.login != nil { failure.hint = loginHint ?? failure.hint }
            return "\(row.url.map { "\($0): " } ?? "")\(failure.explanation)"
        }
        let hasFailed = reply.rows.contains { FeedText.subscribed($0).isEmpty }
        say(texts.joinedText("; "), isError: hasFailed)
        return !hasFailed
    }

    /// Asks for a command line, runs it and shows what it prints: one line as a message, more as a screen.
    func askForCommandLine(_ beginning: String = "") {
        ask(
            Prompt(
                label: ":", field: TextField(beginning), complete: commands.complete,
                earlier: EarlierTexts(typedCommands),
                done: { [weak self] line in
                    guard let self, let first = line.split(whereSeparator: \.isWhitespace).first else { return }
                    if ["q", "quit", "exit"].contains(first) { return mustQuit = true }
                    typedCommands.removeAll { $0 == line }
                    typedCommands.append(line)
                    commands.run(line, columns: columns) { [weak self] outcome in self?.show(line, outcome) }
                }))
    }

    private func show(_ line: String, _ outcome: CommandLineOutcome) {
        needsDrawing()
        if outcome.lines.count <= 1 { return say(outcome.lines.first ?? "done", isError: outcome.hasFailed) }
        openAnswer(line, outcome.lines)
    }

    /// Sends a command and shows its error, if it fails, unless `fail` takes the error.
    func run<Called: Command>(
        _ command: Called, done: @escaping (Called.Reply) -> Void = { _ in }, fail: ((ClientFailure) -> Void)? = nil
    ) {
        promisedAct = nil
        daemon.send(command) { [weak self] result in
            switch result {
            case .success(let reply): done(reply)
            case .failure(let failure):
                if let fail { fail(failure) } else { self?.say(failure.explanation, isError: true) }
            }
        }
    }

    /// Sends a query. `done` gets nil if it fails; no error is shown.
    func read<Called: Command>(_ command: Called, done: @escaping (Called.Reply?) -> Void) {
        daemon.send(command) { done(try? $0.get()) }
    }
}

extension FailureReply {
    /// One line for a person.
    var explanation: String { (feed.map { "\($0): " } ?? "") + what + (hint.map { "; \($0)" } ?? "") }
}

/// Sends commands. It calls the handler when the reply comes, or at once if it has no connection.
protocol CommandSender: AnyObject {
    func send<Called: Command>(_ command: Called, handler: @escaping (Result<Called.Reply, ClientFailure>) -> Void)
}

struct CommandLineOutcome: Equatable {
    /// Without control characters.
    var lines: [String]
    var hasFailed: Bool
}

/// What the end of a line may become.
struct TypedCompletion: Equatable {
    /// Characters before the cursor that a candidate replaces.
    var replaced: Int
    /// As they are typed, with quotation marks where they need them.
    var candidates: [String]
}

/// Runs command lines of podcastctl.
protocol CommandLineRunner: AnyObject {
    /// Calls the handler when the command has ended. Tables are laid out for this number of columns.
    func run(_ line: String, columns: Int, handler: @escaping (CommandLineOutcome) -> Void)
    /// What the text up to the cursor may become.
    func complete(_ text: String) -> TypedCompletion
}

/// What a row stands for, as far as keys act on it in any list.
enum Subject {
    case episode(Episode)
    case episodeID(EpisodeID)
    case feed(Feed)
    case playlist(PlaylistReply)
    case output(OutputReply)

    /// How commands name it among what can be played.
    var what: String? {
        switch self {
        case .episode(let episode): episode.id.label
        case .episodeID(let id): id.label
        case .feed(let feed): feed.id.label
        case .playlist(let list): "playlist:\(list.name)"
        case .output: nil
        }
    }

    /// Episodes that queueing adds.
    var episodeCount: Int {
        switch self {
        case .episode, .episodeID, .output: 1
        case .feed(let feed): feed.unplayedCount
        case .playlist(let list): list.count.count
        }
    }

    var episode: Episode? { if case .episode(let episode) = self { episode } else { nil } }
    var episodeID: EpisodeID? { if case .episodeID(let id) = self { id } else { episode?.id } }
    var feedID: FeedID? { if case .feed(let feed) = self { feed.id } else { episode?.feed } }
}
