internal import EpisodeRules
internal import LibraryDatabase
internal import LibraryModel
internal import PodcastModel
internal import SQLite

extension ImportRows {
    func exportedPolicies(shown: (String) -> String) throws(LibraryError) -> PortablePolicies {
        return try read {
            let addresses = try feedAddresses().mapValues(shown)
            // The other library reports that it cannot find this feed.
            func name(_ id: FeedID) -> String { addresses[id] ?? "feed \(id), which was removed" }
            var decisions = PortablePolicies()
            decisions.rules = try ruleRows.stored(for: nil).map { rule in
                var text = rule.text
                text.condition = text.condition.naming(feeds: name)
                return PortablePolicies.Rule(text: text.description, feed: rule.feed.map(name))
            }
            decisions.retention = try retentionRows.stored().map { feed, policy in
                PortablePolicies.Retention(keep: policy.description, feed: feed.map(name))
            }
            decisions.playlists = try playlistRows.stored().map { playlist in
                PortablePolicies.Playlist(
                    name: playlist.name, filter: playlist.filter.naming(feeds: name).description,
                    isOldestFirst: playlist.order == .oldestFirst)
            }
            return decisions
        }
    }

    func importPolicies(_ decisions: PortablePolicies) throws(LibraryError) -> PolicyImportCounts {
        try write(.synced) { try historyRows.recordingPart { try add(decisions) } }
    }

    private func add(_ decisions: PortablePolicies) throws -> PolicyImportCounts {
        var taken = PolicyImportCounts()
        for rule in decisions.rules {
            try count(&taken.rules, &taken.refused, "rule '\(rule.text)'") { try add(rule) }
        }
        for retention in decisions.retention {
            let whose = retention.feed.map { " of \($0)" } ?? ""
            try count(&taken.retention, &taken.refused, "retention\(whose)") { try add(retention) }
        }
        for playlist in decisions.playlists {
            try count(&taken.playlists, &taken.refused, "playlist '\(playlist.name)'") { try add(playlist) }
        }
        if taken.retention.added > 0 { try retentionRows.scheduleRound() }
        return taken
    }

    /// Counts a decision as added, known or refused; rethrows only errors of the store.
    private func count(
        _ count: inout PolicyImportCounts.Count, _ refused: inout [String], _ what: String, _ take: () throws -> Bool
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
    private func add(_ portable: PortablePolicies.Rule) throws -> Bool {
        var text = try RuleText(parsing: portable.text)
        text.condition = try text.condition.lookingUp(feeds: subscription)
        let feed = try portable.feed.map(subscription)
        if try ruleRows.stored(for: nil).contains(where: { $0.text == text && $0.feed == feed }) { return false }
        try ruleRows.insert(text, feed: feed)
        return true
    }

    /// - Returns: whether nothing was said of that feed.
    private func add(_ portable: PortablePolicies.Retention) throws -> Bool {
        let policy = try RetentionPolicy(parsing: portable.keep)
        let feed = try portable.feed.map(subscription)
        if try retentionRows.stored().contains(where: { $0.feed == feed }) { return false }
        try retentionRows.insert(policy, of: feed)
        return true
    }

    /// - Returns: whether the name was free.
    private func add(_ portable: PortablePolicies.Playlist) throws -> Bool {
        guard SmartPlaylist.isName(portable.name) else { throw LibraryError.refused("invalid playlist name") }
        let filter = try EpisodeExpression(parsing: portable.filter).lookingUp(feeds: subscription)
        return try playlistRows.insert(
            SmartPlaylist(
                name: portable.name, filter: filter, order: portable.isOldestFirst ? .oldestFirst : .newestFirst))
    }

    /// The feed with exactly that address, now or formerly.
    private func subscription(_ url: String) throws -> FeedID {
        guard let id = try feedRows.id(url: url) else { throw LibraryError.notFound(url) }
        return id
    }

    private func feedAddresses() throws -> [FeedID: String] {
        let pairs = try connection.all("SELECT id, url FROM feed WHERE kind = \(literal: FeedKind.subscribed)") {
            ($0["id"] as FeedID, $0["url"] as String)
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }
}
