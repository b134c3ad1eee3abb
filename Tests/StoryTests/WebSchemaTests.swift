import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import SystemCalls
import TestSupport
import Testing

/// podcast-web against the description that it gives of itself.
@Suite(.ownThread, .timeLimit(.minutes(30)))
struct WebSchemaTests {
    /// Schemathesis sends requests that keep to the document and ones that violate it, for each operation, and compares status,
    /// type and contents of the answers with the document.
    @Test func everyAnswerIsAsTheDocumentSays() throws {
        let python = try RequiredPython.path(with: "schemathesis")
        let published = try PublishedFeed(episodes: [("Alpha talk", try fixture("forty-seconds.mp3"))])
        let daemon = try RunningDaemon()
        try daemon.connect().call(Subscribe { $0.urls = [published.feed.url] })
        let made = try Programs.run("podcast-web", ["--new-token", "tester"]).output.split(separator: "\n")
        let secret = try #require(made.first?.split(separator: " ").last)
        let line = try #require(made.last).replacing("= read", with: "= admin")
        let gateway = try RunningGateway(
            daemon: daemon.socketPath, in: daemon.scratch, settings: "[tokens]\n\(line)\n", hasPort: true)
        let result = try Programs.run(
            Launch(
                "/bin/sh",
                [
                    "-c", "cd \"$HOME\" && exec \"$0\" \"$@\"", python, "-m", "schemathesis.cli", "--config-file",
                    RequiredPython.script("schemathesis.toml"), "run",
                    gateway.url + "api/v1/openapi.json", "-H", "Authorization: Bearer \(secret)", "--seed", "1",
                    "--max-examples", "2", "--generation-database", "none", "--warnings", "off",
                ],
                environment: [
                    "PATH=/usr/bin:/bin", "HOME=\(daemon.scratch.path)", "LANG=C.UTF-8", "NO_PROXY=localhost",
                ]), timeout: .seconds(1500))
        expectEqual(result.status, 0, "\(result.output.suffix(9000))\n\(result.errors.suffix(2000))")
        expectEqual(gateway.stop(), .exited(0))
    }
}
