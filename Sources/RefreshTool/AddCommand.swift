internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import FeedRefresh
internal import HTTP
internal import JSON
internal import LibraryModel
internal import PodcastModel
internal import Presentation
internal import SystemCalls

extension RefreshCommands {
    /// `podcast-refresh add WHAT…`. Subscribes only to addresses that are feeds.
    func add(_ arguments: ParsedArguments, _ output: ToolOutput) throws(ToolFailure) -> ExitStatus {
        let settings = try readSettings(arguments)
        let session = try LibrarySession(settings.folder, variable: environment.variable)
        let board = makeBoard()
        let watchers = Watchers(environment, board: board, arguments, settings)
        var words = Array(arguments.texts(RefreshDeclaration.urls))
        var options = AddOptions()
        options.takesFiles = !arguments.isSet(RefreshDeclaration.urlsOnly)
        options.subscribes = !arguments.isSet(RefreshDeclaration.newest)
        options.fileURL = arguments.text(RefreshDeclaration.fileURL)
        if options.fileURL != nil, words.count != 1 || !options.takesFiles || !AddOptions.isFile(words[0]) {
            throw ToolFailure(.usage, "--url needs exactly one file")
        }
        options.userAgent = try Self.userAgent(arguments)
        options.login = try LoginInput.given(arguments, on: environment.errors)
        if !options.takesFiles {
            words = try words.map { (word) throws(ToolFailure) in
                word == SecretInput.word ? try SecretInput.line(prompt: "URL: ", on: environment.errors) : word
            }
        }
        let transport = try makeTransport(settings)
        func run(_ options: AddOptions) -> AddRun {
            AddRun(
                commands: self, session: session, settings: settings, board: board, watchers: watchers,
                transport: transport, options: options)
        }
        var replies = try run(options).add(words)
        for (index, reply) in replies.enumerated() {
            guard let url = reply.error?.login, options.login == nil, options.takesFiles,
                !arguments.isSet(RefreshDeclaration.json), LoginInput.canAsk
            else { continue }
            watchers.clear()
            var again = options
            again.login = try LoginInput.ask(for: url, on: environment.errors)
            replies[index] = try run(again).add([url])[0]
        }
        watchers.finish()
        return try report(SubscriptionsReply(replies), arguments, output)
    }

    private static func userAgent(_ arguments: ParsedArguments) throws(ToolFailure) -> String? {
        guard let text = arguments.text(RefreshDeclaration.userAgent) else { return nil }
        if let objection = FeedSetting.userAgent.objection(to: text) { throw ToolFailure(.usage, objection) }
        return text
    }

    private func report(
        _ reply: SubscriptionsReply, _ arguments: ParsedArguments, _ output: ToolOutput
    ) throws(ToolFailure) -> ExitStatus {
        var worst = ExitStatus.success
        let isJSON = arguments.isSet(RefreshDeclaration.json)
        for row in reply.feeds {
            if let failure = row.error {
                let login = failure.login.map { "; podcast-refresh add --user NAME \($0)" } ?? ""
                tell("\(row.url ?? ""): \(failure.what)\(login)")
                worst = .gravest(
                    worst, failure.status.flatMap { ExitStatus(rawValue: Int32(clamping: $0)) } ?? .software)
            } else if !isJSON, !arguments.isSet(RefreshDeclaration.quiet) {
                for line in FeedText.subscribed(row) { try output.line(SafeText.line(line)) }
            }
        }
        if isJSON { try output.line(reply.json.text) }
        return worst
    }
}

extension SubscriptionReply {
    static func subscribed(_ feed: Feed, isNew: Bool, isReturned: Bool = false) -> Self {
        var reply = Self(url: nil, feed: FeedReply(feed, key: feed.id.description), isNew: isNew)
        reply.isReturned = isReturned
        return reply
    }

    static func imported(_ totals: Importer.Totals) -> Self {
        var reply = Self(url: nil, imported: totals.added)
        reply.note = totals.note
        return reply
    }

    static func refused(_ status: ExitStatus, _ reason: String) -> Self {
        Self(url: nil, failure: FailureReply(reason, status: Int(status.rawValue)))
    }

    /// The server of a URL requires a login.
    static func loginRequired(_ url: String) -> Self {
        let failure = FetchFailure.status(401)
        return Self(
            url: nil,
            failure: FailureReply(
                failure.description, hint: "podcastctl subscribe --user NAME \(url)",
                status: Int(failure.exitStatus.rawValue), login: url))
    }
}

/// What the options of `add` say.
struct AddOptions {
    /// Whether arguments may be files.
    var takesFiles = true
    /// Whether feeds are subscribed to rather than only looked at.
    var subscribes = true
    /// The URL of a feed that is given as a file.
    var fileURL: String?
    /// For all addresses without their own.
    var login: TypedLogin?
    var userAgent: String?

    static func isFile(_ word: String) -> Bool {
        !word.contains("://") && (try? FileStatus(path: word))?.isRegular == true
    }
}
