-- A library as version 21 left it: one feed, an episode played, one begun with a note, one starred, a queue of two.
-- Made once; a published step never changes, so this file does not either.
BEGIN;
CREATE TABLE feed(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind INTEGER NOT NULL DEFAULT 0 CHECK (kind IN (0, 1, 2)), -- subscribed, loose episodes, being removed
  last_episode INTEGER NOT NULL DEFAULT 0,
  subscribed INTEGER NOT NULL,
  digest INTEGER NOT NULL DEFAULT 0,
  url TEXT UNIQUE,
  title TEXT NOT NULL,
  author TEXT, link TEXT, language TEXT, image TEXT,
  type TEXT, medium TEXT, guid TEXT, explicit INTEGER, complete INTEGER,
  summary TEXT
) STRICT;
CREATE INDEX feed_title ON feed(title COLLATE NOCASE) WHERE kind = 0;
CREATE INDEX feed_removed ON feed(id) WHERE kind = 2;
CREATE UNIQUE INDEX feed_loose ON feed(kind) WHERE kind = 1;

CREATE TABLE former_url(
  url TEXT PRIMARY KEY,
  feed INTEGER NOT NULL REFERENCES feed ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX former_url_feed ON former_url(feed);

CREATE TABLE feed_count(
  feed INTEGER PRIMARY KEY REFERENCES feed ON DELETE CASCADE,
  new INTEGER NOT NULL DEFAULT 0,
  in_progress INTEGER NOT NULL DEFAULT 0,
  played INTEGER NOT NULL DEFAULT 0,
  starred INTEGER NOT NULL DEFAULT 0,
  downloaded INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE library_count(
  id INTEGER PRIMARY KEY CHECK (id = 1),
  new INTEGER NOT NULL DEFAULT 0,
  in_progress INTEGER NOT NULL DEFAULT 0,
  played INTEGER NOT NULL DEFAULT 0,
  starred INTEGER NOT NULL DEFAULT 0,
  downloaded INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO library_count(id) VALUES (1);

CREATE TABLE fetch_state(
  feed INTEGER PRIMARY KEY REFERENCES feed ON DELETE CASCADE,
  failures INTEGER NOT NULL DEFAULT 0,
  next_due INTEGER, last_try INTEGER, last_success INTEGER, http_status INTEGER,
  etag TEXT, last_modified TEXT, body_digest TEXT, moved_to TEXT, error TEXT
) STRICT;

-- Written at every try of every feed, so nothing but an end to append to; read seldom, by a scan.
CREATE TABLE refresh_log(
  id INTEGER PRIMARY KEY,
  feed INTEGER NOT NULL REFERENCES feed ON DELETE CASCADE,
  time INTEGER NOT NULL, next_due INTEGER NOT NULL, http_status INTEGER,
  bytes INTEGER NOT NULL, new_episodes INTEGER NOT NULL,
  etag TEXT, last_modified TEXT, body_digest TEXT, moved_to TEXT, error TEXT
) STRICT;

CREATE TABLE feed_setting(
  feed INTEGER NOT NULL REFERENCES feed ON DELETE CASCADE,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (feed, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE episode(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  feed INTEGER NOT NULL REFERENCES feed ON DELETE CASCADE,
  section INTEGER NOT NULL DEFAULT 0 CHECK (section BETWEEN 0 AND 2),
  starred INTEGER NOT NULL DEFAULT 0 CHECK (starred BETWEEN 0 AND 1),
  downloaded INTEGER NOT NULL DEFAULT 0 CHECK (downloaded BETWEEN 0 AND 1),
  gone INTEGER NOT NULL DEFAULT 0 CHECK (gone BETWEEN 0 AND 1), -- the feed's document lacks it now
  dated INTEGER NOT NULL, -- whether the feed gave the date
  published INTEGER NOT NULL,
  first_seen INTEGER NOT NULL,
  guid_key INTEGER, title_key INTEGER NOT NULL, url_key INTEGER NOT NULL, media_key INTEGER NOT NULL,
  duration INTEGER,
  digest INTEGER NOT NULL, notes_digest INTEGER NOT NULL,
  measured_duration INTEGER, length INTEGER, season INTEGER, number INTEGER, explicit INTEGER,
  title TEXT NOT NULL, url TEXT NOT NULL, type TEXT, link TEXT, guid TEXT, author TEXT, image TEXT,
  episode_type TEXT, chapters_url TEXT
) STRICT;
CREATE INDEX episode_section ON episode(section, published);
CREATE INDEX episode_feed ON episode(feed, section, published);
CREATE INDEX episode_starred ON episode(published) WHERE starred = 1;
CREATE INDEX episode_downloaded ON episode(published) WHERE downloaded = 1;
CREATE INDEX episode_feed_starred ON episode(feed, published) WHERE starred = 1;
CREATE INDEX episode_feed_downloaded ON episode(feed, published) WHERE downloaded = 1;

CREATE TABLE episode_notes(
  episode INTEGER PRIMARY KEY REFERENCES episode ON DELETE CASCADE,
  summary TEXT,
  content TEXT
) STRICT;

CREATE TABLE enclosure( -- further media files; the one that is played stands in its episode
  episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
  place INTEGER NOT NULL,
  url TEXT NOT NULL, type TEXT, length INTEGER,
  PRIMARY KEY (episode, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE chapter(
  episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
  place INTEGER NOT NULL,
  start INTEGER NOT NULL, "end" INTEGER, title TEXT, link TEXT, image TEXT, listed INTEGER NOT NULL,
  PRIMARY KEY (episode, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE transcript(
  episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
  place INTEGER NOT NULL,
  url TEXT NOT NULL, type TEXT, language TEXT, rel TEXT,
  PRIMARY KEY (episode, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE person(
  episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
  place INTEGER NOT NULL,
  name TEXT NOT NULL, role TEXT, href TEXT, image TEXT,
  PRIMARY KEY (episode, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE playback(
  episode INTEGER PRIMARY KEY REFERENCES episode ON DELETE CASCADE,
  position INTEGER NOT NULL DEFAULT 0,
  last_played INTEGER,
  marked INTEGER -- when the listener last marked it played or unplayed
) STRICT;

CREATE TABLE note(
  episode INTEGER PRIMARY KEY REFERENCES episode ON DELETE CASCADE,
  text TEXT NOT NULL
) STRICT;

CREATE TABLE queue_entry(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  place INTEGER NOT NULL, -- ascending, with gaps to insert into
  episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE
) STRICT;
CREATE INDEX queue_place ON queue_entry(place);
CREATE INDEX queue_episode ON queue_entry(episode);

CREATE TABLE queue_state(
  id INTEGER PRIMARY KEY CHECK (id = 1),
  current INTEGER REFERENCES queue_entry ON DELETE SET NULL
) STRICT;
INSERT INTO queue_state(id) VALUES (1);

DELETE FROM library_count;
DELETE FROM queue_state;
INSERT INTO feed(id, kind, last_episode, subscribed, digest, url, title, author, link, language, image, type, medium, guid, explicit, complete, summary) VALUES (1, 0, 3, 1748736000000, 6385547612773130045, 'https://feeds.example/old', 'An old show', NULL, NULL, 'en', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO feed_count(feed, new, in_progress, played, starred, downloaded) VALUES (1, 1, 1, 1, 1, 0);
INSERT INTO library_count(id, new, in_progress, played, starred, downloaded) VALUES (1, 1, 1, 1, 1, 0);
INSERT INTO fetch_state(feed, failures, next_due, last_try, last_success, http_status, etag, last_modified, body_digest, moved_to, error) VALUES (1, 0, 1748739600000, 1748736000000, 1748736000000, 200, '"v1"', NULL, NULL, NULL, NULL);
INSERT INTO refresh_log(id, feed, time, next_due, http_status, bytes, new_episodes, etag, last_modified, body_digest, moved_to, error) VALUES (1, 1, 1748736000000, 1748739600000, 200, 0, 3, '"v1"', NULL, NULL, NULL, NULL);
INSERT INTO feed_setting(feed, name, value) VALUES (1, 'speed', '1.5');
INSERT INTO episode(id, feed, section, starred, downloaded, gone, dated, published, first_seen, guid_key, title_key, url_key, media_key, duration, digest, notes_digest, measured_duration, length, season, number, explicit, title, url, type, link, guid, author, image, episode_type, chapters_url) VALUES (1, 1, 2, 0, 0, 0, 1, 1748736000000, 1748736000000, -5212463691201980680, 8517545205263709812, 1502216630890642852, -5748381092421635519, NULL, 4290070262870419734, 6317240619009388521, NULL, 5, NULL, NULL, NULL, 'First', 'https://cdn.example/old/0.mp3', 'audio/mpeg', NULL, 'old-0', NULL, NULL, NULL, NULL);
INSERT INTO episode(id, feed, section, starred, downloaded, gone, dated, published, first_seen, guid_key, title_key, url_key, media_key, duration, digest, notes_digest, measured_duration, length, season, number, explicit, title, url, type, link, guid, author, image, episode_type, chapters_url) VALUES (2, 1, 1, 0, 0, 0, 1, 1748822400000, 1748736000000, -8185975347936229555, -4852506040669485470, 1396483987769949292, 4135231508850434754, NULL, 1919631484434187529, 6431373383009242677, NULL, 5, NULL, NULL, NULL, 'Second', 'https://cdn.example/old/1.mp3', 'audio/mpeg', NULL, 'old-1', NULL, NULL, NULL, NULL);
INSERT INTO episode(id, feed, section, starred, downloaded, gone, dated, published, first_seen, guid_key, title_key, url_key, media_key, duration, digest, notes_digest, measured_duration, length, season, number, explicit, title, url, type, link, guid, author, image, episode_type, chapters_url) VALUES (3, 1, 0, 1, 0, 0, 1, 1748908800000, 1748736000000, 5667321465834106523, 456771313522779698, 7905201498642217160, -6534668664386912068, NULL, -5866981253853905732, -1447922037229200921, NULL, 5, NULL, NULL, NULL, 'Third', 'https://cdn.example/old/2.mp3', 'audio/mpeg', NULL, 'old-2', NULL, NULL, NULL, NULL);
INSERT INTO episode_notes(episode, summary, content) VALUES (1, 'First summary', '<p>Some first words</p>');
INSERT INTO episode_notes(episode, summary, content) VALUES (2, 'Second summary', '<p>Some second words</p>');
INSERT INTO episode_notes(episode, summary, content) VALUES (3, 'Third summary', '<p>Some third words</p>');
INSERT INTO playback(episode, position, last_played, marked) VALUES (1, 0, NULL, 1748736000000);
INSERT INTO playback(episode, position, last_played, marked) VALUES (2, 61500, 1748736000000, NULL);
INSERT INTO note(episode, text) VALUES (2, 'remember');
INSERT INTO queue_entry(id, place, episode) VALUES (1, 1048576, 3);
INSERT INTO queue_entry(id, place, episode) VALUES (2, 2097152, 2);
INSERT INTO queue_state(id, current) VALUES (1, 2);

CREATE TRIGGER feed_added AFTER INSERT ON feed BEGIN
  INSERT INTO feed_count(feed) VALUES (NEW.id);
  INSERT INTO fetch_state(feed) VALUES (NEW.id);
END;

-- Only visible episodes are ever starred or downloaded, so moving the mark forward keeps those counts.
CREATE TRIGGER feed_published AFTER UPDATE OF last_episode ON feed
WHEN OLD.last_episode <> NEW.last_episode BEGIN
  UPDATE feed_count SET
    new = (SELECT count(*) FROM episode
           WHERE feed = NEW.id AND section = 0 AND id <= NEW.last_episode),
    in_progress = (SELECT count(*) FROM episode
           WHERE feed = NEW.id AND section = 1 AND id <= NEW.last_episode),
    played = (SELECT count(*) FROM episode
           WHERE feed = NEW.id AND section = 2 AND id <= NEW.last_episode),
    starred = iif(NEW.last_episode = 0, 0, starred),
    downloaded = iif(NEW.last_episode = 0, 0, downloaded)
  WHERE feed = NEW.id;
END;

CREATE TRIGGER feed_counted AFTER UPDATE ON feed_count BEGIN
  UPDATE library_count SET
    new = new - OLD.new + NEW.new,
    in_progress = in_progress - OLD.in_progress + NEW.in_progress,
    played = played - OLD.played + NEW.played,
    starred = starred - OLD.starred + NEW.starred,
    downloaded = downloaded - OLD.downloaded + NEW.downloaded;
END;

CREATE TRIGGER episode_state AFTER UPDATE OF section, starred, downloaded ON episode
WHEN OLD.section <> NEW.section OR OLD.starred <> NEW.starred OR OLD.downloaded <> NEW.downloaded BEGIN
  UPDATE feed_count SET
    new = new - (OLD.section = 0) + (NEW.section = 0),
    in_progress = in_progress - (OLD.section = 1) + (NEW.section = 1),
    played = played - (OLD.section = 2) + (NEW.section = 2),
    starred = starred - OLD.starred + NEW.starred,
    downloaded = downloaded - OLD.downloaded + NEW.downloaded
  WHERE feed = NEW.feed;
END;

CREATE TRIGGER episode_deleted AFTER DELETE ON episode
WHEN OLD.id <= (SELECT last_episode FROM feed WHERE id = OLD.feed) BEGIN
  UPDATE feed_count SET
    new = new - (OLD.section = 0),
    in_progress = in_progress - (OLD.section = 1),
    played = played - (OLD.section = 2),
    starred = starred - OLD.starred,
    downloaded = downloaded - OLD.downloaded
  WHERE feed = OLD.feed;
END;

-- An episode that is neither played nor at its beginning is in progress; playing a played one again
-- leaves it played.
CREATE TRIGGER playback_begun AFTER INSERT ON playback BEGIN
  UPDATE episode SET section = (NEW.position > 0)
  WHERE id = NEW.episode AND section = (NEW.position <= 0);
END;
CREATE TRIGGER playback_moved AFTER UPDATE OF position ON playback
WHEN (OLD.position > 0) <> (NEW.position > 0) BEGIN
  UPDATE episode SET section = (NEW.position > 0)
  WHERE id = NEW.episode AND section = (NEW.position <= 0);
END;
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

INSERT INTO search(rowid, title, summary, content) SELECT id, title, summary, content FROM search_text;
INSERT INTO episode_address(media_key, episode) SELECT media_key, id FROM episode;
UPDATE index_state SET searched_through = 3, addressed_through = 3;
CREATE TABLE history(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  time INTEGER NOT NULL,
  event INTEGER NOT NULL CHECK (event >= 0), -- HistoryRecord.Event
  episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
  position INTEGER NOT NULL
) STRICT;
CREATE INDEX history_episode ON history(episode);

CREATE TABLE undo_step(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind INTEGER NOT NULL CHECK (kind >= 0), -- UndoneStep.Kind
  time INTEGER -- of a seek
) STRICT;

CREATE TABLE undo_episode( -- an episode as it was before
  step INTEGER NOT NULL REFERENCES undo_step ON DELETE CASCADE,
  episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
  section INTEGER NOT NULL,
  position INTEGER NOT NULL,
  marked INTEGER, note TEXT,
  PRIMARY KEY (step, episode)
) STRICT, WITHOUT ROWID;
CREATE INDEX undo_episode_episode ON undo_episode(episode);

CREATE TABLE undo_entry( -- an entry of the queue as it was before
  step INTEGER NOT NULL REFERENCES undo_step ON DELETE CASCADE,
  "index" INTEGER NOT NULL,
  entry INTEGER NOT NULL,
  episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
  is_current INTEGER NOT NULL,
  PRIMARY KEY (step, "index")
) STRICT, WITHOUT ROWID;
CREATE INDEX undo_entry_episode ON undo_entry(episode);

CREATE TABLE feed_tag(
  feed INTEGER NOT NULL REFERENCES feed ON DELETE CASCADE,
  tag TEXT NOT NULL,
  PRIMARY KEY (feed, tag)
) STRICT, WITHOUT ROWID;

CREATE TABLE carried_episode(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  feed INTEGER NOT NULL REFERENCES feed ON DELETE CASCADE,
  guid TEXT, url TEXT NOT NULL, title TEXT, published INTEGER, duration INTEGER,
  played INTEGER NOT NULL CHECK (played IN (0, 1)),
  position INTEGER NOT NULL,
  last_played INTEGER,
  marked INTEGER,
  starred INTEGER NOT NULL CHECK (starred IN (0, 1)),
  note TEXT,
  queue_place INTEGER, -- like queue_entry.place
  is_current INTEGER NOT NULL CHECK (is_current IN (0, 1))
) STRICT;
CREATE UNIQUE INDEX carried_identity ON carried_episode(feed, url, coalesce(guid, ''));

ALTER TABLE episode ADD COLUMN aside INTEGER NOT NULL DEFAULT 0 CHECK (aside BETWEEN 0 AND 2); -- skipped, archived
DROP INDEX episode_section;
CREATE INDEX episode_section ON episode(aside, section, published);
DROP INDEX episode_feed;
CREATE INDEX episode_feed ON episode(feed, aside, section, published);

ALTER TABLE queue_entry ADD COLUMN priority INTEGER NOT NULL DEFAULT 0; -- as a rule gave it

CREATE TABLE rule(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  place INTEGER NOT NULL,
  feed INTEGER REFERENCES feed ON DELETE CASCADE, -- NULL looks at all
  text TEXT NOT NULL
) STRICT;
CREATE INDEX rule_feed ON rule(feed);

CREATE TABLE rule_act( -- what a rule did; the rule may be gone
  episode INTEGER PRIMARY KEY REFERENCES episode ON DELETE CASCADE,
  rule INTEGER NOT NULL,
  action TEXT NOT NULL,
  time INTEGER NOT NULL
) STRICT;

CREATE TABLE unjudged( -- feeds with new episodes that no rule has looked at
  feed INTEGER PRIMARY KEY REFERENCES feed ON DELETE CASCADE,
  after INTEGER NOT NULL -- the last episode that was judged
) STRICT;

CREATE TABLE download_wish(
  episode INTEGER PRIMARY KEY REFERENCES episode ON DELETE CASCADE,
  time INTEGER NOT NULL
) STRICT;

CREATE TABLE retention(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  feed INTEGER REFERENCES feed ON DELETE CASCADE, -- NULL for feeds without their own
  policy TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX retention_feed ON retention(feed);
CREATE UNIQUE INDEX retention_all ON retention(feed IS NULL) WHERE feed IS NULL;

CREATE TABLE retention_run(
  id INTEGER PRIMARY KEY CHECK (id = 1),
  time INTEGER NOT NULL
) STRICT;
INSERT INTO retention_run(id, time) VALUES (1, 0);

CREATE TABLE smart_playlist(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  filter TEXT NOT NULL,
  oldest_first INTEGER NOT NULL CHECK (oldest_first IN (0, 1))
) STRICT;

CREATE TRIGGER feed_judged AFTER UPDATE OF last_episode ON feed
WHEN NEW.kind = 0 AND OLD.last_episode > 0 AND NEW.last_episode > OLD.last_episode
  AND EXISTS (SELECT 1 FROM rule WHERE feed IS NULL OR feed = NEW.id) BEGIN
  INSERT OR IGNORE INTO unjudged(feed, after) VALUES (NEW.id, OLD.last_episode);
END;

DROP TRIGGER feed_published;
CREATE TRIGGER feed_published AFTER UPDATE OF last_episode ON feed
WHEN OLD.last_episode <> NEW.last_episode BEGIN
  UPDATE feed_count SET
    new = (SELECT count(*) FROM episode
           WHERE feed = NEW.id AND aside = 0 AND section = 0 AND id <= NEW.last_episode),
    in_progress = (SELECT count(*) FROM episode
           WHERE feed = NEW.id AND aside = 0 AND section = 1 AND id <= NEW.last_episode),
    played = (SELECT count(*) FROM episode
           WHERE feed = NEW.id AND aside = 0 AND section = 2 AND id <= NEW.last_episode),
    starred = iif(NEW.last_episode = 0, 0, starred),
    downloaded = iif(NEW.last_episode = 0, 0, downloaded)
  WHERE feed = NEW.id;
END;

DROP TRIGGER episode_state;
CREATE TRIGGER episode_state AFTER UPDATE OF section, starred, downloaded, aside ON episode
WHEN OLD.section <> NEW.section OR OLD.starred <> NEW.starred OR OLD.downloaded <> NEW.downloaded
  OR OLD.aside <> NEW.aside BEGIN
  UPDATE feed_count SET
    new = new - (OLD.aside = 0 AND OLD.section = 0) + (NEW.aside = 0 AND NEW.section = 0),
    in_progress = in_progress - (OLD.aside = 0 AND OLD.section = 1) + (NEW.aside = 0 AND NEW.section = 1),
    played = played - (OLD.aside = 0 AND OLD.section = 2) + (NEW.aside = 0 AND NEW.section = 2),
    starred = starred - (OLD.aside = 0 AND OLD.starred) + (NEW.aside = 0 AND NEW.starred),
    downloaded = downloaded - (OLD.aside = 0 AND OLD.downloaded) + (NEW.aside = 0 AND NEW.downloaded)
  WHERE feed = NEW.feed;
END;

DROP TRIGGER episode_deleted;
CREATE TRIGGER episode_deleted AFTER DELETE ON episode
WHEN OLD.aside = 0 AND OLD.id <= (SELECT last_episode FROM feed WHERE id = OLD.feed) BEGIN
  UPDATE feed_count SET
    new = new - (OLD.section = 0),
    in_progress = in_progress - (OLD.section = 1),
    played = played - (OLD.section = 2),
    starred = starred - OLD.starred,
    downloaded = downloaded - OLD.downloaded
  WHERE feed = OLD.feed;
END;

CREATE TRIGGER aside_begun AFTER INSERT ON playback
WHEN NEW.position > 0 OR NEW.marked IS NOT NULL BEGIN
  UPDATE episode SET aside = 0 WHERE id = NEW.episode AND aside <> 0;
END;
CREATE TRIGGER aside_played AFTER UPDATE OF position, marked ON playback
WHEN (OLD.position > 0) <> (NEW.position > 0) OR OLD.marked IS NOT NEW.marked BEGIN
  UPDATE episode SET aside = 0 WHERE id = NEW.episode AND aside <> 0;
END;
CREATE TRIGGER aside_starred AFTER UPDATE OF starred ON episode
WHEN NEW.starred = 1 AND NEW.aside <> 0 BEGIN
  UPDATE episode SET aside = 0 WHERE id = NEW.id;
END;
CREATE TRIGGER aside_noted AFTER INSERT ON note BEGIN
  UPDATE episode SET aside = 0 WHERE id = NEW.episode AND aside <> 0;
END;
CREATE TRIGGER aside_queued AFTER INSERT ON queue_entry BEGIN
  UPDATE episode SET aside = 0 WHERE id = NEW.episode AND aside <> 0;
END;

ALTER TABLE fetch_state ADD COLUMN stopped INTEGER NOT NULL DEFAULT 0; -- tried by hand only
ALTER TABLE fetch_state ADD COLUMN due_reason TEXT;
ALTER TABLE fetch_state ADD COLUMN last_full INTEGER; -- an answer with a body
ALTER TABLE fetch_state ADD COLUMN false_304 INTEGER NOT NULL DEFAULT 0;
ALTER TABLE fetch_state ADD COLUMN patience INTEGER; -- seconds
ALTER TABLE fetch_state ADD COLUMN planned_gap INTEGER; -- seconds
ALTER TABLE fetch_state ADD COLUMN quiet_hours INTEGER NOT NULL DEFAULT 0; -- bit 0 is midnight, GMT
ALTER TABLE fetch_state ADD COLUMN quiet_days INTEGER NOT NULL DEFAULT 0; -- bit 0 is Sunday
ALTER TABLE fetch_state ADD COLUMN complete INTEGER NOT NULL DEFAULT 0;
ALTER TABLE fetch_state ADD COLUMN gap INTEGER; -- seconds between episodes
ALTER TABLE fetch_state ADD COLUMN newest INTEGER;
ALTER TABLE fetch_state ADD COLUMN move_reason TEXT;
ALTER TABLE fetch_state ADD COLUMN move_sightings INTEGER NOT NULL DEFAULT 0;
ALTER TABLE fetch_state ADD COLUMN move_obstacle TEXT;
UPDATE fetch_state SET last_full = last_success;
UPDATE fetch_state SET move_reason = 'redirect', move_sightings = 1 WHERE moved_to IS NOT NULL;

CREATE TABLE host_peace( -- hosts that want no requests for a while
  host TEXT PRIMARY KEY,
  noted INTEGER NOT NULL,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

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
UPDATE episode_notes SET is_raw = 0, content = 'Some ' || substr('firstsecondthird', CASE episode WHEN 1 THEN 1 WHEN 2 THEN 6 ELSE 12 END,
  CASE episode WHEN 2 THEN 6 ELSE 5 END) || ' words', content_marks = 'b0,4';
INSERT INTO passage(episode, words, cues) VALUES (2, 'Hello and welcome.', '1500,2000,Host');
INSERT INTO text_state(episode, kind, url, tried, failures) VALUES (2, 1, 'https://cdn.example/old/1.vtt', 1748736000000, 0);
INSERT INTO title_search(rowid, title) SELECT id, title FROM episode;
INSERT INTO search(rowid, title, summary, content) SELECT id, title, summary, content FROM episode JOIN episode_notes ON episode = id;
INSERT INTO spoken_search(rowid, words) SELECT id, words FROM passage;
UPDATE index_state SET titled_through = 3, searched_through = 3, spoken_through = 1;

CREATE TABLE identity_decision(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  feed INTEGER NOT NULL REFERENCES feed ON DELETE CASCADE,
  kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 8), -- IdentityDecision.Kind
  episode INTEGER REFERENCES episode ON DELETE CASCADE, -- none where it is about the feed
  item_key INTEGER NOT NULL, -- tells apart several of one kind about one episode
  time INTEGER NOT NULL,
  undone INTEGER NOT NULL DEFAULT 0 CHECK (undone IN (0, 1)),
  other INTEGER,
  old_guid TEXT, old_url TEXT, old_title TEXT, old_published INTEGER, old_duration INTEGER,
  new_guid TEXT, new_url TEXT, new_title TEXT
) STRICT;
CREATE UNIQUE INDEX identity_decision_once ON identity_decision(feed, kind, episode, item_key);
CREATE INDEX identity_decision_feed ON identity_decision(feed);
CREATE INDEX identity_decision_episode ON identity_decision(episode);

CREATE TABLE joined_episode(
  decision INTEGER PRIMARY KEY REFERENCES identity_decision ON DELETE CASCADE,
  kept INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
  absorbed INTEGER NOT NULL UNIQUE REFERENCES episode ON DELETE CASCADE,
  -- The kept one as it was before.
  section INTEGER NOT NULL, starred INTEGER NOT NULL,
  position INTEGER, last_played INTEGER, marked INTEGER, note TEXT
) STRICT;
CREATE INDEX joined_episode_kept ON joined_episode(kept);

CREATE TABLE joined_entry( -- entries of the queue that were the absorbed one's
  decision INTEGER NOT NULL REFERENCES identity_decision ON DELETE CASCADE,
  entry INTEGER NOT NULL,
  PRIMARY KEY (decision, entry)
) STRICT, WITHOUT ROWID;

CREATE TABLE episode_alias(
  decision INTEGER PRIMARY KEY REFERENCES identity_decision ON DELETE CASCADE,
  feed INTEGER NOT NULL REFERENCES feed ON DELETE CASCADE,
  guid_key INTEGER, title_key INTEGER NOT NULL, url_key INTEGER NOT NULL, media_key INTEGER NOT NULL,
  published INTEGER, duration INTEGER,
  swapped INTEGER NOT NULL DEFAULT 0 CHECK (swapped IN (0, 1)) -- these are the kept one's own keys
) STRICT;
CREATE INDEX episode_alias_feed ON episode_alias(feed);

-- A joined episode lives as long as the one it was joined into.
CREATE TRIGGER joined_deleted AFTER DELETE ON joined_episode BEGIN
  DELETE FROM episode WHERE id = OLD.absorbed
    AND feed = (SELECT id FROM feed WHERE kind = 2 AND url IS NOT NULL);
END;

CREATE TRIGGER episode_moved AFTER UPDATE OF feed ON episode WHEN OLD.feed <> NEW.feed AND NEW.aside = 0 BEGIN
  UPDATE feed_count SET
    new = new - (OLD.section = 0), in_progress = in_progress - (OLD.section = 1),
    played = played - (OLD.section = 2), starred = starred - OLD.starred,
    downloaded = downloaded - OLD.downloaded
  WHERE feed = OLD.feed AND OLD.id <= (SELECT last_episode FROM feed WHERE id = OLD.feed);
  UPDATE feed_count SET
    new = new + (NEW.section = 0), in_progress = in_progress + (NEW.section = 1),
    played = played + (NEW.section = 2), starred = starred + NEW.starred,
    downloaded = downloaded + NEW.downloaded
  WHERE feed = NEW.feed AND NEW.id <= (SELECT last_episode FROM feed WHERE id = NEW.feed);
END;

-- Who else claims to be a feed, and what feeds have dropped.
CREATE INDEX feed_guid ON feed(guid) WHERE kind = 0 AND guid IS NOT NULL;
CREATE INDEX feed_digest ON feed(digest) WHERE kind = 0 AND digest <> 0;
CREATE INDEX episode_gone ON episode(published) WHERE gone = 1;
CREATE INDEX episode_feed_gone ON episode(feed, published) WHERE gone = 1;

-- Where giving back what retention kept out of sight goes on, by feed; NULL when nothing is to be given back.
ALTER TABLE retention_run ADD COLUMN restore_from INTEGER;
CREATE INDEX rule_act_queued ON rule_act(time) WHERE action GLOB 'queue*' OR action GLOB 'next*';

CREATE TABLE page_walk( -- of feeds that name older pages
  feed INTEGER PRIMARY KEY REFERENCES feed ON DELETE CASCADE,
  reason TEXT NOT NULL, -- PageWalk.Reason
  time INTEGER NOT NULL,
  pages INTEGER NOT NULL,
  episodes INTEGER NOT NULL,
  since INTEGER,
  ending TEXT, -- PageWalk.End
  next_url TEXT, next_place INTEGER NOT NULL DEFAULT 0, next_oldest INTEGER, -- PageWalk.Pending
  failures INTEGER NOT NULL DEFAULT 0, error TEXT, due INTEGER
) STRICT;

ALTER TABLE unjudged ADD COLUMN through INTEGER; -- what came after is a back catalogue

CREATE TABLE episode_details(
  episode INTEGER PRIMARY KEY REFERENCES episode ON DELETE CASCADE,
  document TEXT NOT NULL
) STRICT;

CREATE TABLE feed_details(
  feed INTEGER PRIMARY KEY REFERENCES feed ON DELETE CASCADE,
  document TEXT NOT NULL
) STRICT;

UPDATE fetch_state SET body_digest = NULL;

ALTER TABLE episode ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0; -- of the episode and its texts; 0 is unknown
ALTER TABLE fetch_state ADD COLUMN broken_off INTEGER NOT NULL DEFAULT 0; -- runs in a row that ended in its document

UPDATE episode SET link = iif((length(CAST(link AS BLOB)) > 8192 OR link LIKE 'data:%'), NULL, link), image = iif((length(CAST(image AS BLOB)) > 8192 OR image LIKE 'data:%'), NULL, image), chapters_url = iif((length(CAST(chapters_url AS BLOB)) > 8192 OR chapters_url LIKE 'data:%'), NULL, chapters_url) WHERE (length(CAST(link AS BLOB)) > 8192 OR link LIKE 'data:%') OR (length(CAST(image AS BLOB)) > 8192 OR image LIKE 'data:%') OR (length(CAST(chapters_url AS BLOB)) > 8192 OR chapters_url LIKE 'data:%');
UPDATE chapter SET link = iif((length(CAST(link AS BLOB)) > 8192 OR link LIKE 'data:%'), NULL, link), image = iif((length(CAST(image AS BLOB)) > 8192 OR image LIKE 'data:%'), NULL, image) WHERE (length(CAST(link AS BLOB)) > 8192 OR link LIKE 'data:%') OR (length(CAST(image AS BLOB)) > 8192 OR image LIKE 'data:%');
UPDATE fetched_chapter SET link = iif((length(CAST(link AS BLOB)) > 8192 OR link LIKE 'data:%'), NULL, link), image = iif((length(CAST(image AS BLOB)) > 8192 OR image LIKE 'data:%'), NULL, image) WHERE (length(CAST(link AS BLOB)) > 8192 OR link LIKE 'data:%') OR (length(CAST(image AS BLOB)) > 8192 OR image LIKE 'data:%');
UPDATE person SET href = iif((length(CAST(href AS BLOB)) > 8192 OR href LIKE 'data:%'), NULL, href), image = iif((length(CAST(image AS BLOB)) > 8192 OR image LIKE 'data:%'), NULL, image) WHERE (length(CAST(href AS BLOB)) > 8192 OR href LIKE 'data:%') OR (length(CAST(image AS BLOB)) > 8192 OR image LIKE 'data:%');
UPDATE feed SET link = iif((length(CAST(link AS BLOB)) > 8192 OR link LIKE 'data:%'), NULL, link), image = iif((length(CAST(image AS BLOB)) > 8192 OR image LIKE 'data:%'), NULL, image) WHERE (length(CAST(link AS BLOB)) > 8192 OR link LIKE 'data:%') OR (length(CAST(image AS BLOB)) > 8192 OR image LIKE 'data:%');
UPDATE fetch_state SET moved_to = iif((length(CAST(moved_to AS BLOB)) > 8192 OR moved_to LIKE 'data:%'), NULL, moved_to) WHERE (length(CAST(moved_to AS BLOB)) > 8192 OR moved_to LIKE 'data:%');
UPDATE refresh_log SET moved_to = iif((length(CAST(moved_to AS BLOB)) > 8192 OR moved_to LIKE 'data:%'), NULL, moved_to) WHERE (length(CAST(moved_to AS BLOB)) > 8192 OR moved_to LIKE 'data:%');
DELETE FROM enclosure WHERE (length(CAST(url AS BLOB)) > 8192 OR url LIKE 'data:%');
DELETE FROM transcript WHERE (length(CAST(url AS BLOB)) > 8192 OR url LIKE 'data:%');
DELETE FROM page_walk WHERE (length(CAST(next_url AS BLOB)) > 8192 OR next_url LIKE 'data:%');
DELETE FROM episode_details WHERE (length(CAST(document AS BLOB)) > 131072 OR document LIKE '%"data:%');
DELETE FROM feed_details WHERE (length(CAST(document AS BLOB)) > 131072 OR document LIKE '%"data:%');
-- Its queue entry and position stay; the next document that has a shorter URL brings a playable one.
UPDATE episode SET url = substr(url, 1, 8192) WHERE length(url) > 8192;
UPDATE episode SET guid = NULL WHERE length(guid) > 8192;
UPDATE identity_decision SET old_url = substr(old_url, 1, 8192), new_url = substr(new_url, 1, 8192),
  old_guid = substr(old_guid, 1, 8192), new_guid = substr(new_guid, 1, 8192)
  WHERE max(length(old_url), length(new_url)) > 8192 OR length(old_guid) > 8192 OR length(new_guid) > 8192;
UPDATE fetch_state SET body_digest = NULL;

DROP TABLE title_search;
CREATE VIRTUAL TABLE title_search USING fts5(
  title, content = '', columnsize = 0, prefix = '1 2 3', tokenize = 'unicode61 remove_diacritics 2');
DELETE FROM title_stale;
UPDATE index_state SET titled_through = 0;
INSERT INTO title_search(rowid, title) SELECT id, title FROM episode;
UPDATE index_state SET titled_through = 3;

DROP TABLE undo_entry;
DROP TABLE undo_episode;
DROP TABLE undo_step;

CREATE TABLE undo_step(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind INTEGER NOT NULL CHECK (kind >= 0), -- UndoneStep.Kind
  undone INTEGER NOT NULL DEFAULT 0 CHECK (undone IN (0, 1)), -- can be done again
  time INTEGER, -- of a seek or of rules
  feed INTEGER REFERENCES feed ON DELETE CASCADE, -- one without which nothing is left to undo
  title TEXT, -- what it was done to, unless undo_episode says it
  count INTEGER NOT NULL DEFAULT 0,
  obstacle TEXT -- why it cannot be undone
) STRICT;
CREATE INDEX undo_step_feed ON undo_step(feed);

CREATE TABLE undo_change( -- what a step changed, in the order of its commits
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  step INTEGER NOT NULL REFERENCES undo_step ON DELETE CASCADE,
  checksum INTEGER NOT NULL, -- of the changes and their length
  changes BLOB NOT NULL -- a changeset
) STRICT;
CREATE INDEX undo_change_step ON undo_change(step);

CREATE TABLE undo_episode( -- the episodes of a step
  step INTEGER NOT NULL REFERENCES undo_step ON DELETE CASCADE,
  episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
  PRIMARY KEY (step, episode)
) STRICT, WITHOUT ROWID;
CREATE INDEX undo_episode_episode ON undo_episode(episode);

CREATE TABLE removed_feed(
  feed INTEGER PRIMARY KEY REFERENCES feed ON DELETE CASCADE,
  time INTEGER NOT NULL,
  url TEXT NOT NULL,
  former_urls TEXT, -- a line for each
  last_episode INTEGER NOT NULL
) STRICT;
CREATE INDEX removed_feed_url ON removed_feed(url);

CREATE TABLE removed_entry( -- its entries of the queue
  id INTEGER PRIMARY KEY,
  episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
  place INTEGER NOT NULL,
  priority INTEGER NOT NULL,
  is_current INTEGER NOT NULL
) STRICT;
CREATE INDEX removed_entry_episode ON removed_entry(episode);

-- The counts of a feed that comes back are as they were: only visible episodes are ever starred or downloaded, so
-- moving the mark forward from anywhere else keeps those two.
DROP TRIGGER feed_published;
CREATE TRIGGER feed_published AFTER UPDATE OF last_episode ON feed
WHEN OLD.last_episode <> NEW.last_episode BEGIN
  UPDATE feed_count SET
    new = (SELECT count(*) FROM episode
           WHERE feed = NEW.id AND aside = 0 AND section = 0 AND id <= NEW.last_episode),
    in_progress = (SELECT count(*) FROM episode
           WHERE feed = NEW.id AND aside = 0 AND section = 1 AND id <= NEW.last_episode),
    played = (SELECT count(*) FROM episode
           WHERE feed = NEW.id AND aside = 0 AND section = 2 AND id <= NEW.last_episode),
    starred = CASE 0 WHEN NEW.last_episode THEN 0
      WHEN OLD.last_episode THEN (SELECT count(*) FROM episode
        WHERE feed = NEW.id AND aside = 0 AND starred = 1 AND id <= NEW.last_episode)
      ELSE starred END,
    downloaded = CASE 0 WHEN NEW.last_episode THEN 0
      WHEN OLD.last_episode THEN (SELECT count(*) FROM episode
        WHERE feed = NEW.id AND aside = 0 AND downloaded = 1 AND id <= NEW.last_episode)
      ELSE downloaded END
  WHERE feed = NEW.id;
END;

CREATE TABLE deleted_feed( -- feeds that playlists name
  feed INTEGER PRIMARY KEY,
  title TEXT NOT NULL
) STRICT;
CREATE TRIGGER feed_deleted BEFORE DELETE ON feed
WHEN EXISTS (SELECT 1 FROM smart_playlist WHERE filter GLOB '*feed:*' AND instr(filter, OLD.id)) BEGIN
  INSERT OR REPLACE INTO deleted_feed(feed, title) VALUES (OLD.id, OLD.title);
END;
CREATE TABLE bookmark( -- places in episodes with the user's text
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
  position INTEGER NOT NULL CHECK (position >= 0), -- milliseconds
  text TEXT NOT NULL, -- may be empty
  created INTEGER NOT NULL
) STRICT;
CREATE INDEX bookmark_episode ON bookmark(episode, position);
CREATE TRIGGER aside_bookmarked AFTER INSERT ON bookmark BEGIN
  UPDATE episode SET aside = 0 WHERE id = NEW.episode AND aside <> 0;
END;

CREATE TABLE joined_bookmark( -- bookmarks that were the absorbed one's
  decision INTEGER NOT NULL REFERENCES identity_decision ON DELETE CASCADE,
  bookmark INTEGER NOT NULL,
  PRIMARY KEY (decision, bookmark)
) STRICT, WITHOUT ROWID;

-- Bookmarks that wait with their episode: a JSON array of [position, created, text].
ALTER TABLE carried_episode ADD COLUMN bookmarks TEXT;

CREATE TABLE listening( -- what was heard, in milliseconds of playing time
  day INTEGER NOT NULL, -- days since 1970 by the local calendar
  feed INTEGER NOT NULL, -- may be gone
  heard INTEGER NOT NULL,
  saved_by_speed INTEGER NOT NULL,
  saved_by_silence INTEGER NOT NULL,
  PRIMARY KEY (day, feed)
) STRICT, WITHOUT ROWID;
CREATE TABLE heard_feed( -- titles of feeds in `listening` that are gone
  feed INTEGER PRIMARY KEY,
  title TEXT NOT NULL
) STRICT;
CREATE TRIGGER heard_feed_deleted BEFORE DELETE ON feed
WHEN EXISTS (SELECT 1 FROM listening WHERE feed = OLD.id) BEGIN
  INSERT OR REPLACE INTO heard_feed(feed, title) VALUES (OLD.id, OLD.title);
END;

ALTER TABLE bookmark ADD COLUMN skip_end INTEGER CHECK (skip_end > position); -- of a part that is not played

CREATE TABLE loudness( -- of whole recordings
  episode INTEGER PRIMARY KEY REFERENCES episode ON DELETE CASCADE,
  hundredths INTEGER NOT NULL -- of LUFS
) STRICT;

CREATE TABLE client_setting( -- as the last act left it; without a row, nothing was set
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

ALTER TABLE undo_step ADD COLUMN is_automatic INTEGER NOT NULL DEFAULT 0;

DROP TRIGGER playback_begun;
CREATE TRIGGER playback_begun AFTER INSERT ON playback BEGIN
  UPDATE episode SET section = (NEW.position * 100 >= iif(coalesce(measured_duration, duration) BETWEEN 1 AND 3000000,
        coalesce(measured_duration, duration), 3000000))
  WHERE id = NEW.episode AND section <> 2;
END;
DROP TRIGGER playback_moved;
CREATE TRIGGER playback_moved AFTER UPDATE OF position ON playback
WHEN OLD.position <> NEW.position AND min(OLD.position, NEW.position) < 30000 BEGIN
  UPDATE episode SET section = (NEW.position * 100 >= iif(coalesce(measured_duration, duration) BETWEEN 1 AND 3000000,
        coalesce(measured_duration, duration), 3000000))
  WHERE id = NEW.episode AND section <> 2;
END;
CREATE TRIGGER playback_removed AFTER DELETE ON playback BEGIN
  UPDATE episode SET section = 0 WHERE id = OLD.episode AND section = 1;
END;
CREATE TRIGGER episode_measured AFTER UPDATE OF duration, measured_duration ON episode
WHEN NEW.section <> 2
  AND coalesce(OLD.measured_duration, OLD.duration) IS NOT coalesce(NEW.measured_duration, NEW.duration) BEGIN
  UPDATE episode SET section = (p.position * 100 >= iif(coalesce(measured_duration, duration) BETWEEN 1 AND 3000000,
        coalesce(measured_duration, duration), 3000000))
  FROM playback p WHERE id = NEW.id AND p.episode = NEW.id;
END;
CREATE TRIGGER aside_in_progress AFTER UPDATE OF section ON episode
WHEN NEW.section = 1 AND NEW.aside <> 0 BEGIN
  UPDATE episode SET aside = 0 WHERE id = NEW.id;
END;

UPDATE episode SET section = 0 WHERE aside IN (0, 1, 2) AND section = 1
  AND NOT (coalesce((SELECT position FROM playback WHERE episode = episode.id), 0) * 100 >= iif(coalesce(measured_duration, duration) BETWEEN 1 AND 3000000,
        coalesce(measured_duration, duration), 3000000));
-- Nothing of a feed without a mark is visible, so nothing of it is counted.
UPDATE feed_count SET new = 0, in_progress = 0
  WHERE (new, in_progress) <> (0, 0) AND feed IN (SELECT id FROM feed WHERE last_episode = 0);

CREATE TABLE retention_act( -- what policies hid and showed again
  step INTEGER NOT NULL, -- of undo_step, which set the policy; 0 once that is undone, until the episode is as before
  episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
  aside INTEGER NOT NULL, -- before the step
  PRIMARY KEY (step, episode)
) STRICT, WITHOUT ROWID;
CREATE INDEX retention_act_episode ON retention_act(episode);
CREATE TRIGGER retention_act_forgotten AFTER DELETE ON undo_step BEGIN
  DELETE FROM retention_act WHERE step = OLD.id;
END;

ALTER TABLE feed ADD COLUMN summary_is_raw INTEGER NOT NULL DEFAULT 0; -- as the publisher wrote it
CREATE INDEX feed_summary_raw ON feed(id) WHERE summary_is_raw = 1;
UPDATE feed SET summary_is_raw = 1 WHERE summary IS NOT NULL;

PRAGMA user_version=21;
COMMIT;
