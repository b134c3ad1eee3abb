internal import CommandLineTool
internal import FeedDocuments
internal import FeedFiles
internal import FeedRefresh
internal import HTTP
internal import JSON
internal import LibraryModel
internal import PodcastModel

extension RefreshCommands {
    private static let shownTries = 8
    private static let shownDecisions = 20

    /// `podcast-refresh explain FEED|URL`: what the library knows of the feed, and what a fetch brings now. The fetch is
    /// unconditional and stores nothing.
    func explain(_ arguments: ParsedArguments, _ output: ToolOutput) throws(ToolFailure) -> ExitStatus {
        let word = arguments.text(RefreshDeclaration.feedOrURL) ?? ""
        let settings = try readSettings(arguments)
        let session = try LibrarySession(settings.folder, variable: environment.variable)
        var known: ExplainedFeed?
        do throws(LibraryError) {
            let feed = try session.store.feeds.resolveFeed(word)
            let target = try session.store.refreshes.refreshTargets([feed.id]).first
            known = ExplainedFeed(
                feed: feed, target: target,
                log: try session.store.refreshes.refreshLog(feed.id, limit: Self.shownTries),
                decisions: try session.store.identity.identityDecisions(of: feed.id, limit: Self.shownDecisions),
                loginHosts: target.flatMap(session.login)?.hosts,
                isOff: try session.store.feeds.settings(of: feed.id)[FeedSetting.refresh.rawValue]
                    == RefreshInterval.off.stored, now: environment.clock.wallTime)
        } catch {
            guard case .notFound = error, case .url = DocumentSource(word) else {
                throw session.failure(error)
            }
        }
        let address = GivenAddress(word)
        let url = known?.feed.url ?? address.url
        var request = FeedRequest(url: url)
        request.access = known?.target.map(session.access) ?? session.access(toURL: url)
        if let login = address.login { request.access.login = login.requestLogin }
        let result = try makeFetcher(settings).fetch(request)
        let identity = try IdentityExplanation(of: result, known?.feed, session)
        let pages = PageExplanation(of: result, known, identity?.preview)
        if arguments.isSet(RefreshDeclaration.json) {
            let document = JSONValue.object(
                [.init("url", .string(url)), .init("fetch", Self.json(result, from: url))]
                    + (identity.map { [.init("identity", $0.json)] } ?? [])
                    + (pages.map { [.init("pages", $0.json)] } ?? [])
                    + (known.map { [.init("library", Self.json($0))] } ?? []))
            try output.line(document.text)
        } else {
            if let known { try tell(known, output) }
            try tell(result, from: url, output)
            if let pages { try output.line("  " + SafeText.line(pages.line)) }
            for line in identity?.lines ?? [] { try output.line(SafeText.line(line)) }
        }
        guard case .failed(let failure) = result.outcome else { return .success }
        return failure.exitStatus
    }
}
