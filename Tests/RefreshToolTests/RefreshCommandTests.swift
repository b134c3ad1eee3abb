import CommandLineTool
import Foundation
import JSON
import Library
import LoopbackServer
import PodcastModel
import Testing
import TestSupport

@Suite(.ownThread) struct RefreshCommandTests {
    private let rig: RefreshRig

    init() throws { rig = try RefreshRig() }

    @Test func onlyAddAndImportMakeALibrary() throws {
        rig.variables["XDG_DATA_HOME"] = rig.folder.path + "/none"
        for (folder, arguments) in [
            (rig.data, ["--data-dir", rig.data, "--quiet"]), (rig.folder.path + "/none/podcastd", ["--quiet"]),
            (rig.data + "-elsewhere", ["--data-dir", rig.data + "-elsewhere", "texts", "e1"]),
            (rig.data + "-elsewhere", ["--data-dir", rig.data + "-elsewhere", "export"]),
        ] {
            try expectOutcome(rig.run(arguments), .noInput, errors: "no library in \(folder)", "--data-dir DIR")
            #expect(!FileManager.default.fileExists(atPath: folder + "/library.db"))
        }
        #expect(!FileManager.default.fileExists(atPath: rig.folder.path + "/none"))
    }

    @Test func aLibraryWithoutFeedsHasNothingToDo() throws {
        _ = try rig.store()
        let ending = try rig.run()
        expectEqual(ending.status, .success)
        expectEqual(ending.output, "No feed is due; --force fetches all feeds now.\n")
    }

    @Test func anUnchangedFeedIsAskedWithItsValidatorAndKeepsItsRows() throws {
        let endpoint = try rig.publish("two-episodes.xml")
        try expectEqual(rig.run("add", endpoint.url).status, .success)
        let before = try rig.store().episodes.page(EpisodeFilter(), order: .newestFirst, at: .first, limit: 10)
        let ending = try rig.run("--force", "--json")
        expectEqual(ending.status, .success)
        expectEqual(endpoint.requests.map { $0["if-none-match"] }, [nil, "\"1\""])
        let feed = try #require(ending.json["feeds"]?.arrayValue?.first)
        #expect(feed["outcome"] == "unchanged" && feed["status"] == 304)
        try expectEqual(rig.store().episodes.page(EpisodeFilter(), order: .newestFirst, at: .first, limit: 10), before)
        try expectEqual(rig.store().feeds.feed(FeedID(1)).health.httpStatus, 304)
    }

    @Test func ofAChangedFeedOnlyTheChangedEpisodesAreWritten() throws {
        let url = try rig.publish("two-episodes.xml")
        try expectEqual(rig.run("add", url.url).status, .success)
        try rig.publish("three-episodes-one-renamed.xml", etag: "\"2\"")
        let ending = try rig.run("--force", "--json")
        let feed = try #require(ending.json["feeds"]?.arrayValue?.first)
        #expect(feed["outcome"] == "merged" && feed["new"] == 1 && feed["changed"] == 1)
        expectEqual(ending.json["summary"]?["newEpisodes"], 1)
        try expectEqual(rig.titles(), ["The third", "The second, renamed", "The first"])
    }

    @Test func aHostWithoutValidatorsCostsNoMerge() throws {
        let endpoint = try rig.publish("two-episodes.xml", etag: nil)
        try expectEqual(rig.run("add", endpoint.url).status, .success)
        let ending = try rig.run("--force", "--json")
        let feed = try #require(ending.json["feeds"]?.arrayValue?.first)
        #expect(feed["outcome"] == "unchanged" && feed["status"] == 200)
    }

