import Foundation
import Library
import PodcastModel
@testable import RefreshTool
import SQLite
import TestSupport
import SystemCalls
import Testing

/// Databases of other programs, made by their own schemas with a few rows.
final class ForeignFile {
    let folder: URL
    var path: String { folder.appending(path: "database").path }

    init(_ script: String) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "foreign-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Connection(path: path, busyTimeout: .zero, cacheKiB: 256).execute(script)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func records() throws -> (program: ForeignProgram, feeds: [PortableFeed], episodes: [String: PortableEpisode]) {
        // The limit counts the work of the thread, not the time that passes on a busy machine.
        let database = try ForeignDatabase(path: path) { ProcessFigures.threadTime }
        var feeds: [PortableFeed] = []
        var episodes: [String: PortableEpisode] = [:]
        try database.read { record in
            switch record {
            case .feed(let feed): feeds.append(feed)
            case .episode(let episode): episodes[episode.identity.title ?? ""] = episode
            case .policy, .setting, .output, .listening:
                Issue.record("no other program has that: \(record)")
            }
            return true
        }
        return (database.program, feeds, episodes)
    }
}

struct ForeignDatabaseTests {
    static let gpodder = """
        CREATE TABLE podcast(id INTEGER PRIMARY KEY NOT NULL, title TEXT NOT NULL DEFAULT '', url TEXT NOT NULL DEFAULT '',
          auth_username TEXT NULL, auth_password TEXT NULL, section TEXT NOT NULL DEFAULT '');
        CREATE TABLE episode(id INTEGER PRIMARY KEY NOT NULL, podcast_id INTEGER NOT NULL, title TEXT NOT NULL DEFAULT '',
          url TEXT NOT NULL, published INTEGER NOT NULL DEFAULT 0, guid TEXT NOT NULL, state INTEGER NOT NULL DEFAULT 0,
          is_new INTEGER NOT NULL DEFAULT 0, archive INTEGER NOT NULL DEFAULT 0, total_time INTEGER NOT NULL DEFAULT 0,
          current_position INTEGER NOT NULL DEFAULT 0, current_position_updated INTEGER NOT NULL DEFAULT 0,
          last_playback INTEGER NOT NULL DEFAULT 0);
        CREATE TABLE version(version integer);
        INSERT INTO podcast VALUES(1, 'A show', 'https://a.example/f', 'u', 'p', 'Science'),
          (2, 'B', 'https://b.example/f', NULL, NULL, 'audio');
        INSERT INTO episode VALUES(1, 1, 'heard', 'https://a.example/1.mp3', 1600000000, 'g1', 0, 0, 0, 1800, 1795, 5, 1700000000),
          (2, 1, 'begun', 'https://a.example/2.mp3', 1600000001, 'g2', 1, 0, 1, 1800, 600, 1700000005, 0),
          (3, 1, 'untouched', 'https://a.example/3.mp3', 1600000002, 'g3', 0, 1, 0, 1800, 0, 0, 0),
          (4, 1, 'passed over', 'https://a.example/4.mp3', 1600000003, 'g4', 2, 0, 0, 0, 0, 0, 0);
        """
    static let castero = """
        CREATE TABLE feed(key text primary key, title text, description text, link text, last_build_date text, copyright text);
        CREATE TABLE episode(id integer primary key, feed_key text, title text, description text, link text, pubdate text,
          copyright text, enclosure text, played bit not null default 0);
        CREATE TABLE queue(id integer primary key, ep_id integer);
        CREATE TABLE progress(id integer primary key, time integer, ep_id integer UNIQUE);
        INSERT INTO feed(key, title) VALUES('https://a.example/f', 'A show'), ('/home/someone/local.xml', 'Local');
        INSERT INTO episode(id, feed_key, title, enclosure, played) VALUES
          (1, 'https://a.example/f', 'heard', 'https://a.example/1.mp3', 1),
          (2, 'https://a.example/f', 'begun', 'https://a.example/2.mp3', 0),
          (3, 'https://a.example/f', 'untouched', 'https://a.example/3.mp3', 0),
          (4, 'https://a.example/f', 'queued', 'https://a.example/4.mp3', 0),
          (5, 'https://a.example/f', 'begun and called played', 'https://a.example/5.mp3', 1);
        INSERT INTO progress(time, ep_id) VALUES(600250, 2), (1000, 5);
        INSERT INTO queue VALUES(1, 4), (2, 2);
        """
    static let newsboat = """
        CREATE TABLE rss_feed(rssurl VARCHAR(1024) PRIMARY KEY NOT NULL, url VARCHAR(1024) NOT NULL, title VARCHAR(1024) NOT NULL);
        CREATE TABLE rss_item(id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, guid VARCHAR(64) NOT NULL,
          title VARCHAR(1024) NOT NULL, author VARCHAR(1024) NOT NULL, url VARCHAR(1024) NOT NULL,
          feedurl VARCHAR(1024) NOT NULL, pubDate INTEGER NOT NULL, content VARCHAR(65535) NOT NULL, unread INTEGER(1) NOT NULL,
          enclosure_url VARCHAR(1024), enclosure_type VARCHAR(1024), enqueued INTEGER(1) NOT NULL DEFAULT 0,
          flags VARCHAR(52), deleted INTEGER(1) NOT NULL DEFAULT 0);
        INSERT INTO rss_feed VALUES('https://a.example/f', '', 'A show'), ('https://blog.example/f', '', 'A blog'),
          ('query:all', '', 'All');
        INSERT INTO rss_item VALUES
          (1, 'g1', 'heard', '', '', 'https://a.example/f', 1600000000, '', 0, 'https://a.example/1.mp3', 'audio/mpeg', 0, NULL, 0),
          (2, 'g2', 'queued', '', '', 'https://a.example/f', 1600000001, '', 1, 'https://a.example/2.mp3', 'audio/mpeg', 1, 's', 0),
          (3, 'g3', 'untouched', '', '', 'https://a.example/f', 1600000002, '', 1, 'https://a.example/3.mp3', '', 0, '', 0),
          (4, 'g4', 'picture', '', '', 'https://a.example/f', 1600000003, '', 0, 'https://a.example/4.jpg', 'image/jpeg', 0, '', 0),
          (5, 'g5', 'read', '', '', 'https://blog.example/f', 1600000004, '', 0, NULL, NULL, 0, NULL, 0);
        """
    static let antennapod = """
        CREATE TABLE Feeds(id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT, custom_title TEXT, download_url TEXT,
          username TEXT, password TEXT, tags TEXT, state INTEGER DEFAULT 0,
          feed_playback_speed REAL DEFAULT -1, feed_skip_intro INTEGER DEFAULT 0, feed_skip_ending INTEGER DEFAULT 0);
        CREATE TABLE FeedItems(id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT, pubDate INTEGER, read INTEGER, link TEXT,
          media INTEGER, feed INTEGER, item_identifier TEXT);
        CREATE TABLE FeedMedia(id INTEGER PRIMARY KEY AUTOINCREMENT, duration INTEGER, download_url TEXT, position INTEGER,
          playback_completion_date INTEGER, feeditem INTEGER, last_played_time INTEGER);
        CREATE TABLE Queue(id INTEGER PRIMARY KEY, feeditem INTEGER, feed INTEGER);
        CREATE TABLE Favorites(id INTEGER PRIMARY KEY, feeditem INTEGER, feed INTEGER);
        INSERT INTO Feeds VALUES(1, 'A show', 'My show', 'https://a.example/f', 'u', 'p', '#root' || char(30) || 'News', 0,
            1.5, 7, 0),
          (2, 'Tried', NULL, 'https://t.example/f', NULL, NULL, NULL, 1, -1, 0, 0),
          (3, 'Folder', NULL, 'antennapod_local:/x', NULL, NULL, NULL, 0, -1, 0, 0);
        INSERT INTO FeedItems VALUES(1, 'heard', 1600000000000, 1, '', 1, 1, 'g1'), (2, 'begun', 1600000001000, 0, '', 2, 1, 'g2'),
          (3, 'untouched', 1600000002000, -1, '', 3, 1, 'g3'), (4, 'queued', 1600000003000, 0, '', 4, 1, NULL),
          (5, 'of a tried one', 1600000004000, 1, '', 5, 2, 'g5');
        INSERT INTO FeedMedia VALUES(1, 1800000, 'https://a.example/1.mp3', 0, 1700000000000, 1, 0),
          (2, 1800000, 'https://a.example/2.mp3', 600250, 0, 2, 1700000001000), (3, 0, 'https://a.example/3.mp3', 0, 0, 3, 0),
          (4, 0, 'https://a.example/4.mp3', 0, 0, 4, 0), (5, 0, 'https://t.example/5.mp3', 0, 0, 5, 0);
        INSERT INTO Queue VALUES(0, 4, 1), (1, 2, 1);
        INSERT INTO Favorites VALUES(0, 2, 1);
        """

