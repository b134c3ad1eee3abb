import HTTPServing
import ControlLanguage
import ControlProtocol
import JSON
import PodcastModel
import TestSupport
import Testing
@testable import WebGateway

@Suite struct RouteTests {
    private let routes = WebRoutes()

    private func call(
        _ method: String, _ path: String, _ query: [HTTPField] = [], body: String = ""
    ) throws -> (method: String, params: JSONValue?, command: WebCommand) {
        let headers = body.isEmpty ? [] : [HTTPField("Content-Type", "application/json; charset=utf-8")]
        let request = HTTPRequest(method, path, query: query, headers: headers, body: Array(body.utf8))
        guard case .command(let command) = try routes.plan(for: request) else { throw Unexpected() }
        return (command.declaration.name, try command.parameters(of: request), command)
    }
    private struct Unexpected: Error {}

    private func status(
        _ method: String, _ path: String, _ query: [HTTPField] = [], type: String? = nil, body: String = ""
    )
        -> Int?
    {
        let headers = type.map { [HTTPField("content-type", $0)] } ?? []
        let request = HTTPRequest(method, path, query: query, headers: headers, body: Array(body.utf8))
        do throws(WebProblem) {
            if case .command(let command) = try routes.plan(for: request) { _ = try command.parameters(of: request) }
            return nil
        } catch {
            return error.status
        }
    }

    @Test func everyCommandHasItsPath() throws {
        for command in routes.commands {
            let path = "/api/v1/\(command.declaration.section)/\(command.declaration.verb)"
            let found = try call("POST", path, body: "{}")
            expectEqual(found.method, command.declaration.name)
            expectEqual(found.command.declaration.permission, command.declaration.permission)
            let reading = status("GET", path)
            expectEqual(reading, command.declaration.permission == .read ? nil : 405, "\(path)")
        }
    }

