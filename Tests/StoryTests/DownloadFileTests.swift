import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import SystemCalls
import Testing
import TestSupport

/// The files of downloads, with the installed programs.
extension DownloadTests {
    @Test func downloadsAreCopiedUnderReadableNames() throws {
        let audio = try fixture("one-and-a-half-seconds.mp3")
        let opus: [UInt8] = Array("OggS".utf8) + [UInt8](repeating: 0, count: 24) + Array("OpusHead".utf8) + Self.audio
        let published = try PublishedFeed(
            title: "A/B: Talk", episodes: [("What? “Ü” &lt;1&gt;.", audio), ("Twin", Self.audio), ("Other", opus)])
        let server = try LoopbackServer()
        let second = try PublishedFeed(
            title: "A/B: Talk", episodes: [("x", audio), ("Twin", [UInt8](Self.audio.reversed()) + [1])], on: server)
        let daemon = try RunningDaemon()
        let client = try daemon.connect(subscribing: published.feed.url)
        try client.call(Subscribe { $0.urls = [second.feed.url] })
        let folder = daemon.scratch.path + "/phone"
        try expectOutcome(daemon.ctl("download", "f1", "--to", folder), 73, errors: "not a folder")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try expectOutcome(daemon.ctl("download", "f1", "--to", folder), 0, output: "copied: ")
        #expect(try !daemon.ctl("download", "f1", "--limit", "1").output.contains("there are more"))
        let twins = try client.call(ListEpisodes { ($0.feed, $0.search) = ("f2", "Twin") }).episodes
        let twin = try #require(twins.first).episode.id.label
        for _ in 1...2 { try expectOutcome(daemon.ctl("download", twin, "--to", folder), 0) }
        try expectOutcome(daemon.ctl("download", "f1", "--to", folder + "/"), 0, output: "already there: \(folder)/2")
        try expectEqual(
            FileManager.default.contentsOfDirectory(atPath: folder).sorted(),
            [
                "2026-09-26 A_B_ Talk - Other.opus", "2026-09-27 A_B_ Talk - Twin [\(twin)].mp3",
                "2026-09-27 A_B_ Talk - Twin.mp3", "2026-09-28 A_B_ Talk - What_ “Ü” _1_.mp3",
            ])
        try expectEqual(
            [UInt8](Data(contentsOf: URL(filePath: folder + "/2026-09-26 A_B_ Talk - Other.opus"))), opus)
        let path = try daemon.ctl("downloads", "--format", "{path}").output.split(separator: "\n").first.map(
            String.init)
        try expectContains(daemon.ctl("show", "Other").output, "path:")
        #expect(try FileManager.default.fileExists(atPath: #require(path)))
    }

    @Test func titlesThatBecomeOneNameGetAFileEach() throws {
        let long = String(repeating: "a", count: 190)
        let titles = ["Ep: 1", "Ep? 1", "Ep/ 1", "News", "NEWS", long + "1", long + "2"]
        let server = try LoopbackServer()
        let files = titles.indices.map { server.serve("/\($0).mp3", .resource(Resource(Self.audio))) }
        let items = zip(titles, files).map { title, file in
            """
            <item><title>\(title)</title><guid>\(file.url)</guid><pubDate>Mon, 28 Sep 2026 07:00:00 +0000</pubDate>
            <enclosure url="\(file.url)" type="audio/mpeg"/></item>
            """
        }
        let text = "<rss version=\"2.0\"><channel><title>Show</title>\(items.joined())</channel></rss>"
        let feed = server.serve("/feed.xml", .resource(Resource(Array(text.utf8), contentType: "application/rss+xml")))
        let daemon = try RunningDaemon()
        _ = try daemon.connect(subscribing: feed.url)
        let folder = daemon.scratch.path + "/phone"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for _ in 1...2 {
            try expectOutcome(daemon.ctl("download", "f1", "--to", folder), 0)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            expectEqual(Set(names.map { $0.lowercased() }).count, titles.count, "\(names.sorted())")
            #expect(files.allSatisfy { !$0.requests.isEmpty })
        }
    }