    @Test func gPoddersFeedsPositionsAndKeptEpisodesAreImported() throws {
        let (program, feeds, episodes) = try ForeignFile(Self.gpodder).records()
        expectEqual(program, .gpodder)
        expectEqual(feeds.map(\.tags), [["Science"], []])
        expectEqual(Set(episodes.keys), ["heard", "begun", "passed over"])
        #expect(episodes["heard"]?.isPlayed == true && episodes["passed over"]?.isPlayed == true)
        expectEqual(episodes["heard"]?.lastPlayed, Timestamp(seconds: 1_700_000_000))
        let begun = try #require(episodes["begun"])
        #expect(!begun.isPlayed && begun.position == MediaTime(seconds: 600) && begun.isStarred)
        #expect(begun.identity.guid == "g2" && begun.identity.duration == MediaTime(seconds: 1800))
    }

    @Test func casterosProgressAndQueueAreImported() throws {
        let (program, feeds, episodes) = try ForeignFile(Self.castero).records()
        #expect(program == .castero && feeds.count == 2)
        expectEqual(Set(episodes.keys), ["heard", "begun", "queued", "begun and called played"])
        expectEqual(episodes["heard"]?.isPlayed, true)
        expectEqual(episodes["begun"]?.position, MediaTime(milliseconds: 600_250))
        expectEqual(episodes["begun and called played"]?.isPlayed, false)
        expectEqual(episodes["begun and called played"]?.position, MediaTime(seconds: 1))
        #expect(episodes["queued"]?.queueIndex == 0 && episodes["begun"]?.queueIndex == 1)
    }

