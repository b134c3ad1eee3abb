extension Migration {
    // The index holds no copy of the texts; it reads them through the view when it must. Episodes up to
    // `search_state.indexed_through` are in it, and triggers keep those right. New episodes are not indexed by the
    // commit that brings them: tokenizing notes costs more than fetching, parsing and storing them together, so
    // `LibraryStore.performMaintenance` does it in small commits afterwards, at the latest when somebody searches.

    /// The full-text index over titles and notes.
    static let search = Migration(
        version: 2,
        script: """
            CREATE TABLE search_state(
              id INTEGER PRIMARY KEY CHECK (id = 1),
              indexed_through INTEGER NOT NULL
            ) STRICT;
            INSERT INTO search_state(id, indexed_through) VALUES (1, 0);

            CREATE VIEW search_text(id, title, summary, content) AS
              SELECT e.id, e.title, n.summary, n.content
              FROM episode e LEFT JOIN episode_notes n ON n.episode = e.id;

            CREATE VIRTUAL TABLE search USING fts5(
              title, summary, content,
              content = 'search_text', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2',
              columnsize = 0);

            CREATE TRIGGER search_title AFTER UPDATE OF title ON episode
            WHEN OLD.title <> NEW.title AND NEW.id <= (SELECT indexed_through FROM search_state) BEGIN
              INSERT INTO search(search, rowid, title, summary, content)
                SELECT 'delete', OLD.id, OLD.title, summary, content FROM search_text WHERE id = OLD.id;
              INSERT INTO search(rowid, title, summary, content)
                SELECT id, title, summary, content FROM search_text WHERE id = NEW.id;
            END;

            CREATE TRIGGER search_notes AFTER UPDATE ON episode_notes
            WHEN (OLD.summary IS NOT NEW.summary OR OLD.content IS NOT NEW.content)
              AND NEW.episode <= (SELECT indexed_through FROM search_state) BEGIN
              INSERT INTO search(search, rowid, title, summary, content)
                SELECT 'delete', id, title, OLD.summary, OLD.content FROM episode WHERE id = OLD.episode;
              INSERT INTO search(rowid, title, summary, content)
                SELECT id, title, summary, content FROM search_text WHERE id = NEW.episode;
            END;

            CREATE TRIGGER search_deleted BEFORE DELETE ON episode
            WHEN OLD.id <= (SELECT indexed_through FROM search_state) BEGIN
              INSERT INTO search(search, rowid, title, summary, content)
                SELECT 'delete', id, title, summary, content FROM search_text WHERE id = OLD.id;
            END;
            """)
}
