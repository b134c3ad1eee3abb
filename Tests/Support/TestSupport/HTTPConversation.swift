import Foundation
import MachineSupport
import SystemCalls
import Testing

/// A client of HTTP/1.1 at a Unix socket that sends exactly what a test says.
package final class HTTPConversation {
    package struct Answer {
        package var status = 0
        package var headers: [(name: String, value: String)] = []
        package var body: [UInt8] = []
        package var text: String { String(decoding: body, as: UTF8.self) }

        package func header(_ name: String) -> String? { headers.first { $0.name == name.lowercased() }?.value }
        package func headers(_ name: String) -> [String] {
            headers.filter { $0.name == name.lowercased() }.map(\.value)
        }
    }

    package struct Ended: Error {}

    private let socket: FileDescriptor
    private let pump: (() -> Void)?
    private var received: [UInt8] = []
    /// What has to exist as long as the connection.
    package var owner: AnyObject?

    /// - Parameter pump: called while waiting, for a server on the same thread.
    package init(path: String, pump: (() -> Void)? = nil) throws {
        socket = try LocalSocket.connect(to: path, isBlocking: pump == nil)
        self.pump = pump
        if pump == nil { LocalSocket.setTimeouts(socket.raw, .seconds(60)) }
    }

    package func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let outcome = try bytes.withUnsafeBytes { [sent] in
                try LocalSocket.send(socket.raw, UnsafeRawBufferPointer(rebasing: $0[sent...]))
            }
            switch outcome {
            case .bytes(let count): sent += count
            case .wouldWait: pump?()
            case .ended: throw Ended()
            }
        }
    }

    /// Sends a request with `Host: localhost` and reads its answer.
    package func ask(_ method: String, _ path: String, _ headers: [String] = [], body: String? = nil) throws -> Answer {
        var lines = ["\(method) \(path) HTTP/1.1", "Host: localhost"] + headers
        if let body { lines.append("Content-Length: \(body.utf8.count)") }
        try send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")).utf8))
        return try answer(hasBody: method != "HEAD")
    }

    package func answer(hasBody: Bool = true) throws -> Answer {
        var answer = Answer()
        let lines = try text(upTo: "\r\n\r\n").components(separatedBy: "\r\n")
        answer.status = Int(lines[0].split(separator: " ")[1]) ?? 0
        for line in lines.dropFirst() where !line.isEmpty {
            let parts = line.split(separator: ":", maxSplits: 1)
            answer.headers.append((parts[0].lowercased(), parts[1].trimmingCharacters(in: .whitespaces)))
        }
        let length = answer.header("content-length").flatMap { Int($0) } ?? 0
        // Other bodies without a length are streams, which a test reads piece by piece.
        if hasBody, answer.header("transfer-encoding") == "chunked", answer.header("content-type") == "application/json"
        {
            while true {
                let size = Int(try text(upTo: "\r\n").trimmingCharacters(in: .whitespacesAndNewlines), radix: 16) ?? 0
                while received.count < size + 2 { try receive() }
                answer.body += received.prefix(size)
                received.removeFirst(size + 2)
                if size == 0 { return answer }
            }
        }
        if hasBody && answer.status != 304 {
            while received.count < length { try receive() }
            answer.body = Array(received.prefix(length))
            received.removeFirst(length)
        }
        return answer
    }

    /// What comes until a text, with it.
    package func text(upTo end: String) throws -> String {
        while true {
            if let range = Data(received).range(of: Data(end.utf8)) {
                defer { received.removeFirst(range.upperBound) }
                return String(decoding: received[..<range.upperBound], as: UTF8.self)
            }
            try receive()
        }
    }

    private func receive() throws {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            switch try buffer.withUnsafeMutableBytes({ try LocalSocket.receive(socket.raw, into: $0) }) {
            case .bytes(let count):
                received += buffer[..<count]
                return
            case .wouldWait:
                guard let pump else { throw Ended() }
                pump()
            case .ended: throw Ended()
            }
        }
    }
}
