internal import EpisodeRules
internal import LibraryDatabase
internal import LibraryModel
internal import PodcastModel
internal import SQLite

extension ImportRows {
    func carriedDecisions(shown: (String) -> String) throws(LibraryError) -> CarriedDecisions {
        return try read {
            let addresses = try feedAddresses().mapValues(shown)
            // The other library reports that it cannot find this feed.
            func name(_ id: FeedID) -> String { addresses[id] ?? "feed \(id), which was removed" }
            var decisions = CarriedDecisions()
            decisions.rules = try ruleRows.stored(for: nil).map { rule in
                var text = rule.text
                text.condition = text.condition.naming(feeds: name)
                return CarriedDecisions.Rule(text: text.description, feed: rule.feed.map(name))
            }
            decisions.retention = try retentionRows.stored().map { feed, policy in
                CarriedDecisions.Retention(keep: policy.description, feed: feed.map(name))
            }
            decisions.playlists = try playlistRows.stored().map { playlist in
                CarriedDecisions.Playlist(
                    name: playlist.name, filter: playlist.filter.naming(feeds: name).description,
                    isOldestFirst: playlist.order == .oldestFirst)
            }
            return decisions
        }
    }

    func takeIn(_ decisions: CarriedDecisions) throws(LibraryError) -> TakenDecisions {
        try write(.synced) { try historyRows.recordingPart { try add(decisions) } }
    }

    private func add(_ decisions: CarriedDecisions) throws -> TakenDecisions {
        var taken = TakenDecisions()
        for rule in decisions.rules {
            try count(&taken.rules, &taken.refused, "rule '\(rule.text)'") { try takeIn(rule) }
        }
        for retention in decisions.retention {
            let whose = retention.feed.map { " of \($0)" } ?? ""
            try count(&taken.retention, &taken.refused, "retention\(whose)") { try takeIn(retention) }
        }
        for playlist in decisions.playlists {
            try count(&taken.playlists, &taken.refused, "playlist '\(playlist.name)'") { try takeIn(playlist) }
        }
        if taken.retention.added > 0 { try retentionRows.scheduleRound() }
        return taken
    }

    /// Counts a decision as added, known or refused; rethrows only errors of the store.
    private func count(
        _ count: inout TakenDecisions.Count, _ refused: inout [String], _ what: String, _ take: () throws -> Bool
    ) throws {
        do {
            if try take() { count.added += 1 } else { count.known += 1 }
        } catch let error as ExpressionError {
            refused.append("\(what): \(error.what)")
        } catch LibraryError.notFound(let feed, _) {
            refused.append("\(what): not subscribed to '\(feed)'")
        } catch LibraryError.refused(let why) {
            refused.append("\(what): \(why)")
        }
    }

    /// - Returns: whether it was not here.
    private func takeIn(_ carried: CarriedDecisions.Rule) throws -> Bool {
        var text = try RuleText(parsing: carried.text)
        text.condition = try text.condition.lookingUp(feeds: subscription)
        let feed = try carried.feed.map(subscription)
        if try ruleRows.stored(for: nil).contains(where: { $0.text == text && $0.feed == feed }) { return false }
        try ruleRows.insert(text, feed: feed)
        return true
    }

    /// - Returns: whether nothing was said of that feed.
    private func takeIn(_ carried: CarriedDecisions.Retention) throws -> Bool {
        let policy = try RetentionPolicy(parsing: carried.keep)
        let feed = try carried.feed.map(subscription)
        if try retentionRows.stored().contains(where: { $0.feed == feed }) { return false }
        try retentionRows.insert(policy, of: feed)
        return true
    }

    /// - Returns: whether the name was free.
    private func takeIn(_ carried: CarriedDecisions.Playlist) throws -> Bool {
        guard SmartPlaylist.isName(carried.name) else { throw LibraryError.refused("invalid playlist name") }
        let filter = try EpisodeExpression(parsing: carried.filter).lookingUp(feeds: subscription)
        return try playlistRows.insert(
            SmartPlaylist(
                name: carried.name, filter: filter, order: carried.isOldestFirst ? .oldestFirst : .newestFirst))
    }

    /// The feed with exactly that address, now or formerly.
    private func subscription(_ url: String) throws -> FeedID {
        guard let id = try feedRows.id(url: url) else { throw LibraryError.notFound(url) }
        return id
    }

    private func feedAddresses() throws -> [FeedID: String] {
        let pairs = try connection.all("SELECT id, url FROM feed WHERE kind = 0") {
            ($0["id"] as FeedID, $0["url"] as String)
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }
}
