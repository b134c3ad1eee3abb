internal import CommandLineTool
internal import Configuration
internal import ControlProtocol
internal import FeedDocuments
internal import HTTP
internal import Library
internal import PodcastModel
internal import Reporting

/// Fetches the addresses of `add`, and looks for the feed of those that are not feeds.
final class AddRun {
    /// Addresses followed at most: from a link to a page, over http instead of https, to a feed.
    private static let maximumSteps = 4

    /// An argument, and what is known about it.
    private final class Candidate {
        /// The URL without user name and password.
        let url: String
        let login: FeedLogin?
        let hasScheme: Bool
        /// The host that the user named.
        let host: String
        /// The URL to fetch next.
        var next: String
        /// A feed of the library for which a login is given that the server has not accepted yet.
        var untried: Feed?
        /// What the user should know about a feed that was added.
        var notes: [String] = []
        /// Nil while the feed is being looked for.
        var reply: SubscriptionReply?

        init(_ word: String, _ login: TypedLogin?) {
            let address = GivenAddress(SpokenAddress.url(of: word), login)
            url = GivenAddress(word).url
            self.login = address.login
            hasScheme = SpokenAddress.hasScheme(word)
            host = HTTPURL.host(of: address.url) ?? ""
            next = address.url
        }
    }

    private let run: CommandRun
    private let session: LibrarySession
    private let progress: Progress
    private let fetcher: FeedFetcher
    private let refresher: FeedRefresher
    private let resolver: AddressResolver
    private let limits: RefreshPlan.Limits
    private let options: AddOptions
    private var candidates: [Candidate] = []
    private var paged: [FeedReport] = []

    init(
        _ run: CommandRun, _ session: LibrarySession, _ progress: Progress, _ transport: any FeedTransport,
        _ options: AddOptions
    ) throws(ToolFailure) {
        self.run = run
        self.session = session
        self.progress = progress
        self.options = options
        let settings = try run.settings()
        limits = RefreshPlan.Limits(total: settings.jobs)
        fetcher = FeedFetcher(transport: transport, limits: run.environment.limits)
        refresher = FeedRefresher(
            store: session.store.refreshes, fetcher: fetcher, clock: run.clock, activities: run.board)
        resolver = AddressResolver(run: run, transport: transport, directories: settings.directories)
    }

    func add(_ words: [String]) throws(ToolFailure) -> [SubscriptionReply] {
        let activity = run.board.begin(.subscribing, "Loading feed", subject: words.first.map { GivenAddress($0).url })
        defer { activity.end() }
        candidates = try words.map(candidate)
        for _ in 0..<Self.maximumSteps where candidates.contains(where: { $0.reply == nil }) { try step(activity) }
        try followPages()
        return try candidates.map { (candidate) throws(ToolFailure) in
            var reply =
                candidate.reply
                ?? .refused(.badData, "no feed found, because the page links only to other pages")
            reply.url = candidate.url
            guard let feed = reply.feed?.feed else { return reply }
            let notes = candidate.notes + [try unplayable(feed)].compactMap(\.self)
            reply.note = notes.joinedText("; ").nonEmpty
            return reply
        }
    }

    private func candidate(_ word: String) throws(ToolFailure) -> Candidate {
        let candidate = Candidate(word, options.login)
        if options.takesFiles, AddOptions.isFile(word) {
            let reading = try ImportReading(try InputFile(word), as: nil, copyingTo: session.folder.path)
            candidate.reply = .imported(try run.importAll(of: reading, url: options.fileURL, session))
        } else if options.takesFiles, FilePath.isMissing(word) {
            candidate.reply = .refused(.noInput, "no such file")
        }
        return candidate
    }

    /// How many of a feed's newest episodes cannot be played; nil if all may be playable.
    private func unplayable(_ feed: Feed) throws(ToolFailure) -> String? {
        let newest = try session.perform { store in
            try store.episodes.page(EpisodeFilter(feed: feed.id), order: .newestFirst, at: .first, limit: 100).episodes
        }
        return UnplayableMedia.summary(newest.map { ($0.enclosure.type, $0.enclosure.url) })
    }

    /// Fetches the older episodes of the new feeds. Pages that fail are fetched again by the next refreshes.
    private func followPages() throws(ToolFailure) {
        if paged.isEmpty { return }
        // A name and a password of an address are valid for its older pages, too.
        let refresher = FeedRefresher(
            store: session.store.refreshes, fetcher: fetcher, clock: run.clock, activities: run.board, limits: limits,
            access: try session.withCurrentLogins().access)
        try session.perform { store in
            try refresher.followPages(of: paged, tick: progress.tick) { progress.add($0) }
            for candidate in candidates where candidate.reply?.isNew == true {
                guard let feed = candidate.reply?.feed?.feed.id else { continue }
                candidate.reply?.feed = FeedReply(try store.feeds.feed(feed), key: feed.description)
            }
        }
    }

