extension Migration {
    // Both indexes lag behind: episodes up to a mark in `index_state` are in them, and triggers note what of those
    // changes; the commit that brings new ones does not touch them. Tokenizing notes costs more than fetching, parsing and storing
    // them together, and hashes of addresses fall on pages all over their index. `LibraryStore.performMaintenance`
    // indexes in small commits afterwards, at the latest when somebody asks. The full-text index holds no copy of the
    // texts; it reads them through the view when it must.

    /// The full-text index over titles and notes, and the one that finds an episode by its enclosure's URL.
    static let indexes = Migration(
        version: 2,
        script: """
            CREATE TABLE index_state(
              id INTEGER PRIMARY KEY CHECK (id = 1),
              searched_through INTEGER NOT NULL,
              addressed_through INTEGER NOT NULL
            ) STRICT;
            INSERT INTO index_state(id, searched_through, addressed_through) VALUES (1, 0, 0);

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

            CREATE VIEW search_text(id, title, summary, content) AS
              SELECT e.id, e.title, n.summary, n.content
              FROM episode e LEFT JOIN episode_notes n ON n.episode = e.id;

            CREATE VIRTUAL TABLE search USING fts5(
              title, summary, content,
              content = 'search_text', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2',
              columnsize = 0);

            -- What the full-text index still holds of episodes that changed or went: taking words out needs the old
            -- text, and a trigger may not touch a virtual table while the schema is not trusted.
            CREATE TABLE search_stale(
              episode INTEGER PRIMARY KEY,
              title TEXT NOT NULL,
              summary TEXT,
              content TEXT
            ) STRICT;

            CREATE TRIGGER search_title AFTER UPDATE OF title ON episode
            WHEN OLD.title <> NEW.title AND NEW.id <= (SELECT searched_through FROM index_state)
              AND NOT EXISTS (SELECT 1 FROM search_stale WHERE episode = OLD.id) BEGIN
              INSERT INTO search_stale(episode, title, summary, content)
                SELECT id, OLD.title, summary, content FROM search_text WHERE id = OLD.id;
            END;

            CREATE TRIGGER search_notes AFTER UPDATE ON episode_notes
            WHEN (OLD.summary IS NOT NEW.summary OR OLD.content IS NOT NEW.content)
              AND NEW.episode <= (SELECT searched_through FROM index_state)
              AND NOT EXISTS (SELECT 1 FROM search_stale WHERE episode = OLD.episode) BEGIN
              INSERT INTO search_stale(episode, title, summary, content)
                SELECT id, title, OLD.summary, OLD.content FROM episode WHERE id = OLD.episode;
            END;

            CREATE TRIGGER search_deleted BEFORE DELETE ON episode
            WHEN OLD.id <= (SELECT searched_through FROM index_state)
              AND NOT EXISTS (SELECT 1 FROM search_stale WHERE episode = OLD.id) BEGIN
              INSERT INTO search_stale(episode, title, summary, content)
                SELECT id, title, summary, content FROM search_text WHERE id = OLD.id;
            END;
            """)
}
