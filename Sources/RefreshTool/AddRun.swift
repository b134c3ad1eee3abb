internal import CommandLineTool
internal import ControlProtocol
internal import Configuration
internal import FeedDocuments
internal import FeedFiles
internal import FeedRefresh
internal import HTTP
internal import LibraryModel
internal import PodcastModel
internal import Reporting

/// One run of `add`: fetches the addresses, and looks for the feed of those that are not feeds.
final class AddRun {
    /// Addresses followed at most: from a link to a page, over http instead of https, to a feed.
    private static let maximumSteps = 4

    private let commands: RefreshCommands
    private let session: LibrarySession
    private let settings: RefreshSettings
    private let board: ActivityBoard
    private let watchers: Watchers
    private let fetcher: FeedFetcher
    private let refresher: FeedRefresher
    private let resolver: AddressResolver
    private let options: AddOptions
    private var replies: [Int: SubscriptionReply] = [:]
    /// Feeds with older pages.
    private var paged: [FeedReport] = []
    /// The addresses and logins of the arguments.
    private var given: [Int: GivenAddress] = [:]
    /// Arguments without a scheme.
    private var bare: Set<Int> = []
    /// What the user should know about a feed that was added.
    private var notes: [Int: String] = [:]
    /// Feeds of the library for which a login is given that the server has not accepted yet.
    private var untried: [Int: Feed] = [:]

    init(
        commands: RefreshCommands, session: LibrarySession, settings: RefreshSettings, board: ActivityBoard,
        watchers: Watchers, transport: any FeedTransport, options: AddOptions
    ) {
        self.commands = commands
        self.session = session
        self.settings = settings
        self.board = board
        self.watchers = watchers
        self.options = options
        fetcher = FeedFetcher(transport: transport, limits: commands.environment.limits)
        refresher = FeedRefresher(
            store: session.store.refreshes, fetcher: fetcher, clock: commands.environment.clock, activities: board)
        resolver = AddressResolver(transport: transport, directories: settings.directories)
    }

    private var clock: any RefreshClock { commands.environment.clock }

    func add(_ words: [String]) throws(ToolFailure) -> [SubscriptionReply] {
        let activity = board.begin(.subscribing, "Loading feed", subject: words.first.map { GivenAddress($0).url })
        defer { activity.end() }
        var wanted: [(index: Int, url: String)] = []
        for (index, word) in words.enumerated() {
            if options.takesFiles, AddOptions.isFile(word) {
                replies[index] = .imported(try importFile(word))
            } else if options.takesFiles, FilePath.isMissing(word) {
                replies[index] = .refused(.noInput, "no such file")
            } else {
                let address = GivenAddress(SpokenAddress.url(of: word), options.login)
                given[index] = address
                if !word.contains("://") { bare.insert(index) }
                wanted.append((index, address.url))
            }
        }
        for _ in 0..<Self.maximumSteps where !wanted.isEmpty { wanted = try step(wanted, activity) }
        for (index, _) in wanted {
            replies[index] = .refused(.badData, "no feed found, because the page links only to other pages")
        }
        try followPages()
        return try words.indices.map { (index) throws(ToolFailure) in
            var reply = replies[index] ?? .refused(.software, "was not checked")
            reply.url = GivenAddress(words[index]).url
            guard let feed = reply.feed?.feed else { return reply }
            let notes = [notes[index], try unplayable(feed)].compactMap(\.self)
            reply.note = notes.isEmpty ? nil : notes.joined(separator: "; ")
            return reply
        }
    }

    /// How many of a feed's newest episodes cannot be played; nil if all may be playable.
    private func unplayable(_ feed: Feed) throws(ToolFailure) -> String? {
        let newest = try session.perform { (store) throws(LibraryError) in
            try store.episodes.page(EpisodeFilter(feed: feed.id), order: .newestFirst, at: .first, limit: 100).episodes
        }
        return UnplayableMedia.summary(newest.map { ($0.enclosure.type, $0.enclosure.url) })
    }

    /// Fetches the older episodes of what was subscribed to. What fails is tried again by the next refreshes.
    private func followPages() throws(ToolFailure) {
        if paged.isEmpty { return }
        // A name and a password that stood in an address hold for its older pages, too.
        let refresher = FeedRefresher(
            store: session.store.refreshes, fetcher: fetcher, clock: clock, activities: board,
            limits: .init(total: settings.jobs), access: try session.withLoginsOfNow().access)
        try session.perform { (store) throws(LibraryError) in
            try refresher.followPages(of: paged, tick: watchers.tick) { watchers.note($0) }
            for (index, reply) in replies where reply.isNew == true {
                guard let feed = reply.feed?.feed.id else { continue }
                replies[index]?.feed = FeedReply(try store.feeds.feed(feed), key: feed.description)
            }
        }
    }