    /// Fetches the next URL of each candidate without a reply.
    private func step(_ activity: ActivityHandle) throws(ToolFailure) {
        var fetched: [Candidate] = []
        for candidate in candidates where candidate.reply == nil {
            let url = candidate.next
            if let link = AppleLink(url) {
                try resolve(candidate, resolver.meaning(of: link))
            } else if let feed = try session.feed(at: url), !(options.subscribes && feed.isDoubtful(at: url)) {
                if options.subscribes, candidate.login != nil {
                    candidate.untried = feed
                    fetched.append(candidate)
                } else {
                    candidate.reply = try change(feed, candidate)
                }
            } else {
                fetched.append(candidate)
            }
        }
        var pages: [(candidate: Candidate, type: DocumentType)] = []
        let pausedHosts = try session.result(of: refresher.pausedHosts())
        try fetcher.fetchAll(
            fetched.map(request), limits: limits, pausedHosts: pausedHosts, clock: run.clock,
            tick: { () throws(ToolFailure) in progress.tick() }
        ) { (place: Int, result: FeedFetchResult) throws(ToolFailure) in
            let candidate = fetched[place]
            if let feed = candidate.untried {
                candidate.reply =
                    if let refusal = refusal(result, candidate) { refusal } else { try change(feed, candidate) }
            } else if case .failed(.notAFeed(let type)) = result.outcome {
                pages.append((candidate, type))
            } else if let plain = plainURL(candidate, result) {
                let url = candidate.next
                candidate.next = plain
                candidate.notes.append("\(HTTPURL.host(of: url) ?? url) has no https; subscribed over http")
            } else {
                let reply = try subscribe(candidate, result)
                if reply.isNew == true { activity.update(subject: reply.feed?.feed.title) }
                candidate.reply = reply
            }
        }
        for (candidate, type) in pages {
            try resolve(candidate, resolver.meaning(ofDocumentAt: candidate.next, whichIs: type))
        }
    }

    /// The URL with http, if the user wrote no scheme and the host does not offer https; never with a login, which would
    /// then be readable on the network.
    private func plainURL(_ candidate: Candidate, _ result: FeedFetchResult) -> String? {
        guard !candidate.hasScheme, candidate.login == nil, WebAddress.hasScheme("https", candidate.next),
            case .failed(.transfer(let kind, _)) = result.outcome,
            [.connect, .tls, .certificate].contains(kind)
        else { return nil }
        return "http" + candidate.next.dropFirst("https".count)
    }

    /// The request for an address of the user, or one that it leads to: only the user's may be on a private host.
    private func request(_ candidate: Candidate) -> FeedRequest {
        var request = FeedRequest(url: candidate.next)
        request.access = session.access(toURL: candidate.next)
        request.access.namedHosts = [candidate.host]
        request.access.userAgent =
            options.userAgent ?? candidate.untried.flatMap { session.access(toURLsOf: $0.id).userAgent }
        if let login = candidate.login { request.access.login = login.requestLogin }
        return request
    }

    /// Follows a candidate's URL that is not a feed.
    private func resolve(
        _ candidate: Candidate, _ answer: @autoclosure () throws(ToolFailure) -> AddressResolver.Meaning
    ) throws(ToolFailure) {
        let meaning: AddressResolver.Meaning
        do throws(ToolFailure) {
            meaning = try answer()
        } catch {
            candidate.reply = .refused(error.status, error.message)
            return
        }
        switch meaning {
        case .feed(let url, let others):
            if others > 0 { run.tell("chose \(url), the best of \(others + 1) feeds of the page") }
            candidate.next = url
        case .several(let feeds):
            let list = feeds.map { feed in feed.title.map { "\(feed.url) (\($0))" } ?? feed.url }
            candidate.reply = .refused(
                .badData, "web page with links to several feeds; choose one of: \(list.joinedText(", "))")
        case .list where !options.subscribes:
            candidate.reply = .refused(
                .badData, "a list of feeds; to subscribe to them: podcastctl subscribe URL")
        case .list(let document):
            let activity = run.board.begin(.subscribing, "Importing feeds", subject: nil)
            defer { activity.end() }
            let importer = Importer(session, run.clock, progress, activity)
            let title = candidate.url
            candidate.reply = .imported(
                try session.store.history.act(.imported, title: title) { () throws(ToolFailure) in
                    for feed in document.subscriptions where !importer.add(.feed(PortableFeed(feed))) { break }
                    return try importer.finish()
                })
        case .nothing(let reason): candidate.reply = .refused(.badData, reason)
        }
    }

