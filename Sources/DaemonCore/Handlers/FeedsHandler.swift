internal import ControlLanguage
internal import ControlProtocol
internal import HTTP
internal import JSON
internal import Library
internal import Playback
internal import PodcastModel
internal import Reporting
internal import SerialThreads

/// Answers `feeds`. podcast-refresh does everything that reads a feed.
extension DaemonParts {
    /// Maximum number of failures that an answer names.
    static let maximumErrors = 100

    var feedAnswers: [AnsweredCommand] {
        decisions.answers(list, show, subscribe, unsubscribe, refresh, merge, explain, setFeed, listSettings, find)
            + [
                decisions.answer(beginning: openTransfer, upload),
                decisions.answer(beginning: { (_: ImportDocument, caller) in caller }, importDocument),
                decisions.answer(beginning: openTransfer, exportDocument), .atOnce(changesReported),
                .atOnce(refreshReported),
            ]
    }

    /// Notifies clients and does the work that the change left for later.
    /// - Parameter episodes: the changed episodes; nil if they are unknown.
    func feedsChanged(_ feeds: [RowChange], episodes: [RowChange]? = nil) {
        changes.changed(.feeds, feeds)
        if let episodes { changes.changed(.episodes, episodes) } else { changes.changed(.episodes) }
        decisions.start { [self] in
            await refreshSound()
            // What was imported may have queued episodes.
            try? await queue.reload()
            await applyRules()
            await library.maintain()
        }
    }

    private func changesReported(_ report: ReportChanges) -> EmptyReply {
        // A report that names the most episodes that it can does not name all.
        let isComplete = max(report.episodes.count, report.newEpisodes.count) < ReportChanges.maximumEpisodes
        let episodes =
            report.newEpisodes.changes(.insert)
            + report.episodes.changes(.update, [.content])
        feedsChanged(
            report.newFeeds.changes(.insert)
                + report.feeds.changes(.update)
                + report.removedFeeds.changes(.delete), episodes: isComplete ? episodes : nil)
        return EmptyReply()
    }

    private func refreshReported(_ report: ReportRefresh) -> EmptyReply {
        refreshes.add(report)
        decisions.start { [self] in
            // A refresh that started before this daemon may have queued episodes itself.
            try? await queue.reload()
            await deleteRemoved()
        }
        return EmptyReply()
    }

    /// Deletes what was removed long ago, with the logins of feeds.
    private func deleteRemoved() async {
        let end = now().adding(seconds: -UnsubscribedReply.daysKept * 86_400)
        let isDone = try? await library.perform { [logins] store in
            let urls = try store.feeds.deleteRemoved(before: end)
            for url in urls where try store.feeds.feed(url: url) == nil {
                if try logins.read().login(ofFeedAt: [url]) != nil {
                    try logins.update([url]) { $0 = FeedLogin(feed: url) }
                }
            }
            return urls.isEmpty
        }
        if isDone == false { await library.maintain() }
    }

    private func list(_ request: ListFeeds) async throws -> FeedListReply {
        let after = try request.after.map { FeedID(try rowNumbers(of: $0, count: 1)[0]) }
        let all = try await library.read { store in
            // The built-in feed comes after the subscriptions.
            try store.feeds.feeds() + [try store.feeds.singleFiles()].compactMap(\.self)
        }
        let feeds = all.filter { $0.isTagged(request.tag) }
        if let tag = request.tag, feeds.isEmpty {
            let tags = Set(all.flatMap(\.tags)).sorted().prefix(50).joined(separator: ", ")
            throw ControlError(
                .notFound, "no feed has the tag '\(tag)'",
                hint: tags.isEmpty ? "to tag a feed: podcastctl set FEED tags \(tag)" : "tags: \(tags)")
        }
        var rest = feeds[...]
        if let after {
            guard let place = feeds.firstIndex(where: { $0.id == after }) else {
                throw ControlError(
                    .invalidArgument, "the list does not contain the feed 'after'", hint: "read the list again")
            }
            rest = feeds[(place + 1)...]
        }
        let page = rest.prefix(request.limit)
        return FeedListReply(page.map { FeedReply($0, key: $0.id.description) }, hasAfter: page.count < rest.count)
    }

