internal import HTTP
internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import FeedDocuments
internal import JSON
internal import PodcastModel
internal import Reporting

extension CommandRun {
    private static let shownByDefault: Int64 = 20
    private static let requestedOfEach = 50
    private static let answerBytes = 4 << 20
    /// Directories without an answer by then are skipped.
    private static let searchTimeout = Duration.seconds(20)

    /// `podcast-refresh find NAME…`. Searches directories; stores nothing.
    func find() throws(ToolFailure) -> ExitStatus {
        let words = arguments.texts(RefreshDeclaration.name).joined(separator: " ")
        let settings = try settings().directories
        var failures: [(directory: Directory, reason: String)] = []
        if let file = settings.badKeyFile, settings.isOn(.podcastIndex) {
            failures.append(
                (.podcastIndex, "not searched, because \(file) must contain API key and secret, separated by a space"))
        }
        guard !settings.usable.isEmpty else {
            throw ToolFailure(
                .configuration, "all directories are disabled", hint: "see directories.* in podcastd.conf(5)")
        }
        let progress = try progress()
        let activity = board.begin(.loading, "Searching directories", subject: words)
        let searches = search(words, settings, over: try makeTransport(), tick: progress.tick)
        activity.end()
        progress.finish()
        var found = FoundShows(words: words)
        var isAnswered = false
        for search in searches {
            guard let shows = search.shows else {
                failures.append((search.directory, search.failure))
                continue
            }
            isAnswered = true
            found.add(shows)
        }
        let shows = found.best(Int(arguments.integer(RefreshDeclaration.limit) ?? Self.shownByDefault))
        if isJSON {
            let failed = failures.map { FailureReply("\($0.directory.title): \($0.reason)") }
            output.line(
                FoundShowsReply {
                    $0.shows = shows
                    $0.failed = failed
                }.json.text)
        } else {
            for (directory, reason) in failures { tell("\(directory.title): \(reason)") }
            if shows.isEmpty { tell("no podcast matches '\(words)'") } else { try list(shows) }
        }
        return isAnswered ? .success : .tryAgain
    }

    private func list(_ shows: [FoundShow]) throws(ToolFailure) {
        let layout = ColumnLayout([
            .init("#", .right), .init("TITLE", minimum: 16), .init("AUTHOR", minimum: 8), .init("FEED"),
        ])
        let rows = shows.enumerated().map { ["\($0 + 1)", $1.title, $1.author ?? "", $1.url] }
        for line in layout.lines(rows, width: environment.errorTerminal.width) { output.line(line) }
    }

    /// Searches the usable directories in parallel.
    private func search(
        _ words: String, _ settings: DirectorySettings, over transport: any FeedTransport, tick: () -> Void
    ) -> [DirectorySearch] {
        let searches = settings.usable.map { DirectorySearch($0) }
        let transfers = searches.map { search in
            let directory = search.directory
            var request = FeedRequest(
                url: directory.search(for: words, at: settings.address(of: directory), limit: Self.requestedOfEach))
            if directory == .podcastIndex, let key = settings.key {
                request.fields = key.fields(at: clock.wallTime.seconds)
            }
            return transport.add(request.http, delegate: search.download)
        }
        let end = clock.now + Self.searchTimeout
        while searches.contains(where: { $0.download.result == nil }), clock.now < end,
            (try? transport.poll(timeout: min(end - clock.now, .milliseconds(250)))) != nil
        {
            tick()
        }
        for transfer in transfers { transfer.cancel() }
        return searches
    }

    private final class DirectorySearch {
        let directory: Directory
        private var body: [UInt8] = []
        private(set) lazy var download = Download { _ in
            { bytes in
                self.body.append(contentsOf: bytes.prefix(CommandRun.answerBytes - self.body.count))
                return true
            }
        }

        init(_ directory: Directory) { self.directory = directory }

        /// Nil unless the directory answered with a list of podcasts.
        var shows: [FoundShow]? {
            guard case .success = download.result else { return nil }
            return body.withUnsafeBytes { try? JSONValue(parsing: $0) }.flatMap(directory.shows)
        }

        /// Why there are no shows.
        var failure: String {
            switch download.result {
            case nil: "no answer within \(searchTimeout.components.seconds) seconds"
            case .failure(let failure): failure.description
            case .success: "the answer is not a list of podcasts"
            }
        }
    }
}
