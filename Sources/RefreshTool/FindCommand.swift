internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import FeedDocuments
internal import JSON
internal import Reporting

extension RefreshCommands {
    private static let shownUnlessAsked: Int64 = 20
    private static let askedOfEach = 50

    /// `podcast-refresh find NAME…`. Searches directories; stores nothing.
    func find(_ arguments: ParsedArguments, _ output: ToolOutput) throws(ToolFailure) -> ExitStatus {
        let words = arguments.texts(RefreshDeclaration.name).joined(separator: " ")
        let settings = try readSettings(arguments)
        let directories = settings.directories
        var failures: [(directory: Directory, reason: String)] = []
        if let file = directories.badKeyFile, directories.isOn(.podcastIndex) {
            failures.append(
                (.podcastIndex, "not searched, because \(file) must contain API key and secret, separated by a space"))
        }
        guard !directories.usable.isEmpty else {
            throw ToolFailure(
                .configuration, "all directories are disabled", hint: "see directories.* in podcastd.conf(5)")
        }
        let board = makeBoard()
        let watchers = Watchers(environment, board: board, arguments, settings)
        let activity = board.begin(.loading, "Searching directories", subject: words)
        let search = DirectorySearch(directories.usable)
        let outcomes = search.run(
            words, limit: Self.askedOfEach, over: try makeTransport(settings), directories, clock: environment.clock,
            tick: watchers.tick)
        activity.end()
        watchers.finish()
        var found = FoundShows(words: words)
        var isAnswered = false
        for (directory, outcome) in outcomes {
            switch outcome {
            case .shows(let shows):
                isAnswered = true
                found.add(shows)
            case .failed(let reason): failures.append((directory, reason))
            }
        }
        let limit = arguments.integer(RefreshDeclaration.limit) ?? Self.shownUnlessAsked
        let shows = found.best(Int(limit))
        if arguments.isSet(RefreshDeclaration.json) {
            let failed = failures.map { FailureReply("\($0.directory.title): \($0.reason)") }
            try output.line(FoundShowsReply(shows.map { FoundShowReply($0) }, failed: failed).json.text)
        } else {
            for (directory, reason) in failures { tell("\(directory.title): \(reason)") }
            try list(shows, words, output)
        }
        return isAnswered ? .success : .tryAgain
    }

    private func list(_ shows: [FoundShow], _ words: String, _ output: ToolOutput) throws(ToolFailure) {
        if shows.isEmpty { return tell("no podcast matches '\(words)'") }
        let layout = ColumnLayout([
            .init("#", .right), .init("TITLE", minimum: 16), .init("AUTHOR", minimum: 8), .init("FEED"),
        ])
        let rows = shows.enumerated().map { ["\($0 + 1)", $1.title, $1.author ?? "", $1.url] }
        for line in layout.lines(rows, width: environment.errorTerminal.width) { try output.line(line) }
    }
}

extension FoundShowReply {
    fileprivate init(_ show: FoundShow) {
        self.init()
        (url, title, author, link) = (show.url, show.title, show.author, show.link)
        directories = show.directories.map(\.title)
    }
}
