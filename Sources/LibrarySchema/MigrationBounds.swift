extension Migration {
    // Old libraries are cleaned once, here, instead of at each read: every list, view and export reads these columns, and
    // none of them should have to know that an old row may be too large. What a URL led to is lost only where no server
    // would have answered it. Bodies are read once more, so that rows which exceed a limit shrink at the next refresh.

    /// Limits on what one episode and one feed store, and feeds whose document ended a run.
    static let bounds = Migration(
        version: 12,
        script: """
            ALTER TABLE episode ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0; -- of the episode and its texts; 0 is unknown
            ALTER TABLE fetch_state ADD COLUMN broken_off INTEGER NOT NULL DEFAULT 0; -- runs in a row that ended in its document

            \(clear("episode", ["link", "image", "chapters_url"]))
            \(clear("chapter", ["link", "image"]))
            \(clear("fetched_chapter", ["link", "image"]))
            \(clear("person", ["href", "image"]))
            \(clear("feed", ["link", "image"]))
            \(clear("fetch_state", ["moved_to"]))
            \(clear("refresh_log", ["moved_to"]))
            DELETE FROM enclosure WHERE \(isUnstorable("url"));
            DELETE FROM transcript WHERE \(isUnstorable("url"));
            DELETE FROM page_walk WHERE \(isUnstorable("next_url"));
            DELETE FROM episode_details WHERE \(isUnstorable(document: "document"));
            DELETE FROM feed_details WHERE \(isUnstorable(document: "document"));
            -- Its queue entry and position stay; the next document that has a shorter URL brings a playable one.
            UPDATE episode SET url = substr(url, 1, 8192) WHERE length(url) > 8192;
            UPDATE episode SET guid = NULL WHERE length(guid) > 8192;
            UPDATE identity_decision SET old_url = substr(old_url, 1, 8192), new_url = substr(new_url, 1, 8192),
              old_guid = substr(old_guid, 1, 8192), new_guid = substr(new_guid, 1, 8192)
              WHERE max(length(old_url), length(new_url)) > 8192 OR length(old_guid) > 8192 OR length(new_guid) > 8192;
            UPDATE fetch_state SET body_digest = NULL;
            """)

    /// The step is published: the numbers stay when `StoredLimits` changes.
    private static func isUnstorable(_ column: String) -> String {
        "(length(CAST(\(column) AS BLOB)) > 8192 OR \(column) LIKE 'data:%')"
    }

    private static func isUnstorable(document column: String) -> String {
        "(length(CAST(\(column) AS BLOB)) > 131072 OR \(column) LIKE '%\"data:%')"
    }

    private static func clear(_ table: String, _ columns: [String]) -> String {
        let changes = columns.map { "\($0) = iif(\(isUnstorable($0)), NULL, \($0))" }.joined(separator: ", ")
        return "UPDATE \(table) SET \(changes) WHERE \(columns.map { isUnstorable($0) }.joined(separator: " OR "));"
    }
}
