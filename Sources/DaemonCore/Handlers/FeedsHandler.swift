internal import Activity
internal import ControlProtocol
internal import JSON
internal import Library
internal import LibraryModel
internal import PodcastModel

/// Answers `feeds`. What must read a feed is done by podcast-refresh.
struct FeedsHandler: CommandHandler {
    let decisions: DecisionThread
    let library: LibraryService
    let refresher: RefreshRunner
    /// For what must not wait until a refresh is done.
    let searcher: RefreshRunner
    let transfers: DocumentTransfers
    let queue: QueueService
    let status: StatusBoard
    let activities: ActivityBoard
    let refreshes: RefreshTally
    let keeper: RuleKeeper

    /// Feeds that failed and are named in an answer; a library may have thousands.
    private static let maximumErrors = 100

    func answer(_ call: CommandCall) -> CommandAnswer {
        let parameters = call.parameters
        switch call.command(of: FeedsCommand.self) {
        case .list?: return list(parameters)
        case .subscribe?: return subscribe(parameters.texts("urls"))
        case .unsubscribe?: return unsubscribe(parameters.texts("feeds"))
        case .refresh?: return refresh(parameters.texts("feeds"), isForced: parameters.flag("force"))
        case .set?: return set(parameters)
        case .find?: return find(parameters.text(required: "name"), limit: parameters.integer(required: "limit"))
        case .upload?: return upload(parameters.text(required: "data"), from: call.caller.connection)
        case .import?: return importDocument(parameters, from: call.caller.connection)
        case .export?: return export(parameters, to: call.caller.connection)
        case .changed?:
            feedsChanged()
            return .reply(EmptyReply())
        case .refreshed?:
            refreshes.note(parameters)
            // A refresh that began before this daemon did may have queued something by itself.
            decisions.start { [queue] in try? await queue.reload() }
            return .reply(EmptyReply())
        case nil: return .error(.unknownCommand(call.declaration.name))
        }
    }

    func connectionEnded(_ connection: ConnectionID) { transfers.forget(connection) }

    /// Tells clients, and does what the change left for later.
    func feedsChanged() {
        status.changed(.feeds)
        status.changed(.episodes)
        decisions.start { [library, queue, keeper] in
            // What was imported may have queued episodes.
            try? await queue.reload()
            await keeper.settle()
            await library.maintain()
        }
    }

    private func list(_ parameters: Parameters) -> CommandAnswer {
        decisions.answer { [library] in
            let after = parameters.text("after").flatMap { Int64($0) }.map(FeedID.init)
            let feeds = try await library.perform { try $0.feeds() }
            var rest = feeds[...]
            if let after, let place = feeds.firstIndex(where: { $0.id == after }) { rest = feeds[(place + 1)...] }
            let page = rest.prefix(parameters.limit)
            return FeedListReply(page.map { FeedReply(listing: $0) }, hasAfter: page.count < rest.count)
        }
    }

    private func subscribe(_ urls: [String]) -> CommandAnswer {
        decisions.answer { [library, refresher, activities] in
            let loading = activities.begin(
                .loading, "Loading playlist", subject: urls.count == 1 ? urls[0] : "\(urls.count) feeds")
            defer { loading.end() }
            let outcome = try await refresher.run(["add", "--urls-only"], on: urls)
            guard let answers = outcome.document["feeds"]?.arrayValue else {
                throw ControlError(.feedFailed, outcome.complaint)
            }
            feedsChanged()
            var results: [SubscriptionReply] = []
            for answer in answers {
                let url = answer["url"]?.stringValue
                if let id = answer["id"]?.integerValue {
                    let feed = try await library.perform { try $0.feed(FeedID(id)) }
                    let isNew = answer["outcome"]?.stringValue == "subscribed"
                    results.append(SubscriptionReply(url: url, feed: FeedReply(listing: feed), isNew: isNew))
                } else if let added = answer["added"]?.integerValue {
                    results.append(SubscriptionReply(url: url, imported: Int(clamping: added)))
                } else {
                    let reason = answer["error"]?.stringValue ?? outcome.complaint
                    if urls.count == 1 { throw ControlError(.feedFailed, reason) }
                    results.append(SubscriptionReply(url: url, failure: reason))
                }
            }
            return SubscriptionsReply(results)
        }
    }

    private func unsubscribe(_ what: [String]) -> CommandAnswer {
        decisions.answer { [library, queue] in
            let titles = try await library.perform { store in
                let feeds = try what.map { try store.resolveFeed($0) }
                for feed in feeds { try store.removeFeed(feed.id) }
                return feeds.map(\.title)
            }
            try await queue.reload()
            feedsChanged()
            return UnsubscribedReply(titles)
        }
    }

    private func refresh(_ what: [String], isForced: Bool) -> CommandAnswer {
        decisions.answer { [library, refresher] in
            let ids = try await library.perform { store in try what.map { try store.resolveFeed($0).id } }
            let outcome = try await refresher.run(isForced ? ["--force"] : [], on: ids.map(\.description))
            guard let summary = outcome.document["summary"] else {
                throw ControlError(outcome.status == 75 ? .unavailable : .feedFailed, outcome.complaint)
            }
            feedsChanged()
            let failed = (outcome.document["feeds"]?.arrayValue ?? []).filter { $0["error"]?.stringValue != nil }
            func number(_ name: String) -> Int { Int(clamping: summary[name]?.integerValue ?? 0) }
            return RefreshReply(
                refreshed: number("feeds"), failed: number("failed"), newEpisodes: number("newEpisodes"),
                errors: failed.prefix(Self.maximumErrors).map { feed in
                    FailureReply(feed["error"]?.stringValue ?? "", feed: feed["title"]?.stringValue)
                })
        }
    }

    private func set(_ parameters: Parameters) -> CommandAnswer {
        let (what, key) = (parameters.text(required: "feed"), parameters.text(required: "key"))
        let value = parameters.text("value")
        return decisions.answer { [library, status] in
            let feed = try await library.perform { store in
                let feed = try store.resolveFeed(what)
                guard let setting = FeedSetting(rawValue: key) else {
                    throw ControlError(
                        .invalidArgument, "no setting of a feed is called \(key)",
                        hint: "there are: \(FeedSetting.allCases.map(\.rawValue).joined(separator: ", "))")
                }
                switch setting {
                case .title: try store.renameFeed(feed.id, to: value)
                case .url:
                    guard let value, value.hasPrefix("http://") || value.hasPrefix("https://") else {
                        throw ControlError(.invalidArgument, "a feed's url must begin with http:// or https://")
                    }
                    try store.moveFeed(feed.id, to: value)
                case .tags:
                    try store.setTags((value ?? "").split(separator: ",").map(String.init), of: feed.id)
                }
                return feed
            }
            status.changed(.feeds)
            return FeedSettingReply(feed: feed.id, key: key, value: value)
        }
    }
}

/// What can be set for one feed.
enum FeedSetting: String, CaseIterable {
    /// What the listener calls it; shown instead of the publisher's title.
    case title
    /// Where it is fetched from; everything else stays.
    case url
    /// The listener's tags, divided by commas.
    case tags
}
