extension Migration {
    /// Prefix indexes of titles: without them, a search for a prefix merges the rows of all words with it.
    static let prefixes = Migration(
        version: 13,
        script: """
            DROP TABLE title_search;
            CREATE VIRTUAL TABLE title_search USING fts5(
              title, content = '', columnsize = 0, prefix = '1 2 3', tokenize = 'unicode61 remove_diacritics 2');
            DELETE FROM title_stale;
            UPDATE index_state SET titled_through = 0;
            """)
}
