import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import JSON
import LoopbackServer
import PodcastModel
import SQLite
import Testing
import TestSupport

@Suite(.ownThread, .timeLimit(.minutes(10)))
struct MovingTests {
    /// A list of more than a line of the socket may hold.
    private func longList(_ scratch: Scratch) throws -> String {
        let outlines = (0..<9_000).map {
            "<outline type=\"rss\" text=\"Show number \($0) ☃\" xmlUrl=\"http://127.0.0.1:1/a-rather-long-address-of-a-feed-with-its-number/\($0)?token=0123456789abcdef\"/>"
        }
        let path = try scratch.file(
            "long.opml",
            "<opml version=\"2.0\"><body><outline text=\"Many\">\(outlines.joined(separator: "\n"))</outline></body></opml>"
        )
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        try #require((size ?? 0) > 1 << 20)
        return path
    }

    @Test func newsboatsNamesTagsAndPodboatsQueueComeOverTheSocketFromXDGFolders() throws {
        let published = try PublishedFeed(
            title: "Official", episodes: [("Heard", [0x55]), ("Queued", [0x56]), ("Untouched", [0x57])])
        let scratch = try Scratch()
        for folder in ["home/.local/share/newsboat", "home/.config/newsboat"] {
            try FileManager.default.createDirectory(
                atPath: "\(scratch.path)/\(folder)", withIntermediateDirectories: true)
        }
        let cache = try Connection(
            path: scratch.path + "/home/.local/share/newsboat/cache.db", busyTimeout: .zero, cacheKiB: 64)
        let (feed, media) = (published.feed.url, published.media.map(\.url))
        try cache.execute(
            """
            CREATE TABLE rss_feed(rssurl TEXT PRIMARY KEY, url TEXT, title TEXT);
            CREATE TABLE rss_item(id INTEGER PRIMARY KEY, guid TEXT, title TEXT, author TEXT, url TEXT, feedurl TEXT,
              pubDate INTEGER, content TEXT, unread INTEGER, enclosure_url TEXT, enclosure_type TEXT, enqueued INTEGER,
              flags TEXT, deleted INTEGER);
            INSERT INTO rss_feed VALUES('\(feed)', '', 'Official');
            INSERT INTO rss_item VALUES
              (1, 'episode-0', 'Heard', '', '', '\(feed)', 0, '', 0, '\(media[0])', 'audio/mpeg', 0, '', 0),
              (2, 'episode-1', 'Queued', '', '', '\(feed)', 0, '', 1, '\(media[1])', 'audio/mpeg', 0, '', 0),
              (3, 'episode-2', 'Untouched', '', '', '\(feed)', 0, '', 1, '\(media[2])', 'audio/mpeg', 0, '', 0);
            """)
        _ = try scratch.file("home/.config/newsboat/urls", "\(feed) \"crime\" \"~My Crime\"\n")
        _ = try scratch.file("home/.local/share/newsboat/queue", "\(media[1]) \"x.mp3\" downloaded\n")
        let daemon = try RunningDaemon(in: scratch)
        let file = scratch.path + "/home/.local/share/newsboat/cache.db"
        try expectOutcome(daemon.ctl("import", file), 0, output: "1 feed added", "2 wait", "2 imported episodes found")
        try expectOutcome(daemon.ctl("refresh"), 0)
        let client = try daemon.connect()
        let imported = try #require(try client.call(ListFeeds()).rows.first)
        #expect(imported.feed.title == "My Crime" && imported.feed.tags == ["crime"])
        try expectEqual(client.call(ListQueue()).entries.compactMap(\.episode?.episode.title), ["Queued"])
        try expectEqual(
            client.call(ListEpisodes { $0.filter = "is:played" }).episodes.map(\.episode.title), ["Heard"])
        withExtendedLifetime(cache) {}
    }

