internal import JSON
public import LibraryModel
public import PodcastModel
internal import PublisherDetails
internal import SQLite

extension LibraryStore {
    /// What the publisher says of an episode beyond what lists show.
    public func details(of id: EpisodeID) throws(LibraryError) -> EpisodeDetails {
        try read {
            _ = try visibleEpisode(id)
            let document = try document("SELECT document FROM episode_details WHERE episode = ?", id.rawValue)
            var details = document.flatMap(EpisodeDetails.init(json:)) ?? EpisodeDetails()
            let persons = try connection.statement(
                "SELECT name, role, href, image FROM person WHERE episode = ? ORDER BY place")
            defer { persons.reset() }
            try persons.bind(1, id.rawValue)
            while try persons.step() {
                details.persons.append(
                    Person(
                        name: persons.text(0), role: persons.optionalText(1), href: persons.optionalText(2),
                        image: persons.optionalText(3)))
            }
            return details
        }
    }

    /// What the publisher says of a feed; nothing of the hidden feed of loose episodes.
    public func details(of id: FeedID) throws(LibraryError) -> FeedDetails {
        try read {
            let document = try document("SELECT document FROM feed_details WHERE feed = ?", id.rawValue)
            var details = document.flatMap(FeedDetails.init(json:)) ?? FeedDetails()
            let query = try connection.statement("SELECT medium FROM feed WHERE id = ?")
            defer { query.reset() }
            try query.bind(1, id.rawValue)
            if try query.step() { details.medium = query.optionalText(0) }
            return details
        }
    }

    private func document(_ sql: String, _ number: Int64) throws -> JSONValue? {
        let query = try connection.statement(sql)
        defer { query.reset() }
        try query.bind(1, number)
        guard try query.step() else { return nil }
        // A file that somebody wrote into by hand has at worst no details.
        return try? JSONValue(parsing: query.text(0))
    }

    /// Writes what a changed document says of its feed; not outside a transaction.
    func storeDetails(_ details: FeedDetails, of feed: Int64) throws {
        guard let kept = details.kept else {
            return try run("DELETE FROM feed_details WHERE feed = ?", feed)
        }
        let insert = try connection.statement("INSERT OR REPLACE INTO feed_details(feed, document) VALUES (?, ?)")
        try insert.bind(1, feed)
        try insert.bind(2, kept.json.text)
        try insert.run()
    }
}
