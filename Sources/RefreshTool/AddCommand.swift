internal import CommandLineTool
internal import FeedRefresh
internal import HTTP
internal import JSON
internal import LibraryModel
internal import PodcastModel
internal import SystemCalls

/// The result of one argument of `add`.
enum Addition {
    case added(Feed, [EpisodeID])
    /// A feed that was unsubscribed from and kept.
    case returned(Feed, [EpisodeID])
    case known(Feed)
    case imported(Importer.Totals)
    /// A feed that was only looked at.
    case found(FoundFeed)
    case refused(ExitStatus, String)
    /// The server of this URL requires a login.
    case loginRequired(String)
}

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
        var additions = try run(options).add(words)
        for (index, row) in additions.enumerated() {
            guard case .loginRequired(let url) = row.addition, options.login == nil, options.takesFiles,
                !arguments.isSet(RefreshDeclaration.json), LoginInput.canAsk
            else { continue }
            watchers.clear()
            var again = options
            again.login = try LoginInput.ask(for: url, on: environment.errors)
            additions[index] = try run(again).add([url])[0]
        }
        watchers.finish()
        return try report(
            zip(words, additions).map { (GivenAddress($0).url, $1.addition, $1.note) }, arguments, output)
    }

    private static func userAgent(_ arguments: ParsedArguments) throws(ToolFailure) -> String? {
        guard let text = arguments.text(RefreshDeclaration.userAgent) else { return nil }
        if let objection = FeedSetting.userAgent.objection(to: text) { throw ToolFailure(.usage, objection) }
        return text
    }

    private func report(
        _ additions: [(word: String, addition: Addition, note: String?)], _ arguments: ParsedArguments,
        _ output: ToolOutput
    ) throws(ToolFailure) -> ExitStatus {
        var worst = ExitStatus.success
        var feeds: [JSONValue] = []
        let isQuiet = arguments.isSet(RefreshDeclaration.quiet) || arguments.isSet(RefreshDeclaration.json)
        for (word, addition, note) in additions {
            switch addition {
            case .added(let feed, _):
                feeds.append(Self.json("subscribed", word, feed, note))
                if !isQuiet {
                    try output.line(
                        "Subscribed to \(SafeText.line(feed.title)) (\(feed.id.label), \(Count(feed.episodeCount, "episode")))"
                    )
                    if let note { try output.line("  \(SafeText.line(note))") }
                }
            case .returned(let feed, _):
                feeds.append(Self.json("returned", word, feed, note))
                if !isQuiet {
                    try output.line(
                        "Subscribed to \(SafeText.line(feed.title)) again (\(feed.id.label)): \(Count(feed.episodeCount, "episode")) kept, with "
                            + "positions, stars, notes, settings and queue entries")
                    if let note { try output.line("  \(SafeText.line(note))") }
                }
            case .known(let feed):
                feeds.append(Self.json("already", word, feed, note))
                if !isQuiet {
                    try output.line("Already subscribed to \(SafeText.line(feed.title)) (\(feed.id.label))")
                    if let note { try output.line("  \(SafeText.line(note))") }
                }
            case .imported(let totals):
                feeds.append([
                    "url": .string(word), "outcome": "imported", "added": JSONValue(totals.added),
                    "known": JSONValue(totals.duplicates.count),
                ])
                if !isQuiet, let note = totals.note { try output.line(SafeText.line(note)) }
                if !isQuiet, totals.note == nil {
                    try output.line(
                        "Subscribed to \(Count(totals.added, "feed")) of \(SafeText.line(word)), \(totals.duplicates.count) already "
                            + "subscribed. To fetch them now: podcast-refresh")
                }
            case .found(let feed): feeds.append(feed.json(foundAt: word))
            case .refused(let status, let reason):
                feeds.append([
                    "url": .string(word), "outcome": "failed", "error": .string(reason),
                    "status": .integer(Int64(status.rawValue)),
                ])
                tell("\(word): \(reason)")
                worst = .gravest(worst, status)
            case .loginRequired(let url):
                let (status, reason) = (FetchFailure.status(401).exitStatus, FetchFailure.status(401).description)
                feeds.append([
                    "url": .string(word), "outcome": "failed", "error": .string(reason),
                    "status": .integer(Int64(status.rawValue)), "login": .string(url),
                ])
                tell("\(word): \(reason); podcast-refresh add --user NAME \(url)")
                worst = .gravest(worst, status)
            }
        }
        if arguments.isSet(RefreshDeclaration.json) {
            let document: JSONValue = ["feeds": .array(feeds)]
            try output.line(document.text)
        }
        return worst
    }

    private static func json(_ outcome: String, _ url: String, _ feed: Feed, _ note: String?) -> JSONValue {
        [
            "url": .string(url), "outcome": .string(outcome), "id": .integer(feed.id.rawValue),
            "title": .string(feed.title), "feedURL": .string(feed.url), "episodes": JSONValue(feed.episodeCount),
            "note": JSONValue(note),
        ]
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
