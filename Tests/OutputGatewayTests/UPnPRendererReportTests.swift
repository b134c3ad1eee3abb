import LoopbackServer
import PodcastModel
import Synchronization
import TestSupport
import Testing

@testable import OutputGateway

/// What podcast-output concludes from a renderer's answers. The renderer is a server that follows a script.
@Suite(.ownThread, .timeLimit(.minutes(2)))
struct UPnPRendererReportTests {
    /// Plays, at its end, whatever it was asked to load and play.
    private final class Script: Sendable {
        let state = Mutex((file: "", isPlaying: false, actions: [String]()))

        func answer(_ request: LoggedRequest) -> Answer {
            let action = String(request["soapaction"]?.split(separator: "#").last?.dropLast() ?? "")
            let text = state.withLock { state in
                state.actions.append(action)
                switch action {
                case "SetAVTransportURI": (state.file, state.isPlaying) = ("next", false)
                case "Play": state.isPlaying = true
                case "GetTransportInfo":
                    let text = state.isPlaying ? "PLAYING" : "STOPPED"
                    return "<CurrentTransportState>\(text)</CurrentTransportState>"
                case "GetPositionInfo": return "<RelTime>0:01:59</RelTime>"
                default: break
                }
                return ""
            }
            return .status(200, fields: [("Content-Type", "text/xml")], body: Array("<a>\(text)</a>".utf8))
        }
    }

    private func description(_ server: LoopbackServer) throws -> UPnPDescription {
        let services = ["AVTransport", "RenderingControl"].map {
            "<service><serviceType>urn:schemas-upnp-org:service:\($0):1</serviceType><controlURL>/control</controlURL></service>"
        }
        let text =
            "<root><device><friendlyName>Room</friendlyName><UDN>uuid:1</UDN>\(services.joined())</device></root>"
        return try #require(UPnPDescription(Array(text.utf8), at: server.url("/device"), local: "127.0.0.1"))
    }

    private func item(_ name: String) -> RemoteItem {
        RemoteItem(
            url: "http://127.0.0.1/\(name)", type: "audio/mpeg", title: name, show: nil,
            cover: "http://127.0.0.1/cover",
            length: nil, duration: nil)
    }

    @Test func anAnswerAboutTheFormerFileSaysNothingAboutTheNextOne() throws {
        let (server, script) = (try LoopbackServer(), Script())
        let control = server.serve("/control") { script.answer($0) }
        let requests = try DeviceRequests()
        let renderer = UPnPRenderer(try description(server), requests, callback: "http://127.0.0.1/event")
        func reports(until isDone: ([RemoteReport]) -> Bool) -> [RemoteReport] {
            var reports: [RemoteReport] = []
            while !isDone(reports) {
                requests.process()
                reports += renderer.process()
            }
            return reports
        }
        renderer.load(item("first"), from: .zero)
        _ = reports { $0.contains(.state(.playing)) && !renderer.isBusy }
        // The renderer is asked about the first file, and the next one is loaded before the renderer has answered.
        let asked = control.requests.count
        renderer.notice()
        _ = renderer.process()
        renderer.load(item("second"), from: .zero)
        let next = reports { $0.contains(.state(.playing)) }
        let actions = script.state.withLock { Array($0.actions.dropFirst(asked)) }
        let played = try #require(actions.firstIndex(of: "Play"))
        #expect(actions[played...].contains("GetTransportInfo"), "\(actions) \(next)")
    }

    /// Two Sonos speakers of one group: Kitchen plays what Living Room, the coordinator, is told to play.
    private final class Pair: Sendable {
        /// Actions by the speaker that got them.
        let calls = Mutex<[String]>([])

        func answer(_ speaker: String, _ request: LoggedRequest) -> Answer {
            let action = String(request["soapaction"]?.split(separator: "#").last?.dropLast() ?? "")
            calls.withLock { $0.append("\(speaker) \(action)") }
            let text =
                switch (action, speaker) {
                case ("GetPositionInfo", "kitchen"): "<TrackURI>x-rincon:RINCON_1</TrackURI>"
                case ("GetTransportInfo", _): "<CurrentTransportState>STOPPED</CurrentTransportState>"
                default: ""
                }
            let isRefused = speaker == "kitchen" && ["SetAVTransportURI", "Play"].contains(action)
            return .status(
                isRefused ? 500 : 200, fields: [("Content-Type", "text/xml")], body: Array("<a>\(text)</a>".utf8))
        }
    }

    private func speaker(_ room: String, _ number: Int, _ server: LoopbackServer) throws -> UPnPDescription {
        let services = ["AVTransport", "RenderingControl", "GroupRenderingControl"].map {
            "<service><serviceType>urn:schemas-upnp-org:service:\($0):1</serviceType><controlURL>/\(room)</controlURL></service>"
        }
        let device = "<friendlyName>127.0.0.1 - Sonos One</friendlyName><UDN>uuid:RINCON_\(number)</UDN>"
        let text =
            "<root><device>\(device)<roomName>\(room)</roomName><deviceList><device>"
            + "<friendlyName>\(room) Media Renderer</friendlyName><UDN>uuid:RINCON_\(number)_MR</UDN>"
            + "\(services.joined())</device></deviceList></device></root>"
        return try #require(UPnPDescription(Array(text.utf8), at: server.url("/device"), local: "127.0.0.1"))
    }

    @Test func aSpeakerThatFollowsAnotherOneIsCommandedThroughItsCoordinator() throws {
        let (server, pair) = (try LoopbackServer(), Pair())
        let endpoints = ["kitchen", "living"].map { room in server.serve("/\(room)") { pair.answer(room, $0) } }
        let requests = try DeviceRequests()
        let search = UPnPSearch(requests)
        search.add(try speaker("kitchen", 2, server))
        while search.found.isEmpty { requests.process() }
        // The coordinator was not found yet.
        expectEqual(search.renderer("kitchen"), nil)
        search.add(try speaker("living", 1, server))
        while search.found.count < 2 { requests.process() }
        let kitchen = try #require(search.renderer("Kitchen"))
        expectEqual(search.renderer("living")?.transport.control, server.url("/living"))

        let renderer = UPnPRenderer(kitchen, requests, callback: "http://127.0.0.1/event")
        renderer.load(item("first"), from: .zero)
        renderer.perform(.setVolume(30))
        while renderer.isBusy { requests.process() }
        let calls = pair.calls.withLock { $0.filter { !$0.contains(" Get") } }
        expectEqual(calls, ["living SetAVTransportURI", "living Play", "kitchen SetVolume"])
        expectEqual(endpoints.count, 2)
    }
}
