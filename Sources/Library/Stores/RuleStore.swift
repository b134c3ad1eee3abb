internal import SQLite
public import PodcastModel

/// Rules for new episodes. Changes are committed when a method returns; earlier actions of rules stay.
public struct RuleStore: LibraryPart {
    let library: LibraryStore

    static let maximumRules = 1_000

    /// All rules, or the rules that apply to one feed, in order. Rules that cannot be parsed are omitted.
    public func rules(for feed: FeedID?) throws(LibraryError) -> [EpisodeRule] {
        try read {
            try connection.all(
                """
                SELECT r.id, r.feed, r.text FROM rule r LEFT JOIN feed f ON f.id = r.feed
                WHERE (r.feed IS NULL OR f.kind = \(literal: FeedKind.subscribed))
                  AND (\(feed) IS NULL OR r.feed IS NULL OR r.feed = \(feed))
                ORDER BY r.place, r.text, r.id
                """
            ) { row in
                (try? RuleText(parsing: row["text"])).map { EpisodeRule(id: row["id"], feed: row["feed"], text: $0) }
            }.map { rule in
                guard rule.text.condition.hasTags else { return rule }
                var found = rule
                found.text.condition = try rule.text.condition.lookingUp { try library.feeds.ids(tagged: $0) }
                return found
            }
        }
    }

    /// Adds a rule at the end. Stored episodes stay unchanged.
    public func addRule(_ text: RuleText, feed: FeedID?) throws(LibraryError) -> EpisodeRule {
        try write(.synced) {
            if let feed { _ = try library.feeds.stored(feed) }
            // Two podcastds know a rule by its text.
            if let index = try rules(for: nil).firstIndex(where: { $0.isSame(as: text, feed) }) {
                throw LibraryError.refused("rule \(index + 1) is the same")
            }
            return try recording(.rule, title: text.description) { try insert(text, feed: feed) }
        }
    }

    @discardableResult
    func insert(_ text: RuleText, feed: FeedID?) throws -> EpisodeRule {
        let order = try order()
        try requireRoom(order.count)
        try run("INSERT INTO rule(place, feed, text) VALUES (\(order.count + 1), \(feed), \(text.description))")
        let id = RuleID(connection.lastInsertedRow)
        try spread(order + [id])
        return EpisodeRule(id: id, feed: feed, text: text)
    }

    /// The rule keeps its place and feed.
    public func changeRule(_ id: RuleID, to text: RuleText) throws(LibraryError) {
        try change(id) { _ in
            let rules = try rules(for: nil)
            let feed = rules.first { $0.id == id }?.feed
            if let index = rules.firstIndex(where: { $0.id != id && $0.isSame(as: text, feed) }) {
                throw LibraryError.refused("rule \(index + 1) is the same")
            }
            try run("UPDATE rule SET text = \(text.description) WHERE id = \(id)")
        }
    }

    public func removeRule(_ id: RuleID) throws(LibraryError) {
        try change(id) { _ in
            try run("DELETE FROM rule WHERE id = \(id)")
            try forgetBacklog()
        }
    }

    /// Episodes wait for rules that are gone now.
    private func forgetBacklog() throws {
        try run("DELETE FROM rule_backlog WHERE NOT EXISTS (SELECT 1 FROM rule)")
    }

    /// Moves, adds or removes the rule with a text.
    /// - Parameter place: nil to remove the rule.
    func write(_ text: String, of feed: FeedID?, at place: Int64?) throws {
        let isSame: SQL = "feed IS \(feed) AND text = \(text)"
        guard let place else {
            try run("DELETE FROM rule WHERE \(isSame)")
            return try forgetBacklog()
        }
        try run("UPDATE rule SET place = \(place) WHERE \(isSame)")
        if connection.changedRows > 0 { return }
        try requireRoom(try order().count)
        try run("INSERT INTO rule(place, feed, text) VALUES (\(place), \(feed), \(text))")
    }

    private func requireRoom(_ count: Int) throws {
        if count < Self.maximumRules { return }
        throw LibraryError.refused("there are \(Self.maximumRules) rules already, which is the limit")
    }

    /// - Parameter index: from 0.
    public func moveRule(_ id: RuleID, to index: Int) throws(LibraryError) {
        try change(id) { order in
            var others = order.filter { $0 != id }
            others.insert(id, at: min(max(index, 0), others.count))
            try spread(others)
        }
    }

    private func change(_ id: RuleID, _ body: (_ order: [RuleID]) throws -> Void) throws(LibraryError) {
        try write(.synced) {
            let order = try order()
            guard order.contains(id) else { throw LibraryError.notFound("rule \(id)") }
            let text: String? = try connection.value("SELECT text FROM rule WHERE id = \(id)")
            try recording(.rule, title: text) { try body(order) }
        }
    }

    /// The action of a rule on an episode; nil if there was none.
    public func ruleAct(on id: EpisodeID) throws(LibraryError) -> RuleAct? {
        try read {
            try connection.first("SELECT rule, action, time FROM rule_act WHERE episode = \(id)") {
                RuleAct($0["rule"], action: $0["action"], time: $0["time"])
            }
        }
    }

    private func order() throws -> [RuleID] { try connection.column("SELECT id FROM rule ORDER BY place, text, id") }

    private func spread(_ order: [RuleID]) throws {
        for (index, id) in order.enumerated() {
            try run("UPDATE rule SET place = \(index + 1) WHERE id = \(id) AND place <> \(index + 1)")
        }
    }
}