    @Test func aLongQueueOfCasteroTakesNoLongTime() throws {
        let database = try ForeignFile(
            Self.castero + """
                WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
                INSERT INTO queue SELECT i, i FROM n;
                WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
                INSERT INTO episode(id, feed_key, title, enclosure)
                SELECT i, 'https://a.example/f', 'n' || i, 'https://a.example/n' || i FROM n;
                """)
        let episodes = try database.records().episodes
        #expect(episodes["n60000"]?.queueIndex == 59_992 && episodes["queued"]?.queueIndex == 0)
    }

    @Test func newsboatsPodcastsAndReadItemsAreImported() throws {
        let (program, feeds, episodes) = try ForeignFile(Self.newsboat).records()
        expectEqual(program, .newsboat)
        expectEqual(feeds.map(\.url), ["https://a.example/f"])
        expectEqual(Set(episodes.keys), ["heard", "queued"])
        expectEqual(episodes["heard"]?.isPlayed, true)
        #expect(episodes["queued"]?.isPlayed == false && episodes["queued"]?.isStarred == true)
        #expect(episodes["queued"]?.queueIndex != nil)
    }

    @Test func antennaPodsPositionsTagsFavouritesAndQueueAreImported() throws {
        let (program, feeds, episodes) = try ForeignFile(Self.antennapod).records()
        expectEqual(program, .antennapod)
        expectEqual(
            feeds,
            [
                PortableFeed(
                    url: "https://a.example/f", title: "A show", tags: ["News"],
                    settings: ["title": "My show", "speed": "1.5", "skip_start": "7"])
            ])
        expectEqual(Set(episodes.keys), ["heard", "begun", "queued"])
        expectEqual(episodes["heard"]?.isPlayed, true)
        #expect(episodes["begun"]?.position == MediaTime(milliseconds: 600_250) && episodes["begun"]?.isStarred == true)
        #expect(episodes["queued"]?.queueIndex == 0 && episodes["begun"]?.queueIndex == 1)
    }

    /// AntennaPod leaves the position of the end when it marks an episode as played.
    @Test(arguments: [(1_790_000, 0), (600_000, 600)] as [(Int, Double)])
    func aPlayedEpisodeOfAntennaPodKeepsOnlyAPositionBeforeItsEnd(position: Int, imported: Double) throws {
        let database = try ForeignFile(
            Self.antennapod + "UPDATE FeedMedia SET position = \(position) WHERE id = 1;")
        let heard = try #require(try database.records().episodes["heard"])
        #expect(heard.isPlayed && heard.position == MediaTime(seconds: imported))
    }