    @Test func aFeedThatIsNotDueIsLeftAloneUnlessItIsNamed() throws {
        let endpoint = try rig.publish("two-episodes.xml")
        try expectEqual(rig.run("add", endpoint.url).status, .success)
        try expectEqual(rig.run().output, "No feed is due; --force fetches all feeds now.\n")
        expectEqual(endpoint.requests.count, 1)
        try expectEqual(rig.run("two epi").status, .success)
        expectEqual(endpoint.requests.count, 2)
        try expectEqual(rig.run("nonesuch").status, .noInput)
    }

    @Test func newEpisodesAreToldAndQuietTellsNothing() throws {
        let endpoint = try rig.publish("two-episodes.xml")
        try expectEqual(rig.run("add", endpoint.url).status, .success)
        try rig.publish("three-episodes-one-renamed.xml", etag: "\"2\"")
        try expectEqual(rig.run("--force").output, "Two episodes: 1 new episode\n1 feed refreshed, 1 new episode\n")
        let quiet = try rig.run("--force", "--quiet")
        #expect(quiet.output == "" && quiet.errors == "")
    }

    @Test func aPermanentRedirectIsFollowedForGoodWhenItIsSeenTwice() throws {
        let old = try rig.publish("two-episodes.xml", at: "/old")
        try expectEqual(rig.run("add", old.url).status, .success)
        let new = try rig.publish("two-episodes.xml", at: "/new")
        rig.serve("/old", .redirect(301, to: "/new"))
        try expectEqual(rig.run("--force", "--json").json["feeds"]?.arrayValue?.first?["movedTo"], .string(new.url))
        try expectEqual(rig.store().feeds.feed(FeedID(1)).url, old.url)
        try expectEqual(rig.run("--force").status, .success)
        try expectEqual(rig.store().feeds.feed(FeedID(1)).url, new.url)
        try expectEqual(rig.titles().count, 2)
    }

    @Test func aSecondRefreshSaysWhoIsAtWorkAndALaterOneWorks() throws {
        _ = try rig.store()
        do {
            let lock = try LibraryLock(.refresher, in: rig.data)
            try expectOutcome(rig.run(), .tryAgain, errors: "process \(ProcessInfo.processInfo.processIdentifier)")
            withExtendedLifetime(lock) {}
        }
        try expectEqual(rig.run().status, .success)
    }

    @Test func theDataFolderComesFromTheEnvironment() throws {
        let places = [
            ["STATE_DIRECTORY": rig.file("state") + ":/elsewhere"], ["XDG_DATA_HOME": rig.file("xdg")],
            ["HOME": rig.file("home")],
        ]
        for (variables, path) in zip(places, ["state", "xdg/podcastd", "home/.local/share/podcastd"]) {
            rig.variables = variables
            try expectOutcome(rig.run([]), .noInput, errors: "no library in \(rig.file(path))")
        }
        rig.variables = [:]
        try expectEqual(rig.run([]).status, .configuration)
    }

    @Test func aTerminalSeesALineThatGoesAwayAgain() throws {
        rig.terminal = .init(isInteractive: true, width: 40, usesStyle: false)
        let gate = Gate()
        let endpoint = rig.serve("/feed.xml") { _ in .after(.gate(gate), .status(404)) }
        try expectEqual(rig.run("add", "http://127.0.0.1:1/").status, .tryAgain)
        _ = try rig.store().feeds.addFeed(url: endpoint.url, title: "Slow", at: Timestamp(seconds: 0))
        let errors = rig.file("err")
        let opener = Thread {
            _ = gate.waitForArrival()
            // Writing to a file notifies no reader, so the file is polled.
            for _ in 0..<3000 where (try? String(contentsOfFile: errors, encoding: .utf8))?.contains("0 of 1") != true {
                usleep(10_000)
            }
            gate.open()
        }
        opener.start()
        let ending = try rig.run("--force")
        expectContains(ending.errors, "\r\u{1B}[KRefreshing feeds 0 % 0 of 1")
        expectContains(ending.errors, "\r\u{1B}[Kpodcast-refresh: Slow (\(endpoint.url)): not found (HTTP 404)")
    }
}
