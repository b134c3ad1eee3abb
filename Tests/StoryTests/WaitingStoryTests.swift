import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import SystemCalls
import Testing
import TestSupport

/// Long work of podcastctl: `download --wait` and `play --wait`.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct WaitingStoryTests {
    private static let audio = [UInt8](repeating: 0x55, count: 20_000)

    @Test func aScriptWaitsUntilTheFilesAreOnDisk() throws {
        let published = try PublishedFeed(episodes: [("One", Self.audio), ("Two", Self.audio)])
        let daemon = try RunningDaemon()
        try daemon.connect().call(Subscribe { $0.urls = [published.feed.url] })
        try expectOutcome(
            daemon.ctl("download", "--wait", "One", "Two"), 0, output: "downloaded: One\n", "downloaded: Two\n")
        let list = try daemon.connect().call(ListEpisodes { $0.isDownloaded = true })
        expectEqual(list.episodes.count, 2)
        try expectEqual(daemon.ctl("download", "--wait", "One").output, "One: already on disk\n")
    }

    @Test func aScriptIsToldWhichDownloadFailed() throws {
        let published = try PublishedFeed(
            episodes: [("Good", Self.audio), ("Gone", Array("<!DOCTYPE html><html><body>Not here</body></html>".utf8))])
        let daemon = try RunningDaemon()
        try daemon.connect().call(Subscribe { $0.urls = [published.feed.url] })
        let run = try daemon.ctl("download", "--wait", "Good", "Gone")
        expectOutcome(run, 75, errors: "podcastctl: Gone: ")
        #expect(!run.errors.contains("Good"))
    }
}
