import CommandLineTool
import HTTPServing
import ControlLanguage
import ControlProtocol
import JSON

@testable import MCPGateway
@testable import WebGateway

/// The clients of gateways: lines of the Model Context Protocol, and HTTP requests.
enum GatewayFuzz {
    private static let tools = GatewayTool.all(upTo: .control)
    private static let routes = WebRoutes()

    static func lines(_ input: FuzzInput) {
        var input = input
        var lines = MessageLines(maximum: 1 << 20)
        var session = GatewaySession(upTo: .control)
        var calls: [Int] = []
        func take(_ actions: [GatewaySession.Action]) {
            for action in actions {
                switch action {
                case .send(let message):
                    require((try? JSONValue(parsing: message.text)) == message, "an answer is not JSON")
                    require(message["id"] != nil, "an answer has no id")
                case .call(let number, let method, _):
                    require(tools.contains { $0.method == method }, "a command that is not offered")
                    calls.append(number)
                case .cancel(let number): calls.removeAll { $0 == number }
                }
            }
        }
        for piece in input.pieces(input.number()) {
            for case .whole(let line) in lines.append([UInt8](piece)) { take(session.receive(line)) }
        }
        if case .whole(let line)? = lines.finish() { take(session.receive(line)) }
        for number in calls { take(session.finish(number, .success(["value": 1]))) }
        require(session.isIdle, "a call is never answered")
    }

    /// The input's lines are method, path, `name=value` of a query, headers, and after an empty line the body.
    static func requests(_ input: FuzzInput) {
        let bytes = [UInt8](input.rest)
        let end = bytes.indices.first { $0 + 1 < bytes.count && bytes[$0] == 0x0A && bytes[$0 + 1] == 0x0A }
        let lines = bytes[..<(end ?? bytes.count)].split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        var request = HTTPRequest(lines.first ?? "GET", lines.count > 1 ? lines[1] : "/")
        for line in lines.dropFirst(2) {
            if let colon = line.firstIndex(of: ":") {
                request.headers.append(HTTPField(String(line[..<colon]), String(line[line.index(after: colon)...])))
            } else if let equals = line.firstIndex(of: "=") {
                request.query.append(HTTPField(String(line[..<equals]), String(line[line.index(after: equals)...])))
            }
        }
        if let end { request.body = Array(bytes[(end + 2)...]) }
        try? RequestGuard(hosts: ["radio.lan"]).check(request)
        _ = Credentials(request.header("Authorization"))
        let response: HTTPResponse
        do throws(WebProblem) {
            guard case .command(let command) = try routes.plan(for: request) else { return }
            let params = try command.parameters(of: request) ?? .null
            require((try? JSONValue(parsing: params.text)) != nil, "parameters that the daemon cannot read")
            response = HTTPResponse(json: params)
        } catch {
            require((400..<600).contains(error.status), "a problem without its status")
            response = error.response(to: request)
        }
        for field in response.finished(for: request).headers {
            require(!field.value.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }, "a header's end")
        }
    }
}