    /// Fetches addresses; those that lead to other ones come back with these.
    private func step(
        _ wanted: [(index: Int, url: String)], _ activity: ActivityHandle
    ) throws(ToolFailure) -> [(index: Int, url: String)] {
        var next: [(index: Int, url: String)] = []
        var fetched: [(index: Int, url: String)] = []
        for (index, url) in wanted {
            if let link = AppleLink(url) {
                if let feed = try lookUp(index, { () throws(ToolFailure) in try resolver.meaning(of: link) }) {
                    next.append((index, feed))
                }
            } else if let feed = try session.perform({ (store) throws(LibraryError) in try store.feeds.feed(url: url) })
            {
                if options.subscribes, given[index]?.login != nil {
                    untried[index] = feed
                    fetched.append((index, url))
                } else {
                    replies[index] = try change(feed, index)
                }
            } else {
                fetched.append((index, url))
            }
        }
        var pages: [(index: Int, url: String, reason: String)] = []
        let pausedHosts = try session.perform { (_) throws(LibraryError) in try refresher.pausedHosts() }
        try fetcher.fetchAll(
            fetched.map { request($0.url, for: $0.index) }, limits: .init(total: settings.jobs),
            pausedHosts: pausedHosts,
            clock: clock,
            tick: { () throws(ToolFailure) in watchers.tick() }
        ) { (place: Int, result: FeedFetcher.PlannedResult) throws(ToolFailure) in
            let (index, url) = fetched[place]
            if let feed = untried[index] {
                replies[index] =
                    if let refusal = refusal(result, url, index) { refusal } else { try change(feed, index) }
            } else if case .fetched(let fetch) = result, case .failed(.notAFeed(let reason)) = fetch.outcome {
                pages.append((index, url, reason))
            } else if let plain = plainURL(insteadOf: url, result, index) {
                next.append((index, plain))
                notes[index] = "\(HTTPURL.host(of: url) ?? url) has no https; subscribed over http"
            } else {
                let reply = try subscribe(url, result, given[index]?.login, index)
                if reply.isNew == true { activity.update(subject: reply.feed?.feed.title) }
                replies[index] = reply
            }
        }
        for (index, url, reason) in pages {
            let feed = try lookUp(index) { () throws(ToolFailure) in
                try resolver.meaning(ofDocumentAt: url, whichIs: reason)
            }
            if let feed { next.append((index, feed)) }
        }
        return next
    }

    /// The address with http, if the user wrote no scheme and the host does not offer https; never with a login, which would
    /// then be readable on the network.
    private func plainURL(insteadOf url: String, _ result: FeedFetcher.PlannedResult, _ index: Int) -> String? {
        guard bare.contains(index), given[index]?.login == nil, WebAddress.hasScheme("https", url),
            case .fetched(let fetch) = result, case .failed(let failure) = fetch.outcome
        else { return nil }
        switch failure {
        case .unreachable, .insecure: return "http" + url.dropFirst("https".count)
        default: return nil
        }
    }

    /// The request for an address of the user, or one that it leads to: only the user's may be on a private host.
    private func request(_ url: String, for index: Int) -> FeedRequest {
        var request = FeedRequest(url: url)
        request.access = session.access(toURL: url)
        request.access.namedHosts = [HTTPURL.host(of: given[index]?.url ?? "") ?? ""]
        request.access.userAgent =
            options.userAgent ?? untried[index].flatMap { session.access(toWhatIsNamedBy: $0.id).userAgent }
        if let login = given[index]?.login { request.access.login = login.requestLogin }
        return request
    }

    /// Finds the feed of an address; nil if the result is known already.
    private func lookUp(
        _ index: Int, _ ask: () throws(ToolFailure) -> AddressResolver.Meaning
    ) throws(ToolFailure) -> String? {
        let meaning: AddressResolver.Meaning
        do throws(ToolFailure) {
            meaning = try ask()
        } catch {
            replies[index] = .refused(error.status, error.message)
            return nil
        }
        switch meaning {
        case .feed(let url, let others):
            if others > 0 { commands.tell("chose \(url), the best of \(others + 1) feeds of the page") }
            return url
        case .several(let feeds):
            let list = feeds.map { feed in feed.title.map { "\(feed.url) (\($0))" } ?? feed.url }
            replies[index] = .refused(
                .badData, "web page with links to several feeds; choose one of: \(list.joined(separator: ", "))")
        case .list where !options.subscribes:
            replies[index] = .refused(.badData, "a list of feeds; to subscribe to them: podcastctl subscribe URL")
        case .list(let document):
            let importer = makeImporter()
            for subscription in document.subscriptions {
                if !importer.importer.take(.feed(PortableFeed(subscription))) { break }
            }
            replies[index] = .imported(try importer.importer.finish())
            importer.activity.end()
        case .nothing(let reason): replies[index] = .refused(.badData, reason)
        }
        return nil
    }

    private func makeImporter() -> (importer: Importer, activity: ActivityHandle) {
        let activity = board.begin(.subscribing, "Importing feeds", subject: nil)
        return (Importer(session, clock, watchers, activity), activity)
    }