    private func show(_ request: ShowFeed) async throws -> FeedDetailReply {
        try await library.read { store in
            let feed = try store.feeds.resolveFeed(request.feed)
            return FeedDetailReply(feed, try store.feeds.details(of: feed.id))
        }
    }

    private func subscribe(_ request: Subscribe) async throws -> SubscriptionsReply {
        let options = try Self.options(of: request)
        let urls = request.urls
        // Every user can read the arguments of a process, so URLs with a name and a password are lines of standard input.
        let operands = urls.map { $0 == "-" || HTTPURL.credentials(of: $0) != nil ? "-" : $0 }
        let lines = [request.password].compactMap(\.self) + zip(urls, operands).filter { $1 == "-" }.map(\.0)
        let subscribing = activities.begin(
            .subscribing, "Subscribing",
            subject: urls.count == 1 ? HTTPURL.withoutCredentials(urls[0]) : "\(urls.count) feeds")
        defer { subscribing.end() }
        let outcome = try await programs.refresher.run(
            ["add", "--urls-only"] + options, on: operands,
            document: lines.isEmpty ? nil : try UnlinkedDocument(lines.map { "\($0)\n" }.joined()))
        // podcast-refresh has reported what it changed.
        guard let reply = SubscriptionsReply(json: outcome.document) else { throw ControlError(outcome) }
        if urls.count == 1, let feed = reply.rows.first, let failure = feed.error {
            var error = ControlError(outcome, feed.url.map { "\($0): \(failure.what)" })
            error.hint = failure.hint ?? error.hint
            error.loginURL = failure.login
            throw error
        }
        return reply
    }

    /// The options of podcast-refresh for a login, whose password is the first line of standard input, and a user agent.
    private static func options(of request: Subscribe) throws -> [String] {
        var options: [String] = []
        for (setting, value) in [
            (FeedSetting.username, request.username), (.password, request.password), (.userAgent, request.userAgent),
        ] {
            if let problem = value.flatMap(setting.objection) { throw ControlError(.invalidArgument, problem) }
        }
        switch (request.username, request.password) {
        case (nil, nil): break
        case (let username?, _?): options += ["--user=\(username)", "--password-file=-"]
        case (nil, _?), (_?, nil): throw ControlError(.invalidArgument, "a login needs both username and password")
        }
        if let userAgent = request.userAgent { options.append("--user-agent=\(userAgent)") }
        return options
    }

    private func unsubscribe(_ request: Unsubscribe) async throws -> UnsubscribedReply {
        let feeds = try await library.read { store in
            try Self.feeds(request.feeds, isExact: !request.acceptsPart, in: store)
        }
        if !request.acceptsPart, feeds.contains(where: \.isSingleFiles) {
            throw ControlError(
                .conflict, "clearing '\(Feed.singleFilesTitle)' cannot be undone; nothing was changed",
                hint: "to clear it: podcastctl unsubscribe --yes '\(Feed.singleFilesTitle)'")
        }
        let ids = Set(feeds.map(\.id))
        try await stopPlaying(ids)
        let now = now()
        let stored = try await stored(of: ids)
        try await library.perform { store in
            try store.history.act(.unsubscribed, title: feeds.first?.title) {
                for feed in feeds { try store.feeds.removeFeed(feed.id, at: now) }
            }
        }
        // Undo downloads the files again. A file that cannot be deleted now loses its pin when the pins are compared next.
        if !stored.isEmpty { try? await downloads.remove(stored) }
        try await queue.reload()
        feedsChanged(feeds.map(\.id).changes(.delete))
        return UnsubscribedReply(feeds.map(\.title))
    }

