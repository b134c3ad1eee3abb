extension Schema {
    // All indexes lag behind: they contain the rows up to a mark in `index_state`, and triggers record which of these
    // rows change; the commit that adds new rows does not touch the indexes. Tokenizing notes costs more than fetching,
    // parsing and storing them together, and hashes of URLs are spread over all pages of their index.
    // `LibraryStore.performMaintenance` updates the indexes in small commits afterwards, at the latest before the next
    // search.
    //
    // The full-text indexes are contentless: they contain words, not texts, and removing a text needs the text.
    // The text is spaced first (`SpacedText`), so that scripts without spaces can be searched. Titles have a separate
    // small index with prefixes: without prefixes, a search for a prefix merges the rows of all words that begin with
    // it.

    private static let staleNotes = """
        INSERT INTO search_stale(id, title, summary, content) SELECT OLD.id, OLD.title, n.summary, n.content
            FROM (SELECT 1) LEFT JOIN episode_notes n ON n.episode = OLD.id;
        """

    /// Empties the indexes of words, because letters are folded otherwise now. The daemon fills them again.
    static let emptySearch = WordIndex.allCases.map(\.emptySQL).joined(separator: "\n")

    static let foldedSearch = """
        \(emptySearch)
        CREATE INDEX playback_heard ON playback(last_played) WHERE last_played IS NOT NULL;
        """

    /// Indexes for words in titles, notes and transcripts, and for episodes by the URL of their enclosure.
    static let search = """
        CREATE TABLE index_state( -- the last row that each index contains
          id INTEGER PRIMARY KEY CHECK (id = 1),
          searched_through INTEGER NOT NULL DEFAULT 0,
          addressed_through INTEGER NOT NULL DEFAULT 0,
          titled_through INTEGER NOT NULL DEFAULT 0,
          spoken_through INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        INSERT INTO index_state(id) VALUES (1);

        CREATE TABLE episode_address(
          media_key INTEGER NOT NULL,
          episode INTEGER NOT NULL,
          PRIMARY KEY (media_key, episode)
        ) STRICT, WITHOUT ROWID;

        CREATE TRIGGER address_changed AFTER UPDATE OF media_key ON episode
        WHEN OLD.media_key <> NEW.media_key AND NEW.id <= (SELECT addressed_through FROM index_state) BEGIN
          DELETE FROM episode_address WHERE media_key = OLD.media_key AND episode = OLD.id;
          INSERT INTO episode_address(media_key, episode) VALUES (NEW.media_key, NEW.id);
        END;

        CREATE TRIGGER address_deleted AFTER DELETE ON episode
        WHEN OLD.id <= (SELECT addressed_through FROM index_state) BEGIN
          DELETE FROM episode_address WHERE media_key = OLD.media_key AND episode = OLD.id;
        END;

        CREATE VIRTUAL TABLE title_search USING fts5(
          title, content = '', columnsize = 0, prefix = '1 2 3', tokenize = 'unicode61 remove_diacritics 2');

        CREATE VIRTUAL TABLE search USING fts5(
          title, summary, content, content = '', columnsize = 0, tokenize = 'unicode61 remove_diacritics 2');

        CREATE VIRTUAL TABLE spoken_search USING fts5(
          words, content = '', columnsize = 0, tokenize = 'unicode61 remove_diacritics 2');

        -- What the indexes still hold of rows that changed or went: taking words out needs the old text, and a trigger
        -- may not touch a virtual table while the schema is not trusted.
        CREATE TABLE title_stale(id INTEGER PRIMARY KEY, title TEXT NOT NULL) STRICT;

        CREATE TABLE search_stale(
          id INTEGER PRIMARY KEY, title TEXT NOT NULL, summary TEXT, content TEXT
        ) STRICT;

        CREATE TABLE spoken_stale(id INTEGER PRIMARY KEY, words TEXT NOT NULL) STRICT;

        CREATE TRIGGER title_stale_changed AFTER UPDATE OF title ON episode
        WHEN OLD.title <> NEW.title AND NEW.id <= (SELECT titled_through FROM index_state)
          AND NOT EXISTS (SELECT 1 FROM title_stale WHERE id = OLD.id) BEGIN
          INSERT INTO title_stale(id, title) VALUES (OLD.id, OLD.title);
        END;

        CREATE TRIGGER title_stale_deleted BEFORE DELETE ON episode
        WHEN OLD.id <= (SELECT titled_through FROM index_state)
          AND NOT EXISTS (SELECT 1 FROM title_stale WHERE id = OLD.id) BEGIN
          INSERT INTO title_stale(id, title) VALUES (OLD.id, OLD.title);
        END;

        CREATE TRIGGER search_stale_title AFTER UPDATE OF title ON episode
        WHEN OLD.title <> NEW.title AND NEW.id <= (SELECT searched_through FROM index_state)
          AND NOT EXISTS (SELECT 1 FROM search_stale WHERE id = OLD.id) BEGIN
          \(staleNotes)
        END;

        CREATE TRIGGER search_stale_notes AFTER UPDATE ON episode_notes
        WHEN (OLD.summary IS NOT NEW.summary OR OLD.content IS NOT NEW.content)
          AND NEW.episode <= (SELECT searched_through FROM index_state)
          AND NOT EXISTS (SELECT 1 FROM search_stale WHERE id = OLD.episode) BEGIN
          INSERT INTO search_stale(id, title, summary, content)
            SELECT id, title, OLD.summary, OLD.content FROM episode WHERE id = OLD.episode;
        END;

        CREATE TRIGGER search_stale_deleted BEFORE DELETE ON episode
        WHEN OLD.id <= (SELECT searched_through FROM index_state)
          AND NOT EXISTS (SELECT 1 FROM search_stale WHERE id = OLD.id) BEGIN
          \(staleNotes)
        END;

        CREATE TRIGGER spoken_stale_deleted AFTER DELETE ON passage
        WHEN OLD.id <= (SELECT spoken_through FROM index_state) BEGIN
          INSERT INTO spoken_stale(id, words) VALUES (OLD.id, OLD.words);
        END;
        """
}
