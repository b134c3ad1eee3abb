import Library
import CommandLineTool
import ControlProtocol
import ControlSocket
import Foundation
import JSON
import Library
import LoopbackServer
import PodcastModel
import Synchronization
import Testing

/// Remembers what it is told, and gives activities numbers from 41 on.
private final class RecordingHandler: CommandHandler, Sendable {
    private let calls = Mutex<[(verb: String, parameters: JSONValue)]>([])

    func answer(_ call: CommandCall) -> CommandAnswer {
        let number = calls.withLock { calls in
            var members: [JSONValue.Member] = []
            for parameter in call.declaration.parameters {
                switch parameter.name {
                case "kind", "message", "subject":
                    if let text = call.parameters.text(parameter.name) {
                        members.append(.init(parameter.name, .string(text)))
                    }
                case "changed", "unchanged", "failed", "newEpisodes":
                    members.append(
                        .init(parameter.name, .integer(call.parameters.integer(required: parameter.name))))
                case "feeds": members.append(.init("feeds", call.parameters.object("feeds") ?? .null))
                default: break
                }
            }
            calls.append((call.declaration.name, .object(members)))
            return calls.count
        }
        return .value(["id": .integer(Int64(40 + number))])
    }

    var all: [(verb: String, parameters: JSONValue)] { calls.withLock { $0 } }
}

private struct Everything: PermissionPolicy {
    func permission(of peer: PeerIdentity) -> CommandDeclaration.Permission? { .control }
}

private struct NoStatus: StatusSource {
    func value(of part: StatusPart) -> JSONValue { .null }
}

struct DaemonTests {
    private let rig: RefreshRig
    private let handler = RecordingHandler()
    private let server: ControlServer

    init() throws {
        rig = try RefreshRig()
        let path = rig.file("control")
        let dispatcher = CommandDispatcher(handlers: [.activities: handler, .feeds: handler], version: "1")
        server = try ControlServer(dispatcher: dispatcher, status: NoStatus(), policy: Everything())
        try server.start(on: [try ControlListener(path: path)])
        rig.variables["PODCASTD_SOCKET"] = path
    }

    @Test func theDaemonIsToldOfTheWorkAndOfWhatChanged() throws {
        defer { server.stop() }
        let gate = Gate()
        let feed = try rig.publish("two-episodes.xml")
        #expect(try rig.run("add", feed.url).status == .success)
        let resource = Resource(try RefreshRig.fixture("three-episodes-one-renamed.xml"), etag: "\"2\"")
        let slow = rig.server.serve("/feed.xml") { _ in .after(.gate(gate), .resource(resource)) }
        let opener = Thread {
            _ = gate.waitForArrival()
            gate.open()
        }
        opener.start()
        #expect(try rig.run("--force").status == .success)
        let calls = handler.all
        let begun = try #require(calls.first { $0.parameters["kind"] == "refreshing" })
        #expect(begun.verb == "activities.begin" && begun.parameters["message"] == "Refreshing feeds")
        // The daemon hears what holds when its turn comes, which may be the end already.
        #expect(["0 of 1", "1 of 1"].contains(begun.parameters["subject"]))
        #expect(calls.contains { $0.verb == "feeds.changed" && $0.parameters["feeds"] == [1] })
        #expect(calls.contains { $0.verb == "activities.end" })
        let ended = try #require(calls.last { $0.verb == "feeds.refreshed" })
        #expect(ended.parameters == ["changed": 1, "unchanged": 0, "failed": 0, "newEpisodes": 1])
        withExtendedLifetime(slow) {}
    }

    @Test func aDaemonAtTheUsualPlaceIsNotToldOfAnotherLibrary() throws {
        server.stop()
        let listener = try ControlListener(path: rig.file("podcastd/control"))
        let dispatcher = CommandDispatcher(handlers: [.activities: handler, .feeds: handler], version: "1")
        let usual = try ControlServer(dispatcher: dispatcher, status: NoStatus(), policy: Everything())
        try usual.start(on: [listener])
        defer { usual.stop() }
        rig.variables = ["XDG_RUNTIME_DIR": rig.folder.path, "HOME": rig.folder.path]
        let feed = try rig.publish("two-episodes.xml")
        #expect(try rig.run("add", feed.url).status == .success)
        #expect(handler.all.isEmpty)
    }

    /// The service manager listens there too while the daemon is down, and would start it.
    @Test func theUsualSocketIsUsedOnlyWhileADaemonHoldsTheLibrary() throws {
        server.stop()
        let listener = try ControlListener(path: rig.file("podcastd/control"))
        let dispatcher = CommandDispatcher(handlers: [.activities: handler, .feeds: handler], version: "1")
        let usual = try ControlServer(dispatcher: dispatcher, status: NoStatus(), policy: Everything())
        try usual.start(on: [listener])
        defer { usual.stop() }
        let folder = rig.file("data/podcastd")
        rig.variables = ["XDG_RUNTIME_DIR": rig.folder.path, "XDG_DATA_HOME": rig.file("data")]
        let feed = try rig.publish("two-episodes.xml")
        #expect(try rig.run(["add", feed.url]).status == .success)
        #expect(handler.all.isEmpty)
        let lock = try LibraryLock(.daemon, in: folder)
        #expect(try rig.run(["--force"]).status == .success)
        #expect(!handler.all.isEmpty)
        withExtendedLifetime(lock) {}
    }

    @Test func withoutADaemonNothingIsMissed() throws {
        server.stop()
        let feed = try rig.publish("two-episodes.xml")
        #expect(try rig.run("add", feed.url).status == .success)
    }
}