    /// Stops the player if its episode goes with one of the feeds.
    func stopPlaying(_ feeds: Set<FeedID>) async throws {
        guard let episode = player.status.entry?.episode else { return }
        let feed = try await library.read { try $0.episodes.episodes([episode]).first?.feed }
        // The position is no longer needed, so a failure to save it is ignored.
        if let feed, feeds.contains(feed) { try? await player.stop() }
    }

    private func merge(_ request: MergeFeeds) async throws -> FeedsMergedReply {
        let now = now()
        let (reply, gone) = try await library.perform { store in
            let feed = try Self.feed(request.feed, isExact: !request.acceptsPart, in: store)
            let other = try Self.feed(request.other, isExact: !request.acceptsPart, in: store)
            let own = try Self.ownValues(of: feed.id, in: store)
            let others = try Self.ownValues(of: other.id, in: store)
            let taken = try store.feeds.mergeFeed(other.id, into: feed.id, at: now)
            let reply = FeedsMergedReply {
                $0.feed = feed.id
                $0.title = feed.title
                $0.other = other.title
                $0.addresses = [other.url] + other.formerURLs
                $0.moved = taken.found
                $0.waiting = taken.waiting
                $0.notTaken = others.filter { name, value in own[name] != nil && own[name] != value }
                    .map { "\($0) \($1)" }.sorted()
            }
            return (reply, other.id)
        }
        try await queue.reload()
        feedsChanged([gone].changes(.delete) + [reply.feed].changes(.update))
        return reply
    }

    private static func ownValues(of feed: FeedID, in store: LibraryStore) throws -> [String: String] {
        var values = try store.feeds.settings(of: feed)
        values["retention"] = try store.retention.retention().first { $0.feed == feed }?.policy.description
        return values
    }

    private static func feed(_ word: String, isExact: Bool, in store: LibraryStore) throws -> Feed {
        let feeds = try feeds([word], isExact: isExact, in: store)
        guard feeds.count == 1 else {
            throw LibraryError.refused("'\(word)' names several feeds; only one can be named here")
        }
        return feeds[0]
    }

    private static func feeds(_ words: [String], isExact: Bool, in store: LibraryStore) throws -> [Feed] {
        var feeds: [Feed] = []
        for word in try store.names.joiningTitle(words, .feed) {
            for case .feed(let id) in try store.names.resolve(
                Name(word, number: .feed), word: word, .feed, isExact: isExact)
            where !feeds.contains(where: { $0.id == id }) {
                feeds.append(try store.feeds.feed(id))
            }
        }
        return feeds
    }

    func refresh(_ request: RefreshFeeds) async throws -> RefreshReply {
        let ids = try await library.read { store in
            let feeds = try Self.feeds(request.feeds ?? [], isExact: false, in: store)
            guard !feeds.contains(where: \.isSingleFiles) else {
                throw ControlError(
                    .invalidArgument, "'\(Feed.singleFilesTitle)' is not a subscription: it is never refreshed")
            }
            let named = feeds.map(\.id)
            guard let tag = request.tag else { return named }
            let tagged = try store.feeds.feeds().filter { $0.isTagged(tag) }.map(\.id)
            guard !tagged.isEmpty else { throw ControlError(.notFound, "no feed has the tag '\(tag)'") }
            return named + tagged.filter { !named.contains($0) }
        }
        let waiting = try await library.read { try $0.imports.waitingCount() }
        let outcome = try await programs.refresher.run(request.isForced ? ["--force"] : [], on: ids.map(\.description))
        guard var reply = outcome.document["summary"].flatMap(RefreshReply.init(json:)) else {
            throw ControlError(outcome)
        }
        reply.errors = Array(reply.errors.prefix(Self.maximumErrors))
        reply.remarks = Array(reply.remarks.prefix(Self.maximumErrors))
        if waiting > 0 {
            let left = try await library.read { try $0.imports.waitingCount() }
            reply.importedFound = max(0, waiting - left)
            reply.importedWaiting = left
        }
        return reply
    }
}
