import CommandLineTool
import Foundation
import JSON
import Library
import LoopbackServer
import PodcastModel
import SQLite
import Testing
import TestSupport

@Suite(.ownThread) struct MovingOutTests {
    private let rig: RefreshRig

    init() throws { rig = try RefreshRig() }

    /// A library with one of everything that is exported.
    private func filled() throws -> LoopbackServer.Endpoint {
        let feed = try rig.publish("two-episodes.xml")
        try expectEqual(rig.run("add", feed.url).status, .success)
        let store = try rig.store()
        let episodes = try store.episodes.page(EpisodeFilter(), order: .oldestFirst, at: .first, limit: 9).episodes
        try store.episodes.savePosition(
            MediaTime(milliseconds: 61_250), of: episodes[0].id, at: Timestamp(milliseconds: 1_790_000_000_123),
            isDurable: true)
        try store.episodes.setNote("two\nlines \"☃\"", of: episodes[0].id)
        try store.episodes.setStarred(true, [episodes[0].id])
        try store.episodes.setPlayed(true, [episodes[1].id], at: Timestamp(seconds: 1_790_000_100))
        let entries = try store.queue.insertEntries([episodes[1].id, episodes[0].id], at: 0)
        try store.queue.setCurrentEntry(entries[1].id)
        try store.imports.setTags(["News/World", "Talk"], of: FeedID(1))
        try store.feeds.setSetting("title", to: "Mine", of: FeedID(1))
        let loose = try store.episodes.looseEpisode(
            url: "https://l.example/x.mp3", title: "Loose", at: Timestamp(seconds: 5))
        try store.episodes.setStarred(true, [loose])
        try store.downloads.requestDownloads(of: [episodes[0].id], at: Timestamp(seconds: 1_790_000_200))
        try store.listening.add(
            ListeningTime(heard: .seconds(61), savedBySilence: .seconds(2)), to: episodes[0].id, on: CalendarDay(20_000)
        )
        try store.listening.add(ListeningTime(heard: .seconds(5)), to: loose, on: CalendarDay(20_001))
        return feed
    }

    @Test func theStateComesBackWholeInAnEmptyLibrary() throws {
        let feed = try filled()
        let state = try rig.run("export", "--state").output
        try state.write(toFile: rig.file("state.json"), atomically: false, encoding: .utf8)
        try expectEqual(JSONValue(parsing: state)["episodes"]?.arrayValue?.count, 3)

        let other = try RefreshRig()
        let ending = try other.run("import", "--json", rig.file("state.json"))
        expectEqual(ending.status, .success)
        #expect(ending.json["form"] == "state" && ending.json["added"] == 1 && ending.json["waiting"] == 2)
        // Before the feed was fetched nothing is lost either.
        try expectEqual(other.run("export", "--state").output, state)
        try expectEqual(other.run("--quiet").status, .success)
        expectEqual(feed.requests.count, 2)
        try expectEqual(other.run("export", "--state").output, state)
        let again = try other.run("import", "--json", rig.file("state.json"))
        #expect(again.json["added"] == 0 && again.json["known"] == 1 && again.json["waiting"] == 0)
        try expectEqual(other.run("export", "--state").output, state)
        try expectEqual(other.store().feeds.feeds().map(\.title), ["Mine"])
        try expectEqual(other.store().queue.queue().entries.count, 2)
    }

    @Test func theHistoryComesBackOnceHoweverOftenItIsImported() throws {
        _ = try filled()
        let store = try rig.store()
        let state = try rig.run("export", "--state", "--history").output
        try expectEqual(rig.run("export", "--state").output.contains("\"history\""), false)
        try expectEqual(rig.run("export", "--history").status, .usage)
        try state.write(toFile: rig.file("state.json"), atomically: false, encoding: .utf8)
        let lines = try store.history.history(limit: 99)
        #expect(!lines.isEmpty)
        let other = try RefreshRig()
        for _ in 1...2 { try expectEqual(other.run("import", rig.file("state.json")).status, .success) }
        try expectEqual(other.run("export", "--state", "--history").output, state)
        try expectEqual(other.run("--quiet").status, .success)
        try expectEqual(other.run("import", rig.file("state.json")).status, .success)
        let imported = try other.store().history.history(limit: 99)
        expectEqual(imported.map(\.time), lines.map(\.time))
        expectEqual(imported.map(\.title), lines.map(\.title))
        try expectEqual(other.run("export", "--state", "--history").output, state)
    }

