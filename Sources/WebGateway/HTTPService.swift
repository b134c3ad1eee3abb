internal import CommandLineTool
internal import ControlClient
internal import GatewayKit
internal import HTTPServing
internal import PodcastModel
internal import SystemCalls

/// Serves HTTP on all listening sockets.
final class HTTPService: GatewayService {
    let connection: ControlConnection
    private let service: WebService
    private let servers: [HTTPServer]
    private let wakeUp: EventDescriptor

    /// - Parameter listeners: listening sockets, which it owns from now on.
    init(
        connection: ControlConnection, settings: WebSettings, files: WebFiles, listeners: [Int32],
        limits: HTTPServer.Limits
    ) throws(ToolFailure) {
        let wakeUp: EventDescriptor
        do throws(SystemError) { wakeUp = try EventDescriptor() } catch {
            throw ToolFailure(.software, error.description)
        }
        let service = WebService(connection: connection, settings: settings, files: files) { wakeUp.signal() }
        (self.connection, self.service, self.wakeUp) = (connection, service, wakeUp)
        let tooLong = WebProblem.bodyTooLong(limit: limits.bodyBytes).response
        let noRoom = WebProblem.unreachable("too many long requests at the same time; try again").response
        var servers: [HTTPServer] = []
        for listener in listeners {
            do throws(HTTPServingError) {
                servers.append(
                    try HTTPServer(
                        listener: FileDescriptor(owning: listener), limits: limits, tooLong: tooLong.refusal,
                        noRoom: noRoom.refusal
                    ) { service.answer($0) })
            } catch {
                throw ToolFailure(.software, "the HTTP server cannot start")
            }
        }
        self.servers = servers
    }

    var waits: [PollEntry] { servers.map { PollEntry($0.descriptor) } + [PollEntry(wakeUp.raw)] }
    var deadline: Instant? {
        ([service.deadline].compactMap(\.self) + servers.compactMap(\.nextTimeout).map { Instant.now + $0 }).min()
    }
    var staysWhenRefused: Bool { true }

    func process() {
        for event in connection.process() { service.take(event) }
        wakeUp.clear()
        service.process()
        service.keepAlive(at: .now)
        for server in servers { server.run() }
    }
}

extension WebResponse {
    fileprivate var refusal: HTTPServer.Refusal { HTTPServer.Refusal(status, headers: fields, body: body) }
}
