import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// Two podcastds that synchronize, and the library of one of them is replaced by its backup.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct RestoredLibraryStoryTests {
    private let published: PublishedFeed
    private let other: PublishedFeed
    private let third: PublishedFeed

    init() throws {
        let audio = try fixture("forty-seconds.mp3")
        published = try PublishedFeed(episodes: [("Alpha talk", audio), ("Beta talk", audio)])
        other = try PublishedFeed(title: "Other feed", episodes: [("Gamma talk", audio)])
        third = try PublishedFeed(title: "Third feed", episodes: [("Delta talk", audio)])
    }

    /// Waits until a daemon has these feeds and no others, with their episodes.
    private func wait(for feeds: Set<String>, of daemon: RunningDaemon) throws {
        let client = try daemon.connect(watching: .feeds, .episodes)
        while try Set(client.call(ListFeeds()).rows.map(\.feed.title)) != feeds { try client.change(of: .feeds) }
        // The first feed has two episodes, each other one has one.
        while try client.call(ListEpisodes()).episodes.count != feeds.count + 1 {
            try client.change(of: .episodes)
        }
    }

    /// Acts after the backup come to both sides. Then the backup replaces the library of one side, while podcast-sync and
    /// podcast-web run on.
    @Test(arguments: ["here", "there"]) func whatWasDoneSinceTheBackupComesBack(restored: String) throws {
        let (here, there) = (try Scratch(), try Scratch())
        var laptop = try RunningDaemon(in: here, trustsLoopback: true)
        var home = try RunningDaemon(in: there, trustsLoopback: true)
        let web = try RunningGateway(
            daemon: home.socketPath, in: there, settings: pairing, hasPort: true)
        try home.connect().call(Subscribe { $0.urls = [published.feed.url, other.feed.url] })
        let program = try syncing(laptop, with: ["home = podcastd \(web.url) \(pairedLogin)"])
        try wait(for: ["Test feed", "Other feed"], of: laptop)
        try expectOutcome(laptop.ctl("sync", "now"), 0)

        func stop() { expectEqual((restored == "here" ? laptop : home).stop(), .exited(0)) }
        func start() throws {
            if restored == "here" {
                laptop = try RunningDaemon(in: here, trustsLoopback: true)
            } else {
                home = try RunningDaemon(in: there, trustsLoopback: true)
            }
        }
        let folder = restored == "here" ? here : there
        let (data, backup) = (folder.path + "/data", folder.path + "/backup")
        stop()
        try FileManager.default.copyItem(atPath: data, toPath: backup)
        try start()
        let present: Set<String> = ["Test feed", "Third feed"]
        try laptop.connect().call(Subscribe { $0.urls = [third.feed.url] })
        try expectOutcome(laptop.ctl("unsubscribe", "Other feed"), 0)
        try expectOutcome(laptop.ctl("position", "Alpha talk", "0:17"), 0)
        try wait(for: present, of: home)
        try expectOutcome(laptop.ctl("sync", "now"), 0)

        stop()
        try FileManager.default.removeItem(atPath: data)
        try FileManager.default.moveItem(atPath: backup, toPath: data)
        try start()
        for daemon in [laptop, home] {
            try wait(for: present, of: daemon)
            let client = try daemon.connect(watching: .episodes)
            while try !client.call(ListEpisodes()).episodes.contains(where: { $0.episode.state.position.seconds == 17 })
            {
                try client.change(of: .episodes)
            }
        }
        try expectOutcome(laptop.ctl("sync", "now"), 0)
        for daemon in [laptop, home] { try wait(for: present, of: daemon) }
        expectEqual(program.stop(), .exited(0))
    }

    /// Changes on the restored side hide that its last revision is old.
    @Test func aServerThatWasRestoredAndUsedBeforeItIsSeenAgainGetsWhatItLost() throws {
        let (here, there) = (try Scratch(), try Scratch())
        let laptop = try RunningDaemon(in: here, trustsLoopback: true)
        var home = try RunningDaemon(in: there, trustsLoopback: true)
        let web = try RunningGateway(daemon: home.socketPath, in: there, settings: pairing, hasPort: true)
        try home.connect().call(Subscribe { $0.urls = [published.feed.url] })
        let program = try syncing(laptop, with: ["home = podcastd \(web.url) \(pairedLogin)"])
        try wait(for: ["Test feed"], of: laptop)
        try expectOutcome(laptop.ctl("note", "Beta talk", "--", "before"), 0)
        try expectOutcome(laptop.ctl("sync", "now"), 0)
        expectEqual(program.stop(), .exited(0))
        let (data, backup) = (there.path + "/data", there.path + "/backup")
        expectEqual(home.stop(), .exited(0))
        try FileManager.default.copyItem(atPath: data, toPath: backup)

        home = try RunningDaemon(in: there, trustsLoopback: true)
        try expectOutcome(laptop.ctl("star", "Alpha talk"), 0)
        let second = try syncing(laptop, with: ["home = podcastd \(web.url) \(pairedLogin)"])
        let client = try home.connect(watching: .episodes)
        func isStarred() throws -> Bool {
            try client.call(ListEpisodes()).episodes.contains { $0.episode.state.isStarred }
        }
        while try !isStarred() { try client.change(of: .episodes) }
        expectEqual(second.stop(), .exited(0))
        expectEqual(home.stop(), .exited(0))
        try FileManager.default.removeItem(atPath: data)
        try FileManager.default.moveItem(atPath: backup, toPath: data)

        home = try RunningDaemon(in: there, trustsLoopback: true)
        try expectOutcome(home.ctl("note", "Alpha talk", "--", "after the restore"), 0)
        let third = try syncing(laptop, with: ["home = podcastd \(web.url) \(pairedLogin)"])
        let restored = try home.connect(watching: .episodes)
        while try !restored.call(ListEpisodes()).episodes.contains(where: { $0.episode.state.isStarred }) {
            try restored.change(of: .episodes)
        }
        try expectOutcome(laptop.ctl("sync", "now"), 0)
        try #expect(
            laptop.connect().call(ListEpisodes()).episodes.contains { $0.episode.state.note == "after the restore" })
        expectEqual(third.stop(), .exited(0))

    }

    @Test func aLibraryFromAnOldBackupUndoesNothingThereAndKeepsWhatWasDoneSince() throws {
        let home = try SyncHome()
        try home.client.call(Subscribe { $0.urls = [published.feed.url] })
        try expectOutcome(home.daemon.ctl("add", "Alpha talk"), 0)
        let (used, restored) = (try Scratch(), try Scratch())
        let before = try RunningDaemon(in: used, trustsLoopback: true)
        let begun = try syncing(before, with: [home.account("podcastd")])
        try wait(for: ["Test feed"], of: before)
        try expectOutcome(before.ctl("sync", "now"), 0)
        expectEqual(begun.stop(), .exited(0))
        expectEqual(before.stop(), .exited(0))
        try FileManager.default.copyItem(atPath: used.path + "/data", toPath: restored.path + "/data")

        let after = try RunningDaemon(in: used, trustsLoopback: true)
        let next = try syncing(after, with: [home.account("podcastd")])
        for words in [
            ["star", "Alpha talk"], ["clear"], ["set", "Test feed", "tags", "News"],
            ["playlist", "Long", "save", "longer:30m"],
        ] {
            try expectOutcome(after.ctl(words), 0)
        }
        try expectOutcome(after.ctl("sync", "now"), 0)
        expectEqual(next.stop(), .exited(0))
        expectEqual(after.stop(), .exited(0))
        let shared = try home.client.call(ListChanges()).changes

        let old = try RunningDaemon(in: restored, trustsLoopback: true)
        try expectOutcome(old.ctl("note", "Beta talk", "--", "after the restore"), 0)
        let again = try syncing(old, with: [home.account("podcastd")])
        while try home.client.call(ListEpisodes()).episodes.first(where: { $0.episode.title == "Beta talk" })?.episode
            .state.note != "after the restore"
        { try home.client.change(of: .episodes) }
        try expectOutcome(old.ctl("sync", "now"), 0)
        let there = try home.client.call(ListChanges()).changes
        #expect(Array(there.dropLast()) == shared && there.count == shared.count + 1, "\(there)")
        try #expect(old.connect().call(ListEpisodes()).episodes.contains { $0.episode.state.isStarred })
        expectEqual(again.stop(), .exited(0))
    }
}