    @Test func documentsOfAnySizeAreImportedAndExportedThroughTheDaemon() throws {
        let daemon = try RunningDaemon()
        let file = try longList(daemon.scratch)
        let imported = try daemon.ctl("import", file)
        expectEqual(imported.status, 0)
        #expect(imported.output.hasPrefix("9000 feeds added, 0 already present\n"))
        let list = try daemon.ctl("export")
        expectEqual(list.status, 0)
        #expect(list.output.utf8.count > 1 << 20 && list.output.hasSuffix("</opml>\n"))
        #expect(list.output.contains("Show number 8999 ☃") && list.output.contains("<outline text=\"Many\">"))
        let state = try daemon.ctl("export", "--state")
        let document = try JSONValue(parsing: state.output)
        expectEqual(document["feeds"]?.arrayValue?.count, 9_000)
        let again = try daemon.ctl("import", "--json", try daemon.scratch.file("state.json", state.output))
        try expectEqual(JSONValue(parsing: again.output)["known"], 9_000)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: daemon.scratch.path + "/data").allSatisfy {
                !$0.hasPrefix(".document") && !$0.hasPrefix(".import")
            })
    }

    @Test func settingsAndVolumeAreExportedImportedAndUndoneWithTheImport() throws {
        let old = try RunningDaemon()
        for words in [["settings", "playback.speed", "1.5"], ["settings", "playback.mono", "yes"], ["volume", "40"]] {
            try expectEqual(old.ctl(words).status, 0)
        }
        let state = try old.ctl("export", "--state").output
        try expectEqual(
            JSONValue(parsing: state)["settings"],
            ["playback.speed": "1.5", "playback.mono": "yes", "volume": "40"])

        let daemon = try RunningDaemon()
        // What is set here stays.
        try expectEqual(daemon.ctl("settings", "playback.speed", "2").status, 0)
        let client = try daemon.connect()
        func values() throws -> [String] {
            try ["playback.speed", "playback.mono"].map { key in try client.call(GetSetting { $0.key = key }).value }
                + ["\(client.call(GetStatus()).player.volume)"]
        }
        let imported = try daemon.ctl("import", try daemon.scratch.file("state.json", state))
        expectEqual(imported.status, 0, "\(imported.errors)")
        expectContains(imported.output, "2 settings set\n")
        try expectEqual(values(), ["2", "yes", "40"])
        try expectOutcome(
            daemon.ctl("undo"), 0, output: "undid import",
            ": what the import added is removed, what it changed is as before\n")
        try expectEqual(values(), ["2", "no", "100"])
        try expectEqual(daemon.ctl("redo").status, 0)
        try expectEqual(values(), ["2", "yes", "40"])
    }

    @Test func outputsAreExportedTriedImportedAndUndoneWithTheImport() throws {
        let old = try RunningDaemon()
        for words in [
            ["output", "add", "Kitchen", "snapcast:127.0.0.1:1"], ["output", "volume", "Kitchen", "60"],
            ["output", "delay", "Kitchen", "80ms"], ["output", "volume", "null", "70"],
        ] {
            try expectOutcome(old.ctl(words), 0)
        }
        let state = try old.ctl("export", "--state").output
        let exported = try #require(JSONValue(parsing: state)["outputs"]?.arrayValue)
        expectEqual(
            exported.map { [$0["name"], $0["specification"], $0["enabled"], $0["volume"], $0["delay"]] },
            [["null", nil, true, 70, 0], ["Kitchen", "snapcast:127.0.0.1:1", true, 60, 80]])

        let daemon = try RunningDaemon()
        let client = try daemon.connect()
        func outputs() throws -> [String] {
            try client.call(ListOutputs()).rows.map { "\($0.name) \($0.volume) \($0.delay)" }
        }
        let before = try outputs()
        // A program must not be started by a document.
        let hostile =
            #"{"name":"Evil","specification":"pipe:touch /tmp/x"},{"name":"\u001b[31m","specification":"null"},"#
        let file = try daemon.scratch.file(
            "state.json", state.replacing("\"outputs\":[", with: "\"outputs\":[" + hostile))
        let trial = try daemon.ctl("import", "--try", file)
        expectOutcome(trial, 0, output: "nothing was changed; the import would have this result:\n", "2 settings set\n")
        try expectEqual(outputs(), before)
        try expectOutcome(daemon.ctl("undo"), 65)
        try expectOutcome(daemon.ctl("import", file), 0, output: "2 settings set\n")
        let after = try outputs()
        #expect(after.count == before.count + 1 && after.contains { $0.hasPrefix("Kitchen 60 ") }, "\(after)")
        #expect(after.contains { $0.hasPrefix("null 70 ") })
        try expectOutcome(daemon.ctl("import", file), 0)
        try expectEqual(outputs(), after)
        try expectOutcome(daemon.ctl("undo"), 0, output: "undid import")
        try expectEqual(outputs(), before)
    }

    @Test func aTrialThroughTheDaemonChangesNothingAndTheImportIsUndoneWithDownloadsAndHistory() throws {
        let published = try PublishedFeed(episodes: [("First", try fixture("forty-seconds.mp3")), ("Second", [0x56])])
        let daemon = try RunningDaemon()
        try expectEqual(daemon.ctl("subscribe", published.feed.url).status, 0)
        let text = """
            {"format":"podcastd-state","version":1,"settings":{"playback.mono":"yes","volume":"40"},
            "feeds":[{"url":"\(published.feed.url)"},{"url":"http://127.0.0.1:1/new"}],
            "episodes":[{"feed":"\(published.feed.url)","url":"\(published.media[1].url)","position":9,"queueIndex":0,"downloaded":true,
            "history":[{"time":1700000000,"event":"heard","position":9}]}]}
            """
        let file = try daemon.scratch.file("state.json", text)
        try expectEqual(daemon.ctl("export", "--history").status, 64)
        let before = try daemon.ctl("export", "--state", "--history").output
        let trial = try daemon.ctl("import", "--try", file)
        expectOutcome(
            trial, 0, output: "1 feed added, 1 already present\n", "1 episode updated",
            "1 position changed, 1 queue entry added\n",
            "2 settings set\n")
        #expect(!trial.errors.contains("/new"), "nothing is fetched")
        try expectEqual(daemon.ctl("export", "--state", "--history").output, before)
        try expectEqual(daemon.ctl("import", file).status, 0)
        let after = try JSONValue(parsing: daemon.ctl("export", "--state", "--history").output)
        let episode = try #require(after["episodes"]?.arrayValue?.first)
        #expect(
            episode["downloaded"] == true && episode["position"]?.numberValue == 9
                && episode["history"]?.arrayValue?.count == 1)
        let client = try daemon.connect()
        try expectEqual(client.call(ListDownloads()).rows.count, 1)
        try expectOutcome(daemon.ctl("undo"), 0, output: "undid import")
        let undone = try JSONValue(parsing: daemon.ctl("export", "--state", "--history").output)
        #expect(undone["episodes"] == JSONValue.array([]) && undone["feeds"]?.arrayValue?.count == 1, "\(undone)")
    }

    @Test func aFileCanBeSubscribedTo() throws {
        let daemon = try RunningDaemon()
        let audio = try fixture("forty-seconds.mp3")
        let published = try PublishedFeed(episodes: [("Third", audio)])
        let file = try daemon.scratch.file(
            "list.opml",
            "<opml version=\"2.0\"><body><outline xmlUrl=\"http://127.0.0.1:1/f\" text=\"F\"/></body></opml>")
        let ending = try daemon.ctl("subscribe", file, published.feed.url)
        expectEqual(ending.status, 75)
        #expect(ending.output.hasPrefix("\(file): 1 feed added\nsubscribed to Test feed (1 episode)\n"))
        let rows = try JSONValue(parsing: try daemon.ctl("subscribe", file, published.feed.url, "--json").output)
        expectEqual(rows["feeds"]?.arrayValue?.map { $0["imported"] }, [0, nil], "one shape for files and addresses")
        let page = try daemon.scratch.file("page.html", "<html><body>no list</body></html>")
        try expectOutcome(daemon.ctl("import", page), 65, errors: "\(page): ")
        try expectOutcome(daemon.ctl("set", "Test", "feed"), 0)
        try expectEqual(daemon.ctl("set", "Test feed", "tags", "News/World, Talk").status, 0)
        let feeds = try JSONValue(parsing: try daemon.ctl("feeds", "--json").output)["feeds"]?.arrayValue
        expectEqual(feeds?.last?["tags"], ["News/World", "Talk"])
    }

    @Test func feedsAreListedRefreshedAndMergedByTagAndAddress() throws {
        let audio = try fixture("forty-seconds.mp3")
        let (one, two) = (
            try PublishedFeed(title: "One", episodes: [("A", audio)]),
            try PublishedFeed(title: "Two", episodes: [("B", audio)])
        )
        let daemon = try RunningDaemon()
        try expectEqual(daemon.ctl("subscribe", one.feed.url, two.feed.url).status, 0)
        try expectEqual(daemon.ctl("subscribe", one.feed.url).output, "already subscribed to One (1 episode)\n")
        try expectEqual(daemon.ctl("set", "Two", "tags", "News/World").status, 0)
        let listed = try daemon.ctl("feeds", "--tag", "news")
        #expect(listed.output.contains("Two") && !listed.output.contains("One"), "\(listed)")
        try expectContains(daemon.ctl("episodes", "--filter", "tag:news").output, "B")
        try expectEqual(daemon.ctl("refresh", "--tag", "news").output, "1 feed refreshed, 0 new episodes\n")
        try expectContains(daemon.ctl("refresh", "--tag", "sports").errors, "no feed has the tag 'sports'")
        try expectContains(daemon.ctl("refresh").output, "no feed is due; 'podcastctl refresh --force'")
        try expectEqual(daemon.ctl("set", "Two", "refresh", "6h").output, "refresh = 6h\n")
        try expectEqual(daemon.ctl("set", "Two", "refresh", "soon").status, 64)
        let other = try daemon.scratch.file(
            "again.opml", "<opml><body><outline text='Again' xmlUrl='http://127.0.0.1:1/again'/></body></opml>")
        try expectEqual(daemon.ctl("import", other).status, 0)
        let merged = try daemon.ctl("feeds", "merge", "One", "Again")
        #expect(merged.status == 0 && merged.output.hasPrefix("merged Again into One (f"), "\(merged)")
        expectContains(merged.output, "addresses that lead to it now: http://127.0.0.1:1/again")
        try expectEqual(daemon.ctl("set", "One", "url", "http://127.0.0.1:1/moved").status, 0)
        let lines = try daemon.ctl("feed", "One").output.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("next due:") && $0.hasSuffix(" now") }, "\(lines)")
    }

    @Test(arguments: ["subscribe file", "subscribe address", "import file"])
    func theFeedsOfAListAreFetchedAtOnceAndThoseThatFailNamed(way: String) throws {
        let published = try PublishedFeed(title: "Inside", episodes: [("A", [0x55])])
        let list = """
            <opml version="2.0"><body><outline type="rss" xmlUrl="\(published.feed.url)"/>
            <outline type="rss" xmlUrl="http://127.0.0.1:1/away"/></body></opml>
            """
        let daemon = try RunningDaemon()
        let server = try LoopbackServer()
        let endpoint = server.serve("/list.opml", .resource(Resource(Array(list.utf8))))
        let source = way.hasSuffix("file") ? try daemon.scratch.file("list.opml", list) : endpoint.url
        let added = try daemon.ctl(way.hasPrefix("import") ? "import" : "subscribe", source)
        // As 'subscribe http://127.0.0.1:1/away' alone; an import is complete without fetching.
        expectEqual(added.status, way.hasPrefix("import") ? 0 : 75)
        expectContains(added.output, "2 feeds added")
        expectContains(added.output, "1 refreshed, 1 failed; 1 new episode\n")
        expectContains(added.errors, "http://127.0.0.1:1/away: ")
        try expectContains(daemon.ctl("episodes").output, "Inside")
    }

    @Test func aPathSentOverTheSocketIsNotOpened() throws {
        let daemon = try RunningDaemon()
        let file = try daemon.scratch.file("list.opml", "<opml version=\"2.0\"><body/></opml>")
        let connection = try daemon.connect()
        let failure = #expect(throws: ClientFailure.self) {
            try connection.call(Subscribe { $0.urls = [file] })
        }
        // The path counts as the name of a host.
        expectEqual(failure?.code, .unavailable)
    }

    @Test func theExitStatusSaysWhetherAnotherAttemptMayHelp() throws {
        let daemon = try RunningDaemon()
        let server = try LoopbackServer()
        let endpoint = server.serve("/page", .resource(Resource(Array("<html><body>Hello</body></html>".utf8))))
        let unreachable = try daemon.ctl("subscribe", "http://127.0.0.1:1/feed")
        expectEqual(unreachable.status, 75)
        #expect(unreachable.errors.hasPrefix("podcastctl: http://127.0.0.1:1/feed: "), "\(unreachable)")
        try expectEqual(daemon.ctl("subscribe", endpoint.url).status, 65)
        try expectEqual(daemon.ctl("subscribe", server.url("/none")).status, 69)
        let list = try daemon.scratch.file(
            "list.opml", "<opml version=\"2.0\"><body><outline xmlUrl=\"ftp://example.org/feed\"/></body></opml>")
        for arguments in [["import", list], ["import", list, "--json"]] {
            try expectOutcome(Programs.run("podcastctl", ["--socket", daemon.socketPath] + arguments), 65)
        }
    }

    @Test func everyDirectoryThatFailsIsNamed() throws {
        let scratch = try Scratch()
        let config = try scratch.file(
            "podcastd.conf",
            """
            [directories]
            apple_url = http://127.0.0.1:1
            fyyd_url = http://127.0.0.1:1
            gpodder_url = http://127.0.0.1:1
            """)
        let daemon = try RunningDaemon(in: scratch, arguments: ["--config", config])
        let ending = try daemon.ctl("find", "one")
        #expect(ending.status == 69 || ending.status == 75)
        for name in ["Apple Podcasts: ", "fyyd: ", "gpodder.net: "] {
            expectContains(ending.errors, name, "\(ending)")
        }
    }

    @Test func aListOfFeedsNamesThoseWithoutEpisodes() throws {
        let published = try PublishedFeed(episodes: [("One", [1])])
        let texts =
            "<rss version=\"2.0\"><channel><title>Only words</title><item><title>Text</title></item></channel></rss>"
        let words = published.server.serve(
            "/words.xml", .resource(Resource(Array(texts.utf8), contentType: "application/rss+xml")))
        let daemon = try RunningDaemon()
        let list = try daemon.scratch.file("urls", "\(words.url)\n\(published.feed.url) \"tag\"\n")
        let outcome = try daemon.ctl("import", list)
        expectOutcome(outcome, 0, errors: "Only words: no episode with audio or video", "podcastctl unsubscribe f1")
        #expect(!outcome.errors.contains("Test feed"))
    }

    @Test func directoriesAreSearchedWhileARefreshWaits() throws {
        let scratch = try Scratch()
        let server = try LoopbackServer()
        let body = #"{"results":[{"collectionName":"One","artistName":"Ann","feedUrl":"https://one.example/f"}]}"#
        let apple = server.serve("/search", .resource(Resource(Array(body.utf8), contentType: "text/json")))
        let config = try scratch.file(
            "podcastd.conf", "[directories]\napple_url = \(server.url(""))\nfyyd = off\ngpodder = off\n")
        let daemon = try RunningDaemon(in: scratch, arguments: ["--config", config])
        try expectOutcome(daemon.ctl("find", "one", "show"), 0, output: "https://one.example/f", "Ann")
        expectEqual(apple.requests.first?.query?.hasSuffix("term=one%20show"), true)
        let json = try JSONValue(parsing: try daemon.ctl("find", "--json", "one").output)
        expectEqual(json["shows"]?.arrayValue?[0]["title"], "One")
    }
}
