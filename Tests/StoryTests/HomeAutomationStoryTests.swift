import ControlLanguage
import ControlProtocol
import Foundation
import JSON
import LoopbackServer
import SystemCalls
import TestSupport
import Testing

/// The examples of docs/home-automation.md, as they are there.
@Suite(.ownThread, .timeLimit(.minutes(5)))
struct HomeAutomationStoryTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// The code blocks of a language.
    private func blocks(_ language: String) throws -> [String] {
        try DocumentBlocks.all(of: language, in: "home-automation.md")
    }

    private func parsed(_ yaml: String) throws -> JSONValue {
        let input = try scratch.file("block.yaml", yaml)
        let result = try Programs.run(
            Launch(
                "/bin/sh",
                [
                    "-c", "exec \"$1\" \"$2\" <\"$3\"", "sh", RequiredPython.path(with: "yaml"),
                    RequiredPython.script("yaml_to_json.py"),
                ]
                    + [input], environment: ["PATH=/usr/bin:/bin"]))
        try #require(result.status == 0, "\(result.errors)")
        return try JSONValue(parsing: result.output)
    }

    @Test func everyCommandOfTheConfigurationWorks() throws {
        let published = try PublishedFeed(
            title: "Morning News", episodes: [("Today", try fixture("forty-seconds.mp3"))])
        let daemon = try RunningDaemon(in: scratch)
        try daemon.connect().call(Subscribe { $0.urls = [published.feed.url] })
        let token = try Programs.run("podcast-web", ["--new-token", "home-assistant"]).output.split(separator: "\n")
        let line = try #require(token.last).replacing("= read", with: "= control")
        let secret = try #require(token.first?.split(separator: " ").last)
        let gateway = try RunningGateway(
            daemon: daemon.socketPath, in: scratch,
            settings: "[server]\nlocal = none\nhosts = podcasts.lan\n[tokens]\n\(line)\n")
        let configuration = try parsed(try #require(try blocks("yaml").first { $0.contains("rest_command:") }))
        let secrets = try parsed(try #require(try blocks("yaml").first { $0.hasPrefix("podcastd_token:") }))
        expectEqual(secrets["podcastd_token"], "Bearer home-assistant.SECRET")
        let authorization = "Authorization: Bearer \(secret)"

        // Home Assistant's templates, filled in.
        let values = [
            "{{ what | to_json }}": "\"Morning News\"", "{{ level }}": "40", "{{ when | to_json }}": "\"30m\"",
        ]
        guard case .object(let commands)? = configuration["rest_command"] else {
            Issue.record("no commands")
            return
        }
        expectEqual(commands.count, 6)
        let bell = published.server.serve("/bell.mp3", .resource(Resource(try fixture("one-and-a-half-seconds.mp3"))))
        for command in commands {
            let url = try #require(command.value["url"]?.stringValue.flatMap(URL.init))
            expectEqual(command.value["headers"]?["Authorization"], "secret:podcastd_token")
            #expect(command.value["content_type"] == "application/json" && command.value["method"] == "post")
            let payload = values.reduce(command.value["payload"]?.stringValue ?? "") {
                let isMessage = command.name == "podcast_announce" && $1.key.contains("what")
                return $0.replacing($1.key, with: isMessage ? "\"\(bell.url)\"" : $1.value)
            }
            let answer = try gateway.connect().ask(
                "POST", url.path, [authorization, "Content-Type: application/json"], body: payload)
            expectEqual(answer.status, 200, "\(command.name): \(answer.text)")
        }
        let watcher = try daemon.connect()
        try watcher.watch([.player])
        if try watcher.call(GetStatus()).player.announcement != nil {
            try watcher.player { $0.announcement == nil && $0.episode != nil }
        }
        let sensor = try #require(configuration["rest"]?.arrayValue?.first)
        let status = try gateway.connect().ask(
            "GET", try #require(sensor["resource"]?.stringValue.flatMap(URL.init)).path, [authorization])
        let state = try JSONValue(parsing: status.text)
        #expect(state["volume"] == 40 && state["sleep"] != nil && state["episode"]?["title"] == "Today")
        for name in sensor["sensor"]?.arrayValue?.first?["json_attributes"]?.arrayValue ?? [] where name != "next" {
            #expect(state[try #require(name.stringValue)] != nil, "\(name)")
        }
        let actions = configuration["automation"]?.arrayValue?.flatMap { $0["actions"]?.arrayValue ?? [] }
        for action in try #require(actions) {
            let name = try #require(action["action"]?.stringValue).replacing("rest_command.", with: "")
            #expect(commands.contains { $0.name == name }, "\(name)")
        }
    }

    @Test func theWebhookGetsTheEvent() throws {
        try RequiredTool.curl.path()
        let text = try DocumentBlocks.text(of: "home-automation.md")
        let line = try #require(
            text.split(separator: "\n").first { $0.hasPrefix("    episode-started = /usr/bin/curl") })
        let server = try LoopbackServer()
        let hook = server.serve("/api/webhook/podcast-SECRET", .status(200))
        let settings = line.replacing("http://homeassistant.lan:8123/api/webhook/podcast-SECRET", with: hook.url)
        let published = try PublishedFeed(episodes: [("Today", try fixture("forty-seconds.mp3"))])
        let daemon = try RunningDaemon(in: scratch)
        let client = try daemon.connect(subscribing: published.feed.url)
        let notifications = try Notifications(path: scratch.path + "/hooks-notify")
        let hooks = try ObservedProgram(
            Programs.path("podcast-hooks"),
            ["--socket", daemon.socketPath, "--config", scratch.file("hooks.conf", "[hooks]\n\(settings)\n")],
            environment: ["NOTIFY_SOCKET=\(notifications.path)"], hasErrors: true)
        try #require(notifications.wait(for: "READY=1"))
        try client.call(Play { $0.what = "Today" })
        #expect(hook.waitForRequests(1))
        let request = try #require(hook.requests.first)
        #expect(request.method == "POST" && request["content-type"] == "application/json")
        #expect(request["content-length"].flatMap { Int($0) } ?? 0 > 100)
        withExtendedLifetime(hooks) {}
        let automation = try parsed(try #require(try blocks("yaml").last))
        let trigger = automation["automation"]?.arrayValue?.first?["triggers"]?.arrayValue?.first
        expectEqual(trigger?["webhook_id"], "podcast-SECRET")
    }

    @Test func theScriptShowsNewEpisodes() throws {
        let script = try scratch.file("new-episodes", try #require(try blocks("python").first))
        let shown = scratch.path + "/shown"
        try ExecutableFile.write(script: "printf '%s\\n' \"$@\" >'\(shown)'", to: scratch.path + "/notify-send")
        let rows = (1...7).map { "{\"feedTitle\":\"Boats\",\"title\":\"Talk \($0)\"}" }.joined(separator: ",")
        let event = try scratch.file("event.json", "{\"event\":\"new-episodes\",\"count\":9,\"episodes\":[\(rows)]}\n")
        try expectOutcome(
            Programs.run(
                Launch(
                    "/bin/sh", ["-c", "exec python3 \"$1\" <\"$2\"", "sh", script, event],
                    environment: ["PATH=\(scratch.path):/usr/bin:/bin"])), 0)
        let text = try String(contentsOfFile: shown, encoding: .utf8)
        #expect(text.hasPrefix("--app-name=podcastd\nNew podcast episodes\nBoats: Talk 1\n"))
        #expect(text.hasSuffix("Boats: Talk 5\nand 4 more\n"))
    }

    @Test func theTableOfEventsIsComplete() throws {
        let text = try DocumentBlocks.text(of: "home-automation.md")
        let help = try Programs.run("podcast-hooks", ["--help"]).output.split(whereSeparator: \.isWhitespace).joined(
            separator: " ")
        let events = help.components(separatedBy: "Events: ").last?.components(separatedBy: "Options:").first ?? ""
        let names = events.split(separator: " ").filter { $0.hasSuffix(":") }.map { $0.dropLast() }
        expectEqual(names.count, 10)
        for name in names { expectContains(text, "`\(name)`", "\(name)") }
    }
}
