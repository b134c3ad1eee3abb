internal import EpisodeRules
internal import LibraryDatabase
internal import LibraryModel
internal import PodcastModel
internal import SQLite

struct RuleRows: RuleStore, StoreRows {
    let library: LibraryStore

    /// Rules there may be.
    static let maximumRules = 1_000

    /// A rule whose text this program does not understand is left out.
    func rules(for feed: FeedID?) throws(LibraryError) -> [EpisodeRule] {
        try read { try stored(for: feed) }
    }

    func addRule(_ text: RuleText, feed: FeedID?) throws(LibraryError) -> EpisodeRule {
        try write(.synced) {
            if let feed { _ = try feedRows.stored(feed) }
            return try historyRows.recording(.rule, title: text.description) { try insert(text, feed: feed) }
        }
    }

    /// Adds a rule after all others.
    @discardableResult
    func insert(_ text: RuleText, feed: FeedID?) throws -> EpisodeRule {
        let order = try order()
        guard order.count < Self.maximumRules else {
            throw LibraryError.storage("there are \(Self.maximumRules) rules already, which is the limit")
        }
        try run("INSERT INTO rule(place, feed, text) VALUES (\(order.count + 1), \(feed), \(text.description))")
        let id = RuleID(connection.lastInsertedRow)
        try spread(order + [id])
        return EpisodeRule(id: id, feed: feed, text: text)
    }

    func changeRule(_ id: RuleID, to text: RuleText) throws(LibraryError) {
        try write(.synced) {
            guard try order().contains(id) else { throw LibraryError.notFound("rule \(id)") }
            try historyRows.recording(.rule, title: try self.text(of: id)) {
                try run("UPDATE rule SET text = \(text.description) WHERE id = \(id)")
            }
        }
    }

    func removeRule(_ id: RuleID) throws(LibraryError) {
        try write(.synced) {
            let order = try order()
            guard order.contains(id) else { throw LibraryError.notFound("rule \(id)") }
            try historyRows.recording(.rule, title: try text(of: id)) {
                try run("DELETE FROM rule WHERE id = \(id)")
                // Episodes that wait for rules were to be judged by rules that are gone now.
                if order.count == 1 { try run("DELETE FROM rule_backlog") }
            }
        }
    }

    func moveRule(_ id: RuleID, to index: Int) throws(LibraryError) {
        try write(.synced) {
            var order = try order()
            guard let from = order.firstIndex(of: id) else { throw LibraryError.notFound("rule \(id)") }
            order.insert(order.remove(at: from), at: min(max(index, 0), order.count))
            try historyRows.recording(.rule, title: try text(of: id)) { try spread(order) }
        }
    }

    func ruleAct(on id: EpisodeID) throws(LibraryError) -> RuleAct? {
        try read {
            try connection.first("SELECT rule, action, time FROM rule_act WHERE episode = \(id)") {
                RuleAct(rule: $0["rule"], action: $0["action"], time: $0["time"])
            }
        }
    }

    /// Rules of all feeds, or those that apply to one feed, in their order.
    func stored(for feed: FeedID?) throws -> [EpisodeRule] {
        try connection.all(
            """
            SELECT r.id, r.feed, r.text FROM rule r LEFT JOIN feed f ON f.id = r.feed
            WHERE (r.feed IS NULL OR f.kind = \(literal: FeedKind.subscribed)) AND (\(feed) IS NULL OR r.feed IS NULL OR r.feed = \(feed))
            ORDER BY r.place, r.id
            """
        ) { row in
            (try? RuleText(parsing: row["text"])).map { EpisodeRule(id: row["id"], feed: row["feed"], text: $0) }
        }.compactMap(\.self).map { rule in
            guard rule.text.condition.hasTags else { return rule }
            var found = rule
            found.text.condition = try rule.text.condition.lookingUp { try feedRows.ids(tagged: $0) }
            return found
        }
    }

    private func text(of id: RuleID) throws -> String? {
        try connection.value("SELECT text FROM rule WHERE id = \(id)")
    }

    private func order() throws -> [RuleID] { try connection.column("SELECT id FROM rule ORDER BY place, id") }

    private func spread(_ order: [RuleID]) throws {
        for (index, id) in order.enumerated() {
            try run("UPDATE rule SET place = \(index + 1) WHERE id = \(id) AND place <> \(index + 1)")
        }
    }
}