    /// A file of every format, with an episode that the library of `filled` has in some.
    private func document(_ form: String, _ feed: String) throws -> String {
        let path = rig.file("document")
        let script: String? =
            switch form {
            case "gpodder": ForeignDatabaseTests.gpodder
            case "castero": ForeignDatabaseTests.castero
            case "antennapod": ForeignDatabaseTests.antennapod
            case "newsboat": ForeignDatabaseTests.newsboat
            default: nil
            }
        if let script {
            try Connection(path: path, busyTimeout: .zero, cacheKiB: 256).execute(script)
            return path
        }
        let text =
            switch form {
            case "opml":
                "<opml version=\"2.0\"><body><outline xmlUrl=\"https://u:p@new.example/f\"/><outline xmlUrl=\"\(feed)\"/></body></opml>"
            case "list": "https://new.example/f tag\n\(feed)\n"
            default: String(decoding: try RefreshRig.fixture("two-episodes.xml"), as: UTF8.self)
            }
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        return path
    }

    /// The library's file and all others in its folder, without what SQLite and locks keep beside it.
    private func contents(_ rig: RefreshRig) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: rig.data)
        let kept = names.filter { name in !["-wal", "-shm", "-turn", ".lock"].contains(where: name.hasSuffix) }
        return try Dictionary(
            uniqueKeysWithValues: kept.map { ($0, try Data(contentsOf: URL(filePath: rig.data + "/" + $0))) })
    }

    @Test(arguments: ["opml", "list", "feed", "gpodder", "castero", "antennapod", "newsboat"])
    func aTrialSaysWhatAnImportOfAnyFormatDoesAndChangesNoByte(form: String) throws {
        let feed = try filled()
        try rig.store().checkpoint()
        let options = form == "feed" ? ["--url", "https://new.example/file"] : []
        let words = ["--data-dir", rig.data, "import", "--json"] + options + [try document(form, feed.url)]
        let before = try contents(rig)
        let trial = try rig.run(words + ["--try"])
        try expectEqual(contents(rig), before)
        let imported = try rig.run(words)
        expectEqual(trial.status, imported.status, "\(trial.errors)")
        expectEqual(trial.json["errors"], imported.json["errors"])
        for name in ["form", "added", "known", "duplicates", "found", "unchanged", "waiting", "positions", "queued"] {
            expectEqual(trial.json[name], imported.json[name], "\(form): \(name)")
        }
        #expect(trial.json["isTrial"] == true && imported.json["isTrial"] == nil)
        #expect(try contents(rig) != before)
    }

    @Test func aTrialOfAStateCountsPositionsQueueEntriesRulesAndPlaylistsOfNewFeedsToo() throws {
        let feed = try filled()
        let media = try rig.store().episodes.page(
            EpisodeFilter(feed: FeedID(1)), order: .oldestFirst, at: .first, limit: 9
        ).episodes
        let text = """
            {"format":"podcastd-state","version":1,"feeds":[{"url":"\(feed.url)"},{"url":"https://new.example/f"},
            {"url":"https://new.example/f"}],
            "rules":[{"rule":"then played","feed":"https://new.example/f"},{"rule":"longer:1h then skip"}],
            "retention":[{"keep":"newest:10","feed":"https://new.example/f"}],
            "playlists":[{"name":"New","filter":"feed:\\"https://new.example/f\\""}],
            "listening":[{"day":"2026-11-22","title":"New","heard":60}],
            "episodes":[{"feed":"\(feed.url)","url":"\(media[0].enclosure.url)","position":99,"lastPlayed":1900000000,"queueIndex":0},
            {"feed":"https://new.example/f","url":"https://new.example/1.mp3","position":5},
            {"feed":"https://unlisted.example/f","url":"https://unlisted.example/1.mp3","starred":true},
            {"url":"https://l.example/y.mp3","starred":true,"queueIndex":1}]}
            """
        try text.write(toFile: rig.file("state.json"), atomically: false, encoding: .utf8)
        try rig.store().checkpoint()
        let before = try contents(rig)
        let trial = try rig.run("import", "--json", "--try", rig.file("state.json"))
        expectEqual(trial.status, .success, "\(trial.errors)")
        let shown = try rig.run("import", "--try", rig.file("state.json"))
        expectEqual(
            shown.output.split(separator: "\n").prefix(6).map(String.init),
            [
                "nothing was changed; the import would have this result:", "2 feeds added, 2 already present",
                "2 episodes updated, 0 already up to date, 2 wait until their feeds are fetched",
                "1 position changed, 1 queue entry added", "listening time of 1 day added",
                "2 rules, 1 retention policy, 1 playlist added; 0 already present",
            ])
        try expectEqual(contents(rig), before)
        let imported = try rig.run("import", "--json", rig.file("state.json"))
        let names = [
            "added", "known", "found", "unchanged", "waiting", "positions", "queued", "rules", "retention", "playlists",
            "days", "errors",
        ]
        for name in names { expectEqual(trial.json[name], imported.json[name], "\(name)") }
    }

    @Test func aTrialMakesNoLibrary() throws {
        let other = try RefreshRig()
        try expectEqual(
            other.run("import", "--try", RefreshRig.path(of: "groups-and-a-duplicate.opml")).status, .noInput)
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: other.data), [])
    }

    @Test func aFileOfThisMachineIsNamedAsLeftOut() throws {
        let store = try rig.store()
        let file = try store.episodes.looseEpisode(url: "file:///talk.mp3", title: nil, at: Timestamp(seconds: 5))
        try store.episodes.setStarred(true, [file])
        try rig.run("export", "--state").output.write(
            toFile: rig.file("state.json"), atomically: false, encoding: .utf8)
        let ending = try RefreshRig().run("import", rig.file("state.json"))
        expectEqual(ending.status, .badData)
        expectContains(ending.errors, "file:///talk.mp3")
    }

    @Test func tagsGoOutAsGroupsAndCategoriesAndComeBack() throws {
        let file = rig.file("in.opml")
        try """
        <opml version="2.0"><body><outline text="News"><outline text="AC/DC">
        <outline xmlUrl="https://a.example/f" text="A" category="/Talk/Late,Fun"/></outline>
        <outline xmlUrl="https://b.example/f" text="B"/></outline>
        <outline text="Again"><outline xmlUrl="https://b.example/f" text="B"/></outline></body></opml>
        """.write(toFile: file, atomically: false, encoding: .utf8)
        let first = try rig.run("import", "--json", file)
        #expect(first.json["added"] == 2 && first.json["duplicates"] == ["https://b.example/f"])
        let tags = [["Fun", "News/AC\u{2215}DC", "Talk/Late"], ["Again", "News"]]
        try expectEqual(rig.store().feeds.feeds().map(\.tags), tags)
        try rig.run("export").output.write(toFile: rig.file("out.opml"), atomically: false, encoding: .utf8)
        let other = try RefreshRig()
        try expectEqual(other.run("import", rig.file("out.opml")).status, .success)
        try expectEqual(other.store().feeds.feeds().map(\.tags), tags)
    }

    @Test func namesAndPasswordsInAddressesStayHereUnlessAskedFor() throws {
        _ = try rig.run("import", RefreshRig.path(of: "groups-and-a-duplicate.opml"))
        _ = try rig.store().feeds.addFeed(
            url: "https://me:secret@private.example/f?x=1", title: "P", at: Timestamp(seconds: 1))
        for options in [["export"], ["export", "--state"]] {
            let text = try rig.run(["--data-dir", rig.data] + options).output
            #expect(!text.contains("secret") && text.contains("https://private.example/f?x=1"))
            try expectContains(
                rig.run(["--data-dir", rig.data] + options + ["--with-credentials"]).output, "me:secret@")
        }
    }

    @Test func loginsAreExportedOnlyIfAskedForAndImportedAgain() throws {
        try "https://me:se%23cret1@private.example/f?x=1\nhttps://open.example/f\n"
            .write(toFile: rig.file("urls"), atomically: false, encoding: .utf8)
        try expectEqual(rig.run("import", rig.file("urls")).status, .success)
        for options in [["export"], ["export", "--state"]] {
            let plain = try rig.run(["--data-dir", rig.data] + options).output
            #expect(!plain.contains("cret") && plain.contains("https://private.example/f?x=1"))
            let whole = try rig.run(["--data-dir", rig.data] + options + ["--with-credentials"]).output
            expectContains(whole, "https://me:se%23cret1@private.example/f?x=1")
            expectContains(whole, "https://open.example/f")
            try whole.write(toFile: rig.file("out"), atomically: false, encoding: .utf8)
            let other = try RefreshRig()
            try expectEqual(other.run("import", rig.file("out")).status, .success)
            try expectContains(other.run("export", "--with-credentials").output, "me:se%23cret1@")
        }
    }

    @Test func thousandsOfOutlinesGoInWithFewCommitsAndProgress() throws {
        let outlines = (0..<5_000).map { "<outline xmlUrl=\"https://h\($0).example/f\" text=\"F \($0)\"/>" }
        try "<opml version=\"2.0\"><body>\(outlines.joined())</body></opml>"
            .write(toFile: rig.file("big.opml"), atomically: false, encoding: .utf8)
        rig.terminal = Terminal(isInteractive: true, width: 80, usesStyle: false)
        let ending = try rig.run("import", rig.file("big.opml"))
        expectEqual(ending.status, .success)
        #expect(ending.output.hasPrefix("5000 feeds added"))
        expectContains(ending.errors, "Importing feeds 1 %")
        // Only a long run says in a pipe or to cron how far it is.
        rig.terminal = Terminal(isInteractive: false, width: nil, usesStyle: false)
        let (begin, errors) = (ContinuousClock.now, try rig.run("import", rig.file("big.opml")).errors)
        #expect(errors.isEmpty || ContinuousClock.now - begin > .seconds(10), "\(errors)")
        try expectEqual(rig.run("import", "--json", rig.file("big.opml")).json["known"], 5_000)
    }

    @Test func anImportThatBreaksOffKeepsWhatWasWholeAndGoesOn() throws {
        let feed = try filled()
        let state = try rig.run("export", "--state").output
        let cut = state[..<state.range(of: "\"note\"")!.lowerBound]
        try cut.write(toFile: rig.file("cut.json"), atomically: false, encoding: .utf8)
        let other = try RefreshRig()
        try expectOutcome(other.run("import", rig.file("cut.json")), .badData, errors: "is damaged")
        try expectEqual(other.store().feeds.feeds().map(\.url), [feed.url])
        try state.write(toFile: rig.file("state.json"), atomically: false, encoding: .utf8)
        try expectEqual(other.run("import", rig.file("state.json")).status, .success)
        try expectEqual(other.run("export", "--state").output, state)
    }

    @Test func aDatabaseOfAnotherProgramIsTakenOver() throws {
        let feed = try rig.publish("two-episodes.xml")
        let path = rig.file("castero.db")
        let media = try rig.run("inspect", "--json", feed.url).json["items"]?.arrayValue?.compactMap {
            $0["enclosures"]?.arrayValue?.first?["url"]?.stringValue
        }
        let urls = try #require(media)
        // A connection that stays open leaves its rows in the log, as a program that runs does.
        let connection = try Connection(path: path, busyTimeout: .zero, cacheKiB: 256)
        try connection.execute(
            """
            PRAGMA journal_mode=WAL;
            CREATE TABLE feed(key text primary key, title text);
            CREATE TABLE episode(id integer primary key, feed_key text, title text, enclosure text, played bit not null default 0);
            CREATE TABLE queue(id integer primary key, ep_id integer);
            CREATE TABLE progress(id integer primary key, time integer, ep_id integer UNIQUE);
            INSERT INTO feed VALUES('\(feed.url)', 'Two');
            INSERT INTO episode VALUES(1, '\(feed.url)', 'The second', '\(urls[0])', 0), (2, '\(feed.url)', 'The first', '\(urls[1])', 1);
            INSERT INTO progress VALUES(1, 42000, 1); INSERT INTO queue VALUES(1, 1);
            """)
        let ending = try rig.run("import", "--json", path)
        expectEqual(ending.status, .success)
        #expect(ending.json["form"] == "castero" && ending.json["added"] == 1 && ending.json["waiting"] == 2)
        try expectEqual(rig.run("--quiet").status, .success)
        let states = try rig.store().episodes.page(EpisodeFilter(), order: .newestFirst, at: .first, limit: 9).episodes
            .map(
                \.state)
        #expect(states[0].position == MediaTime(seconds: 42) && states[1].isPlayed)
        try expectEqual(rig.store().queue.queue().entries.count, 1)
        try expectEqual(rig.run("import", "--from", "gpodder", path).status, .badData)
        #expect(try FileManager.default.contentsOfDirectory(atPath: rig.data).allSatisfy { !$0.hasPrefix(".import") })
        withExtendedLifetime(connection) {}
    }
}
