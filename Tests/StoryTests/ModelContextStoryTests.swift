import ControlLanguage
import ControlProtocol
import Foundation
import JSON
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// A language model's client, the protocol's official SDK, at podcast-mcp with a real daemon.
@Suite(.ownThread, .timeLimit(.minutes(5)))
struct ModelContextStoryTests {
    private let daemon: RunningDaemon
    private let published: PublishedFeed

    init() throws {
        let audio = try fixture("forty-seconds.mp3")
        published = try PublishedFeed(episodes: [("Alpha talk", audio), ("Beta talk", audio)])
        daemon = try RunningDaemon()
        try daemon.connect().call(Subscribe { $0.urls = [published.feed.url] })
    }

    private func converse(_ mode: String, _ options: [String]) throws -> JSONValue {
        let result = try Programs.run(
            Launch(
                try RequiredPython.path(with: "mcp"),
                [RequiredPython.script("mcp_story.py"), mode, Programs.path("podcast-mcp"), "--socket"]
                    + [daemon.socketPath] + options,
                environment: ["PATH=/usr/bin:/bin", "HOME=\(daemon.scratch.path)"]))
        try #require(result.status == 0, "\(result.errors.suffix(2000))")
        return try JSONValue(parsing: result.output)
    }

    @Test(arguments: ["legacy", "auto"])
    func aReadingClientListsToolsAndCallsThem(_ mode: String) throws {
        let found = try converse(mode, ["--all-tools"])
        expectEqual(found["version"], mode == "legacy" ? "2025-11-25" : "2026-07-28")
        #expect(found["pages"]?.integerValue ?? 0 > 1)
        guard case .object(let tools)? = found["tools"] else { return #expect(Bool(false), "no tools") }
        #expect(tools.allSatisfy { $0.value == true }, "only tools that read are offered")
        guard case .object(let results)? = found["results"] else { return #expect(Bool(false), "no results") }
        #expect(results.count > 15)
        // Nothing plays whose chapters could be listed.
        expectEqual(results.filter { $0.value != true }.map(\.name), ["episodes_chapters"])
        expectEqual(found["episode"], "Beta talk")
        expectEqual(found["failure"]?.arrayValue?.first, true)
        expectEqual(found["failure"]?.arrayValue?.last?.stringValue?.contains("no such episode"), true)
    }

    @Test func aClientWithMorePermissionChangesTheQueue() throws {
        let found = try converse("legacy", ["--permission", "control", "--all-tools"])
        expectEqual(found["tools"]?["queue_clear"], false)
        expectEqual(found["tools"]?["feeds_subscribe"], nil)
        expectEqual(found["added"], 1)
        try expectEqual(daemon.connect().call(ListQueue()).extent.length, 1)
    }

    /// The answers of podcast-mcp to lines on its input.
    private func answers(
        to lines: String..., options: [String] = [], socket: String? = nil
    ) throws -> Outcome<Int32?> {
        let opening =
            #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#
        let input = try daemon.scratch.file("lines", ([opening] + lines).joined(separator: "\n"))
        return try Programs.run(
            Launch(
                "/bin/sh",
                ["-c", "exec \"$@\" <'\(input)'", "sh", Programs.path("podcast-mcp")] + options
                    + ["--socket", socket ?? daemon.socketPath],
                environment: ["PATH=/usr/bin:/bin", "HOME=/nonexistent"]))
    }

    private static let status =
        #"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"status_get"}}"#

    @Test func theDaemonItselfHoldsTheSessionToItsPermission() throws {
        let result = try answers(to: Self.status)
        expectEqual(result.status, 0)
        let answers = try result.output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
        expectEqual(answers.count, 2, "input that ends without a line feed is answered, too")
        let text = answers.last?["result"]?["content"]?.arrayValue?.last?["text"]?.stringValue ?? ""
        try expectEqual(JSONValue(parsing: text)["state"], "stopped")
    }

    @Test func oneCallPlaysTheNewestEpisodeAboutSomething() throws {
        let result = try answers(
            to:
                #"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"playback_play","arguments":{"search":"talk","speed":1.5}}}"#,
            options: ["--permission", "control"])
        expectContains(result.output, #""isError":false"#)
        let player = try daemon.connect().call(GetStatus()).player
        #expect(player.episode?.title == "Alpha talk" && player.speed == 1.5)
    }

    @Test func withoutADaemonACallFailsAndTheSessionContinues() throws {
        try expectOutcome(
            answers(to: Self.status, #"{"jsonrpc":"2.0","id":3,"method":"ping"}"#, "", socket: "/nonexistent/control"),
            0, output: "podcastd is not running", #""isError":true"#, #"{"jsonrpc":"2.0","id":3,"result":{}}"#)
    }
}
