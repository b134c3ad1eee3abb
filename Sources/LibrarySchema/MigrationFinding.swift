extension Migration {
    // Notes stand as words with their marks apart: what is searched and what is shown is the same text, and it stands
    // once. Those of before (`is_raw`) are converted a few at a time by podcast-refresh, which has the parser.
    //
    // The full-text indexes are contentless: they hold words, not texts, and get the same text again to take it out. The
    // text is spaced first (`SpacedText`), so that scripts without spaces can be searched. Titles have a separate
    // small index, which is quickly built, for names and as you type. Like before, all of them lag behind: rows up to a mark in
    // `index_state` are in them, and triggers note what of those changes.

    /// Notes as words, chapters and transcripts that were fetched, and the indexes that find words in all of it.
    static let finding = Migration(
        version: 7,
        script: """
            DROP TRIGGER search_title;
            DROP TRIGGER search_notes;
            DROP TRIGGER search_deleted;
            DROP TABLE search_stale;
            DROP TABLE search;
            DROP VIEW search_text;

            ALTER TABLE episode_notes ADD COLUMN summary_marks TEXT;
            ALTER TABLE episode_notes ADD COLUMN content_marks TEXT;
            ALTER TABLE episode_notes ADD COLUMN is_raw INTEGER NOT NULL DEFAULT 1;
            CREATE INDEX episode_notes_raw ON episode_notes(episode) WHERE is_raw = 1;

            -- With what else a filter asks, so that rows which do not fit need not be read.
            DROP INDEX episode_starred;
            DROP INDEX episode_downloaded;
            CREATE INDEX episode_starred ON episode(published, id, aside, section, downloaded) WHERE starred = 1;
            CREATE INDEX episode_downloaded ON episode(published, id, aside, section, starred) WHERE downloaded = 1;

            -- How fetching an episode's chapters (0) or transcript (1) went.
            CREATE TABLE text_state(
              episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
              kind INTEGER NOT NULL CHECK (kind IN (0, 1)),
              url TEXT NOT NULL,
              tried INTEGER NOT NULL,
              failures INTEGER NOT NULL,
              etag TEXT, last_modified TEXT, language TEXT, error TEXT,
              PRIMARY KEY (episode, kind)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE fetched_chapter(
              episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
              place INTEGER NOT NULL,
              start INTEGER NOT NULL, "end" INTEGER, title TEXT, link TEXT, image TEXT, listed INTEGER NOT NULL,
              PRIMARY KEY (episode, place)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE passage( -- about a minute of a transcript
              id INTEGER PRIMARY KEY AUTOINCREMENT,
              episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
              words TEXT NOT NULL, -- what is said, a line for each cue
              cues TEXT NOT NULL -- when and by whom, a line for each: `PassageText`
            ) STRICT;
            CREATE INDEX passage_episode ON passage(episode);

            ALTER TABLE index_state ADD COLUMN titled_through INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE index_state ADD COLUMN spoken_through INTEGER NOT NULL DEFAULT 0;
            UPDATE index_state SET searched_through = 0;

            CREATE VIRTUAL TABLE title_search USING fts5(
              title, content = '', columnsize = 0, tokenize = 'unicode61 remove_diacritics 2');
            CREATE VIRTUAL TABLE search USING fts5(
              title, summary, content, content = '', columnsize = 0, tokenize = 'unicode61 remove_diacritics 2');
            CREATE VIRTUAL TABLE spoken_search USING fts5(
              words, content = '', columnsize = 0, tokenize = 'unicode61 remove_diacritics 2');

            -- What the indexes still hold of rows that changed or went: taking words out needs the old text, and a
            -- trigger may not touch a virtual table while the schema is not trusted.
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
              INSERT INTO search_stale(id, title, summary, content)
                SELECT OLD.id, OLD.title, n.summary, n.content FROM (SELECT 1)
                LEFT JOIN episode_notes n ON n.episode = OLD.id;
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
              INSERT INTO search_stale(id, title, summary, content)
                SELECT OLD.id, OLD.title, n.summary, n.content FROM (SELECT 1)
                LEFT JOIN episode_notes n ON n.episode = OLD.id;
            END;

            CREATE TRIGGER spoken_stale_deleted AFTER DELETE ON passage
            WHEN OLD.id <= (SELECT spoken_through FROM index_state) BEGIN
              INSERT INTO spoken_stale(id, words) VALUES (OLD.id, OLD.words);
            END;
            """)
}
