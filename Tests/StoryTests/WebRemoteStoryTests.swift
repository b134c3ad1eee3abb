import ControlLanguage
import ControlProtocol
import Foundation
import JSON
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// A listener at the web remote, in a real browser with a real daemon.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct WebRemoteStoryTests {
    @Test func aListenerSubscribesSearchesQueuesPlaysNotesAndSets() throws {
        try RequiredTool.chromium.path()
        try RequiredTool.chromedriver.path()
        let python = try RequiredPython.path(with: "selenium, axe_core_python")
        // Two minutes, so that it still plays after a seek by 30 seconds when a slow browser pauses it.
        let audio = Array(repeatElement(try fixture("forty-seconds.mp3"), count: 3).joined())
        let published = try PublishedFeed(
            episodes: [("Alpha talk", audio), ("Beta talk", audio), ("Gamma talk", audio)])
        let daemon = try RunningDaemon()
        let hash = try passwordHash(in: daemon.scratch)
        let gateway = try RunningGateway(
            daemon: daemon.socketPath, in: daemon.scratch,
            settings: "[server]\nlocal = read\n[users]\nanna = admin \(hash)",
            hasPort: true)
        let result = try Programs.run(
            Launch(
                python,
                [RequiredPython.script("web_story.py"), gateway.url, published.feed.url, "anna", "open sesame"],
                environment: ["PATH=/usr/bin:/bin", "HOME=\(daemon.scratch.path)"]), timeout: .seconds(300))
        expectEqual(result.status, 0, "\(result.errors.suffix(9000))")
        let episode = try #require(
            try daemon.connect().call(ListEpisodes()).episodes.first { $0.episode.title == "Gamma talk" })
        expectEqual(episode.episode.state.note, "hear it again")
        #expect(episode.episode.state.isStarred)
    }
}
