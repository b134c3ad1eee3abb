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
}
