internal import CommandLineTool
internal import ControlClient
internal import GatewayKit
internal import HTTPServing
internal import PodcastModel
internal import SystemCalls
internal import WebAPI

/// Serves HTTP on all listening sockets.
final class HTTPService: GatewayService {
    let connection: ControlConnection
    private let service: WebService
    private let servers: [HTTPServer]

    /// - Parameter listeners: listening sockets, which it owns from now on.
    init(
        connection: ControlConnection, service: WebService, listeners: [Int32], limits: HTTPServer.Limits
    ) throws(ToolFailure) {
        (self.connection, self.service) = (connection, service)
        let refused = WebProblem.bodyTooLong(limit: limits.bodyBytes).response
        let refusal = HTTPServer.Refusal(headers: refused.fields, body: refused.body)
        var servers: [HTTPServer] = []
        for listener in listeners {
            do throws(HTTPServingError) {
                servers.append(
                    try HTTPServer(listener: FileDescriptor(owning: listener), limits: limits, refusal: refusal) {
                        service.answer($0)
                    })
            } catch {
                throw ToolFailure(.software, "the HTTP server cannot start")
            }
        }
        self.servers = servers
    }

    var waits: [PollEntry] { servers.map { PollEntry($0.descriptor) } }
    var deadline: Instant? {
        ([service.deadline].compactMap(\.self) + servers.compactMap(\.nextTimeout).map { Instant.now + $0 }).min()
    }
    var isReady: Bool { true }
    var staysWhenRefused: Bool { true }

    func process() {
        for event in connection.process() { service.take(event) }
        service.keepAlive(at: .now)
        for server in servers { server.run() }
    }

    func stop() {}
}
