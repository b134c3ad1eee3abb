public import EpisodeRules
public import LibraryModel
public import PodcastModel
internal import SQLite

extension LibraryStore: RuleStore {
    /// Rules there may be.
    static let maximumRules = 1_000

    /// All rules, or those that look at one feed, in their order. One whose text this program does not understand is
    /// left out: nothing is done that nobody can read.
    public func rules(for feed: FeedID? = nil) throws(LibraryError) -> [EpisodeRule] {
        try read { try storedRules(for: feed) }
    }

    /// Adds a rule behind all others. Committed before it returns. What is in the library already stays as it is.
    public func addRule(_ text: RuleText, feed: FeedID?) throws(LibraryError) -> EpisodeRule {
        try write(.synced) {
            if let feed { _ = try storedFeed(feed) }
            return try insertRule(text, feed: feed)
        }
    }

    /// Adds a rule behind all others; not outside a transaction.
    @discardableResult
    func insertRule(_ text: RuleText, feed: FeedID?) throws -> EpisodeRule {
        let order = try ruleOrder()
        guard order.count < Self.maximumRules else {
            throw LibraryError.storage("there are \(Self.maximumRules) rules already; no more are looked at")
        }
        let insert = try connection.statement("INSERT INTO rule(place, feed, text) VALUES (?, ?, ?)")
        try insert.bind(1, order.count + 1)
        try insert.bind(2, feed?.rawValue)
        try insert.bind(3, text.description)
        try insert.run()
        let id = connection.lastInsertedRow
        try spreadRules(order + [id])
        return EpisodeRule(id: RuleID(id), feed: feed, text: text)
    }

    /// Takes a rule away; what it did stays. Committed before it returns.
    public func removeRule(_ id: RuleID) throws(LibraryError) {
        try write(.synced) {
            let order = try ruleOrder()
            guard order.contains(id.rawValue) else { throw LibraryError.notFound("rule \(id)") }
            try run("DELETE FROM rule WHERE id = ?", id.rawValue)
            // What came while nobody could judge it was to be judged by rules that are gone now.
            if order.count == 1 { try connection.execute("DELETE FROM unjudged") }
        }
    }

    /// Moves a rule so that it stands at `index` afterwards, from 0. Committed before it returns.
    public func moveRule(_ id: RuleID, to index: Int) throws(LibraryError) {
        try write(.synced) {
            var order = try ruleOrder()
            guard let from = order.firstIndex(of: id.rawValue) else { throw LibraryError.notFound("rule \(id)") }
            order.insert(order.remove(at: from), at: min(max(index, 0), order.count))
            try spreadRules(order)
        }
    }

    /// What a rule did with an episode; nil when none did anything.
    public func ruleAct(on id: EpisodeID) throws(LibraryError) -> RuleAct? {
        try read {
            let query = try connection.statement("SELECT rule, action, time FROM rule_act WHERE episode = ?")
            defer { query.reset() }
            try query.bind(1, id.rawValue)
            guard try query.step() else { return nil }
            return RuleAct(
                rule: RuleID(query.int64(0)), action: query.text(1),
                time: Timestamp(milliseconds: query.int64(2)))
        }
    }

    /// Rules in their order; not outside a transaction.
    func storedRules(for feed: FeedID?) throws -> [EpisodeRule] {
        let query = try connection.statement(
            """
            SELECT r.id, r.feed, r.text FROM rule r LEFT JOIN feed f ON f.id = r.feed
            WHERE (r.feed IS NULL OR f.kind = 0) AND (?1 IS NULL OR r.feed IS NULL OR r.feed = ?1) ORDER BY r.place, r.id
            """)
        defer { query.reset() }
        try query.bind(1, feed?.rawValue)
        var rules: [EpisodeRule] = []
        while try query.step() {
            guard let text = try? RuleText(parsing: query.text(2)) else { continue }
            rules.append(
                EpisodeRule(id: RuleID(query.int64(0)), feed: query.optionalInt64(1).map(FeedID.init), text: text))
        }
        return rules
    }

    private func ruleOrder() throws -> [Int64] {
        let query = try connection.statement("SELECT id FROM rule ORDER BY place, id")
        defer { query.reset() }
        var order: [Int64] = []
        while try query.step() { order.append(query.int64(0)) }
        return order
    }

    private func spreadRules(_ order: [Int64]) throws {
        let update = try connection.statement("UPDATE rule SET place = ?2 WHERE id = ?1 AND place <> ?2")
        for (index, id) in order.enumerated() {
            try update.bind(1, id)
            try update.bind(2, index + 1)
            try update.run()
        }
    }
}