    /// Stores the given login and user agent of a feed that is subscribed already.
    private func change(_ feed: Feed, _ candidate: Candidate) throws(ToolFailure) -> SubscriptionReply {
        guard options.subscribes else { return .subscribed(feed, isNew: false) }
        var changes: [String] = []
        if var login = candidate.login, HTTPURL.host(of: login.feed) == HTTPURL.host(of: feed.url) {
            let former = session.login(ofFeedAt: [feed.url] + feed.formerURLs)
            if former?.username != login.username || former?.password != login.password {
                login.feed = feed.url
                try session.saveLogin(login)
                changes.append("login changed")
            }
        }
        let userAgent = options.userAgent
        try session.perform { store in
            if !changes.isEmpty { try store.history.recordLoginAct("login", of: feed) }
            let setting = FeedSetting.userAgent.rawValue
            if let userAgent, try store.feeds.settings(of: feed.id)[setting] != userAgent {
                try store.feeds.setSetting(setting, to: userAgent, of: feed.id)
                changes.append("user agent changed")
            }
        }
        candidate.notes += changes
        return .subscribed(feed, isNew: false)
    }

    /// The reason why a server's answer has no feed; nil if the answer has a feed.
    private func refusal(_ result: FeedFetchResult, _ candidate: Candidate) -> SubscriptionReply? {
        switch result.failure {
        case nil: nil
        case .status(401)?: .loginRequired(candidate.next)
        case .loginRejected?: .refused(FetchFailure.loginRejected.exitStatus, "login rejected (HTTP 401)")
        case let failure?: .refused(failure.exitStatus, failure.description)
        }
    }

    private func subscribe(
        _ candidate: Candidate, _ fetched: FeedFetchResult
    ) throws(ToolFailure) -> SubscriptionReply {
        if let refusal = refusal(fetched, candidate) { return refusal }
        guard case .document(let document) = fetched.outcome else {
            return .refused(.software, "not a feed")
        }
        if !document.contents.items.isEmpty, !document.isPodcast {
            return .refused(.badData, "not a podcast: no item of the feed has audio or video")
        }
        if document.isTruncated { candidate.notes.append(RefreshReportWriter.truncation) }
        // If the address has moved permanently, subscribe to the new one.
        let url = candidate.next
        let home = fetched.permanentURL(from: url) ?? url
        if !options.subscribes {
            return try session.feed(at: home).map { .subscribed($0, isNew: false) } ?? .found(document, url: home)
        }
        let channel = document.contents.channel
        var known = try session.feed(at: home)
        if known == nil, let move = FeedMove(announced: channel.newFeedURL, from: home),
            let feed = try session.feed(at: move.url), feed.hasTitle(channel.title)
        {
            known = feed
        }
        let isDistinct = known.map { $0.isAnswered && $0.isDoubtful(at: home) && !$0.hasTitle(channel.title) } ?? false
        if isDistinct { known = nil }
        if let known, known.isAnswered {
            if HTTPURL.normalForm(known.url) != HTTPURL.normalForm(url) {
                candidate.notes.append(
                    "\(redactingAddresses(in: url)) moved to \(redactingAddresses(in: known.url))")
            }
            return try change(known, candidate)
        }
        if var login = candidate.login, HTTPURL.host(of: login.feed) == HTTPURL.host(of: home) {
            login.feed = home
            try session.saveLogin(login)
        }
        return try session.perform { store in
            let isReturned = try store.feeds.isKeptAside(url: home)
            let id =
                if let known { known.id } else {
                    try store.feeds.addFeed(
                        url: home, title: channel.title, isDistinct: isDistinct, at: run.clock.wallTime)
                }
            if let userAgent = options.userAgent {
                try store.feeds.setSetting(FeedSetting.userAgent.rawValue, to: userAgent, of: id)
            }
            let target = RefreshTarget(id: id, url: known?.url ?? home, title: channel.title ?? home)
            let report = try refresher.store(fetched, of: target)
            if let report, report.pages != nil { paged.append(report) }
            progress.add(.added(id, episodes: report?.addedEpisodes ?? []))
            return .subscribed(try store.feeds.feed(id), isNew: known == nil, isReturned: isReturned)
        }
    }
}

extension FeedReport {
    var addedEpisodes: [EpisodeID] { if case .merged(let merge) = outcome { merge.added } else { [] } }
}

extension Feed {
    /// Whether only its document can tell if an address is that of the feed: the feed was never fetched, or the scheme differs.
    fileprivate func isDoubtful(at url: String) -> Bool {
        let isSecure = WebAddress.hasScheme("https", url)
        return !isAnswered || !(formerURLs + [self.url]).contains { WebAddress.hasScheme("https", $0) == isSecure }
    }

    fileprivate var isAnswered: Bool { health.lastSuccess != nil }
}
