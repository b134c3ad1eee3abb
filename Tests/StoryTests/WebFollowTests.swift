import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// Pages of the web remote while another client changes the library, and while the daemon is away.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct WebFollowTests {
    @Test func pagesFollowOtherClientsAndKeepFocusAndDrafts() throws {
        try RequiredTool.chromium.path()
        try RequiredTool.chromedriver.path()
        let python = try RequiredPython.path(with: "selenium, axe_core_python")
        // Ten minutes, so that it still plays when the browser is slow.
        let audio = Array(repeatElement(try fixture("forty-seconds.mp3"), count: 15).joined())
        let published = try PublishedFeed(
            episodes: ["Alpha", "Beta", "Gamma", "Delta", "Epsilon"].map { ("\($0) talk", audio) })
        let daemon = try RunningDaemon()
        let relay = daemon.scratch.path + "/relay"
        let gateway = try RunningGateway(
            daemon: relay, in: daemon.scratch, settings: "[server]\nlocal = admin\n", hasPort: true)
        let result = try Programs.run(
            Launch(
                python,
                [
                    RequiredPython.script("web_follow.py"), gateway.url, published.feed.url, relay, daemon.socketPath,
                ],
                environment: ["PATH=/usr/bin:/bin", "HOME=\(daemon.scratch.path)"]), timeout: .seconds(400))
        expectEqual(result.status, 0, "\(result.errors.suffix(9000))")
    }
}
