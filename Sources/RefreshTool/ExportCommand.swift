internal import CommandLineTool
internal import Configuration
internal import ControlLanguage
internal import ControlProtocol
internal import FeedDocuments
internal import HTTP
internal import JSON
internal import Library
internal import PodcastModel
internal import SystemCalls

extension CommandRun {
    /// Episodes that are read at a time.
    private static let episodesPerPage = 500

    /// `podcast-refresh export [--state [--history]]`.
    func exportFeeds() throws(ToolFailure) -> ExitStatus {
        if arguments.isSet(RefreshDeclaration.history), !arguments.isSet(RefreshDeclaration.state) {
            throw ToolFailure(.usage, "--history is only for export --state")
        }
        let session = try openLibrary(mayCreate: false)
        let hidesCredentials = !arguments.isSet(RefreshDeclaration.withCredentials)
        if arguments.isSet(RefreshDeclaration.state) {
            try exportState(session, hidesCredentials)
        } else {
            let feeds = try session.result(of: session.store.feeds.feeds())
            let document = OPMLDocument(
                title: "podcastd subscriptions",
                subscriptions: feeds.map { feed in
                    var subscription = Subscription(
                        url: shown([feed.url] + feed.formerURLs, hidesCredentials, session), title: feed.title,
                        htmlURL: feed.link)
                    subscription.setTags(feed.tags)
                    return subscription
                })
            output.write(OPMLWriter.text(of: document))
        }
        return .success
    }

    /// Writes the whole state, a page of episodes at a time; docs/STATE.md describes it.
    private func exportState(_ session: LibrarySession, _ hidesCredentials: Bool) throws(ToolFailure) {
        let player = player(session.folder)
        let volume = player?["volume"]?.integerValue.map { [ClientSetting(.volume, "\($0)")] }
        var writer = StateWriter(try settings().ofClients + (volume ?? []))
        for output in [OutputSetup](json: player?["outputs"] ?? .null) { writer.write(.output(output.json)) }
        for var feed in try session.result(of: session.store.imports.exportedFeeds()) {
            feed.url = shown([feed.url] + feed.formerURLs, hidesCredentials, session)
            feed.formerURLs = feed.formerURLs.map { shown($0, hidesCredentials) }
            writer.write(.feed(feed))
        }
        let policies = try session.result(
            of: session.store.imports.exportedPolicies { shown($0, hidesCredentials) })
        for policy in policies { writer.write(.policy(policy)) }
        for var day in try session.result(of: session.store.listening.heard(since: nil, byDay: true)) {
            day.url = day.url.map { shown($0, hidesCredentials) }
            writer.write(.listening(day))
        }
        let history = arguments.isSet(RefreshDeclaration.history)
        var keys = try session.result(of: session.store.imports.exportedKeys(history: history))[...]
        while !keys.isEmpty {
            output.write(contentsOf: writer.take())
            let page = keys.prefix(Self.episodesPerPage)
            keys = keys.dropFirst(page.count)
            for var episode in try session.result(
                of: session.store.imports.exportedEpisodes(page, history: history))
            {
                episode.feed = episode.feed.map { shown($0, hidesCredentials) }
                writer.write(.episode(episode))
            }
        }
        writer.end()
        output.write(contentsOf: writer.take())
    }

    /// What the daemon keeps for its next start, `PlayerSession`. Volume and outputs of it are exported.
    private func player(_ folder: DataFolder) -> JSONValue? {
        guard let bytes = try? StoredFile.contents(of: folder.session, limit: 1 << 16) else { return nil }
        return bytes.withUnsafeBytes { try? JSONValue(parsing: $0) }
    }

    /// A feed's address, the first of those given; with its login if credentials are wanted.
    private func shown(_ urls: [String], _ hidesCredentials: Bool, _ session: LibrarySession) -> String {
        guard !hidesCredentials, let login = session.login(ofFeedAt: urls), !login.username.isEmpty else {
            return shown(urls[0], hidesCredentials)
        }
        return HTTPURL.adding(.init(username: login.username, password: login.password), to: urls[0])
    }

    /// An address as it may leave the library.
    private func shown(_ url: String, _ hidesCredentials: Bool) -> String {
        hidesCredentials ? HTTPURL.withoutCredentials(url) : url
    }
}