    @Test func newsboatsFilesAreRead() {
        let feeds = NewsboatList.feeds(
            in: """
                # comment
                https://a.example/f podcasts "long tag" "~My name" !
                "query:Unread:unread = \\"yes\\""
                http://b.example/f # with a comment
                exec:~/bin/feed.sh
                """)
        expectEqual(feeds.map(\.url), ["https://a.example/f", "http://b.example/f"])
        #expect(feeds[0].tags == ["podcasts", "long tag"] && feeds[0].settings == ["title": "My name"])
        #expect(feeds[1].tags.isEmpty)
        let queue = PodboatQueue(
            """
            https://a.example/2.mp3 "/home/x/2 \\"two\\".mp3"
            https://a.example/1.mp3 "/home/x/1.mp3" played
            https://a.example/3.mp3 "/home/x/3.mp3" downloaded
            """)
        expectEqual(queue.places, ["https://a.example/2.mp3": 0, "https://a.example/3.mp3": 1])
        expectEqual(queue.heard, ["https://a.example/1.mp3"])
    }

    @Test func otherDatabasesAndFilesAreRejected() throws {
        let other = try ForeignFile("CREATE TABLE songs(a)")
        #expect(throws: MovingError.self) { try ForeignDatabase(path: other.path) }
        try Data("SQLite format 3\0 and nothing more".utf8).write(to: URL(filePath: other.path))
        #expect(throws: MovingError.self) { try ForeignDatabase(path: other.path) }
        #expect(throws: MovingError.self) { try ForeignDatabase(path: other.path + "-missing") }
    }

    @Test func aViewWithTheNameOfATableIsNotRead() throws {
        let file = try ForeignFile(
            """
            CREATE TABLE episode(a); CREATE TABLE version(a);
            CREATE VIEW podcast AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS id, i AS url FROM n
            """)
        #expect(throws: MovingError.self) { try ForeignDatabase(path: file.path) }
    }

    @Test func aDamagedDatabaseEndsWithAnErrorAndNothingIsWritten() throws {
        let file = try ForeignFile(Self.gpodder)
        var bytes = try Data(contentsOf: URL(filePath: file.path))
        for offset in stride(from: 4200, to: bytes.count, by: 3) { bytes[offset] = 0xA5 }
        try bytes.write(to: URL(filePath: file.path))
        _ = try? file.records()
        try expectEqual(Data(contentsOf: URL(filePath: file.path)), bytes)
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: file.folder.path), ["database"])
    }

    @Test func readingHasATimeLimitEvenWithinOneStep() throws {
        let file = try ForeignFile(Self.gpodder)
        try Self.fill(file, feeds: 20_000)
        // Each look at the clock finds it a second later.
        var time = Duration.zero
        var count = 0
        let error = #expect(throws: MovingError.self) {
            try ForeignDatabase(path: file.path) {
                time += .seconds(1)
                return time
            }.read { _ in
                count += 1
                return true
            }
        }
        expectEqual(error?.description.contains("longer than 20 seconds"), true, "\(String(describing: error))")
        #expect(count < 1000)
    }

    @Test func timeSpentOnRecordsDoesNotCount() throws {
        let file = try ForeignFile(Self.gpodder)
        var time = Duration.zero
        let database = try ForeignDatabase(path: file.path) { time }
        var count = 0
        try database.read { _ in
            time += .seconds(1000)
            count += 1
            return true
        }
        #expect(count > 2)
    }

    @Test func longTextsAreCutAndLongURLsDropped() throws {
        let file = try ForeignFile(
            Self.gpodder + """
                UPDATE episode SET title = 'heard' || hex(zeroblob(500000)), guid = hex(zeroblob(500000)) WHERE id = 1;
                """)
        let episode = try #require(
            try file.records().episodes.values.first { $0.identity.title?.hasPrefix("heard") == true })
        expectEqual(episode.identity.title?.utf8.count, 16 << 10)
        expectEqual(episode.identity.guid, nil)
        expectEqual(episode.identity.url, "https://a.example/1.mp3")
    }

    private static func fill(_ file: ForeignFile, feeds: Int) throws {
        try Connection(path: file.path, busyTimeout: .zero, cacheKiB: 256).execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < \(feeds))
            INSERT INTO podcast SELECT i, 'x', 'https://x.example/' || i, NULL, NULL, '' FROM n;
            """)
    }
}