    @Test func everyResourceLeadsToACommandWithItsParameter() throws {
        for route in ResourceRoute.all {
            let command = try #require(routes.commands.first { $0.declaration.name == route.command })
            let hasValue = route.parts.contains { $0.hasPrefix("{") }
            expectEqual(route.parameter(of: command.declaration) != nil, hasValue)
            #expect(
                route.method != "GET" || command.declaration.permission == .read || route.parts.contains("settings"))
        }
    }

    @Test func resourcesPassTheirIdOn() throws {
        try expectEqual(call("GET", "/api/v1/episodes/12").params, ["episode": "e12"])
        try expectEqual(call("DELETE", "/api/v1/queue/3").params, ["what": ["#3"]])
        try expectEqual(call("DELETE", "/api/v1/feeds/4").method, "feeds.unsubscribe")
        let note = try call("PUT", "/api/v1/episodes/12/note", body: #"{"text":"fine"}"#)
        expectEqual(note.params, ["text": "fine", "episode": "e12"])
        let setting = try call("PUT", "/api/v1/settings/playback.after_queue", body: #"{"value":"stop"}"#)
        expectEqual(setting.method, "settings.set")
        expectEqual(setting.params, ["value": "stop", "key": "playback.after_queue"])
        #expect(try call("GET", "/api/v1/feeds/4/picture", [HTTPField("size", "96")]).command.isPicture)
        try expectEqual(call("HEAD", "/api/v1/status").method, "status.get")
    }

    @Test func queriesAreReadByTheirDeclaredTypes() throws {
        let query = [HTTPField("limit", "5"), HTTPField("unplayed", "true"), HTTPField("search", "7")]
        try expectEqual(call("GET", "/api/v1/episodes", query).params, ["limit": 5, "unplayed": true, "search": "7"])
        let wrong = try call("GET", "/api/v1/episodes", [HTTPField("limit", "many")])
        expectEqual(wrong.params, ["limit": "many"], "the daemon says what is wrong with it")
    }

    @Test func whatHasNoRouteOrIsMalformedIsRefused() {
        expectEqual(status("GET", "/api/v1/nonsense"), 404)
        expectEqual(status("GET", "/api/v1/session/restrict"), 404)
        expectEqual(status("POST", "/api/v1/episodes/file", type: "application/json", body: "{}"), 404)
        expectEqual(status("GET", "/api/v1/episodes/x12"), 404)
        expectEqual(status("GET", "/a/../etc/passwd"), 404)
        expectEqual(status("PATCH", "/api/v1/queue"), 405)
        expectEqual(status("POST", "/index.html"), 405)
        expectEqual(status("GET", "/api/v1/queue", [HTTPField("colour", "red")]), 400)
        expectEqual(status("GET", "/api/v1/queue", [HTTPField("limit", "1"), HTTPField("limit", "2")]), 400)
        expectEqual(status("GET", "/api/v1/queue", type: "application/json", body: "{}"), 400)
        expectEqual(status("POST", "/api/v1/queue", type: "application/json", body: "{"), 400)
        expectEqual(status("POST", "/api/v1/queue", type: "application/json", body: "[]"), 400)
        expectEqual(status("PUT", "/api/v1/episodes/1/note", type: "application/json", body: #"{"episode":"e2"}"#), 400)
        expectEqual(status("GET", "/events", [HTTPField("parts", "player,moon")]), 400)
    }

    @Test func aFormOfAnotherSiteCannotSendACommand() {
        for type in ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data", nil] {
            expectEqual(status("POST", "/api/v1/playback/toggle", type: type, body: "{}"), 415)
        }
        expectEqual(status("POST", "/api/v1/playback/toggle", type: "application/x-www-form-urlencoded"), 415)
        expectEqual(status("POST", "/api/v1/playback/toggle"), nil)
        expectEqual(status("DELETE", "/api/v1/queue"), nil)
    }

    @Test func devicesAreAddedByAdministratorsAndAskWithoutALogin() throws {
        func permission(_ method: String, _ path: String) throws -> CommandDeclaration.Permission? {
            try routes.plan(for: HTTPRequest(method, path)).permission
        }
        try expectEqual(permission("POST", "/api/v1/devices"), .admin)
        try expectEqual(permission("GET", "/api/v1/devices"), .read)
        try expectEqual(permission("POST", "/index.php/login/v2"), nil)
        try expectEqual(permission("POST", "/index.php/login/v2/poll"), nil)
        try expectEqual(permission("GET", "/index.php/login/v2/flow/abc"), nil)
        try expectEqual(permission("POST", "/api/2/settings/anna/account.json"), .control)
        for (method, path) in [
            ("GET", "/index.php/login/v2"), ("GET", "/index.php/login/v2/poll"), ("GET", "/index.php/login/v2/flow"),
            ("PUT", "/api/2/settings/anna/account.json"),
        ] { expectEqual(status(method, path), 404, "\(method) \(path)") }
        expectEqual(
            Credentials("Basic " + Base64.text(of: Array("a:p-1.\(Secret.make(Secret.typed))".utf8))).device, "p-1")
        expectEqual(Credentials("Basic " + Base64.text(of: Array("a:p-1.short".utf8))).device, nil)
    }

    @Test func filesEventsAndTheDescriptionHaveTheirPaths() throws {
        guard case .file("index.html") = try routes.plan(for: HTTPRequest("GET", "/")),
            case .file("app.js") = try routes.plan(for: HTTPRequest("GET", "/app.js")),
            case .openAPI = try routes.plan(for: HTTPRequest("GET", "/api/v1/openapi.json")),
            case .events([.player, .queue]) = try routes.plan(
                for: HTTPRequest("GET", "/events", query: [HTTPField("parts", "player,queue")]))
        else { throw Unexpected() }
    }

    @Test func theDescriptionNamesEveryRouteOnce() throws {
        let document = routes.openAPI(version: "1")
        expectEqual(document["openapi"], "3.1.0")
        expectEqual(document["security"], [["login": []], ["token": []]])
        guard case .object(let paths)? = document["paths"] else { throw Unexpected() }
        let names = Set(paths.map(\.name))
        expectEqual(names.count, paths.count)
        for command in routes.commands {
            expectContains(names, "/api/v1/\(command.declaration.section)/\(command.declaration.verb)")
        }
        var identifiers: [String] = []
        for path in paths {
            guard case .object(let operations) = path.value else { throw Unexpected() }
            identifiers += operations.compactMap { $0.value["operationId"]?.stringValue }
        }
        expectEqual(Set(identifiers).count, identifiers.count)
        let schemas = try #require(document["components"]?["schemas"])
        for reference in references(document) {
            let name = String(reference.dropFirst("#/components/schemas/".count))
            #expect(schemas[name] != nil, "\(reference)")
        }
        let toggle = document["paths"]?["/api/v1/playback/toggle"]?["post"]
        expectEqual(toggle?["security"]?.arrayValue?.contains([:]), false)
        expectEqual(document["paths"]?["/api/v1/status"]?["get"]?["security"]?.arrayValue?.contains([:]), true)
    }

    private func references(_ value: JSONValue) -> [String] {
        switch value {
        case .object(let members):
            members.flatMap { member in
                if member.name == "$ref", let text = member.value.stringValue { return [text] }
                return references(member.value)
            }
        case .array(let elements): elements.flatMap { references($0) }
        case .null, .bool, .integer, .number, .string: []
        }
    }
}