    @Test func whatArrivedIsCopiedAlthoughAnotherDownloadFails() throws {
        let published = try PublishedFeed(
            episodes: [("here.MP3", Self.audio), ("Gone", Self.audio), ("New", Self.audio)])
        let gone = published.server.serve("/1.mp3", .status(404))
        let daemon = try RunningDaemon()
        _ = try subscribed(published, daemon)
        let folder = daemon.scratch.path + "/player"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try expectOutcome(daemon.ctl("download", "--wait", "here.MP3"), 0)
        let outcome = try daemon.ctl("download", "Test feed", "--to", folder)
        expectOutcome(
            outcome, 75, output: "copied: \(folder)/2026-09-28 Test feed - here.mp3", "failed: Gone",
            errors: "Gone: ", "not found (HTTP 404)")
        expectEqual(gone.requests.count, 1)
        try expectEqual(
            FileManager.default.contentsOfDirectory(atPath: folder).sorted(),
            ["2026-09-26 Test feed - New.mp3", "2026-09-28 Test feed - here.mp3"])

        // What cannot be written is reported for each file.
        let full = daemon.scratch.path + "/other"
        for name in ["2026-09-28 Test feed - here.mp3", "2026-09-28 Test feed - here [e1].mp3"] {
            try FileManager.default.createDirectory(
                atPath: "\(full)/\(name)", withIntermediateDirectories: true)
        }
        let quiet = try daemon.ctl("download", "-q", "here.MP3", "New", "--to", full)
        expectOutcome(quiet, 73, errors: "cannot copy 'here.MP3'")
        expectEqual(quiet.output, "")
        #expect(FileManager.default.fileExists(atPath: full + "/2026-09-26 Test feed - New.mp3"))
    }

    @Test func aHeardDownloadIsListedAndDeletedAndUnsubscribingFreesTheFiles() throws {
        let published = try PublishedFeed(episodes: [("Heard", Self.audio), ("Kept", Self.audio)])
        let daemon = try RunningDaemon()
        let client = try subscribed(published, daemon)
        try expectOutcome(daemon.ctl("download", "--wait", "Test feed"), 0)
        try client.call(MarkEpisodes { ($0.mark, $0.what) = (.played, ["Heard"]) })
        let rows = try client.call(ListDownloads()).rows
        expectEqual(rows.map(\.title), ["Kept", "Heard"])
        expectEqual(rows.map(\.state), [.downloaded, .cached])
        expectEqual(rows.compactMap(\.path).count, 2)
        try expectEqual(client.call(ListDownloads { $0.after = rows[0].key }).rows.map(\.title), ["Heard"])
        try expectEqual(client.call(ListDownloads { $0.after = rows[1].key }).rows.map(\.title), [])
        try expectOutcome(daemon.ctl("delete", "Heard"), 0, output: "deleted the file of 1 episode")
        try expectEqual(cachedFiles(daemon).count, 1)
        try client.call(Unsubscribe { $0.feeds = ["Test feed"] })
        try expectEqual(cachedFiles(daemon), [])
        try client.call(Undo())
        try waitForDownloads(["Kept"], client)
        try expectEqual(cachedFiles(daemon).count, 1)
    }

    @Test func deleteAsksOnlyAboutWhatIsDownloaded() throws {
        let published = try PublishedFeed(episodes: (1...12).map { ("Still \($0)", Self.audio) })
        let daemon = try RunningDaemon()
        _ = try subscribed(published, daemon)
        try expectOutcome(daemon.ctl("download", "--wait", "Still 12"), 0)
        try expectOutcome(daemon.ctl("delete", "still"), 64, errors: "'still' is only a part of the title 'Still 12'")
        try expectOutcome(daemon.ctl("download", "--wait", "Still 3"), 0)
        let several = try daemon.ctl("delete", "still")
        expectContains(several.errors, "Still 12")
        #expect(!several.errors.contains("Still 5"), "\(several.errors)")
        try expectOutcome(daemon.ctl("delete", "Still 3"), 0, output: "deleted the file of 1 episode")
        try expectOutcome(daemon.ctl("delete", "--yes", "still"), 0, output: "deleted the file of 1 episode")
    }
}