    private func importFile(_ path: String) throws(ToolFailure) -> Importer.Totals {
        let reading = try ImportReading(try ImportInput(path), as: nil, copyingTo: settings.folder.path)
        return try commands.importAll(of: reading, url: options.fileURL, session, settings, board, watchers)
    }

    /// Stores the login and the user agent that are given for a feed that is subscribed already.
    private func change(_ feed: Feed, _ index: Int) throws(ToolFailure) -> SubscriptionReply {
        guard options.subscribes else { return .subscribed(feed, isNew: false) }
        var changes: [String] = []
        if var login = given[index]?.login, HTTPURL.host(of: login.feed) == HTTPURL.host(of: feed.url) {
            let former = session.login(ofFeedAt: [feed.url] + feed.formerURLs)
            if former?.username != login.username || former?.password != login.password {
                login.feed = feed.url
                try session.keep(login)
                changes.append("login changed")
            }
        }
        let userAgent = options.userAgent
        try session.perform { (store) throws(LibraryError) in
            if !changes.isEmpty { try store.history.recordLoginAct("login", of: feed) }
            let setting = FeedSetting.userAgent.rawValue
            if let userAgent, try store.feeds.settings(of: feed.id)[setting] != userAgent {
                try store.feeds.setSetting(setting, to: userAgent, of: feed.id)
                changes.append("user agent changed")
            }
        }
        if !changes.isEmpty { notes[index] = ([notes[index]].compactMap(\.self) + changes).joined(separator: "; ") }
        return .subscribed(feed, isNew: false)
    }

    /// The reason why a server's answer has no feed; nil if the answer has a feed.
    private func refusal(_ result: FeedFetcher.PlannedResult, _ url: String, _ index: Int) -> SubscriptionReply? {
        guard case .fetched(let fetched) = result else {
            return .refused(.tryAgain, "its host accepts no requests now")
        }
        switch fetched.outcome {
        case .document: return nil
        case .failed(.status(401)): return .loginRequired(url)
        case .failed(.loginRejected):
            return .refused(FetchFailure.loginRejected.exitStatus, "login rejected (HTTP 401)")
        case .failed(let failure): return .refused(failure.exitStatus, failure.description)
        case .notModified, .sameBody:
            return .refused(.tryAgain, "the server answered 'not modified' to an unconditional request")
        }
    }

    private func subscribe(
        _ url: String, _ result: FeedFetcher.PlannedResult, _ login: FeedLogin?, _ index: Int
    ) throws(ToolFailure) -> SubscriptionReply {
        if let refusal = refusal(result, url, index) { return refusal }
        guard case .fetched(let fetched) = result, case .document(let document) = fetched.outcome else {
            return .refused(.software, "not a feed")
        }
        if !document.contents.items.isEmpty, !document.isPodcast {
            return .refused(.badData, "not a podcast: no item of the feed has audio or video")
        }
        if document.isTruncated {
            notes[index] = RefreshReportWriter.truncation
        }
        // If the address has moved permanently, subscribe to the new one.
        let home = fetched.permanentURL(from: url) ?? url
        if !options.subscribes {
            let known = try session.perform { (store) throws(LibraryError) in try store.feeds.feed(url: home) }
            return known.map { .subscribed($0, isNew: false) } ?? .found(document, url: home)
        }
        let channel = document.contents.channel
        let known = try session.perform { (store) throws(LibraryError) -> Feed? in
            if let feed = try store.feeds.feed(url: home) { return feed }
            guard let move = FeedMove(announced: channel.newFeedURL, from: home),
                let feed = try store.feeds.feed(url: move.url), feed.hasTitle(channel.title)
            else { return nil }
            return feed
        }
        if let known {
            if known.url != url { notes[index] = "\(HTTPURL.redacted(url)) moved to \(HTTPURL.redacted(known.url))" }
            return try change(known, index)
        }
        if var login, HTTPURL.host(of: login.feed) == HTTPURL.host(of: home) {
            login.feed = home
            try session.keep(login)
        }
        return try session.perform { (store) throws(LibraryError) in
            let isKept = try store.feeds.isKeptAside(url: home)
            let id = try store.feeds.addFeed(url: home, title: channel.title, at: clock.wallTime)
            if let userAgent = options.userAgent {
                try store.feeds.setSetting(FeedSetting.userAgent.rawValue, to: userAgent, of: id)
            }
            let target = RefreshTarget(id: id, url: home, title: channel.title ?? home)
            var episodes: [EpisodeID] = []
            let report = try refresher.store(fetched, of: target)
            if case .merged(let merge) = report?.outcome { episodes = merge.added }
            if let report, report.pages != nil { paged.append(report) }
            watchers.note(.added(id, episodes: episodes))
            return .subscribed(try store.feeds.feed(id), isNew: true, isReturned: isKept)
        }
    }
}
