import Foundation
import MachineSupport
import SystemCalls
import Testing

/// A client of MPD's protocol at a Unix socket that sends exactly what a test says.
package final class MPDClient {
    package struct Ended: Error {}

    private let socket: FileDescriptor
    private var received: [UInt8] = []
    package let greeting: String
    package var raw: Int32 { socket.raw }

    package init(path: String) throws {
        socket = try LocalSocket.connect(to: path)
        LocalSocket.setTimeouts(socket.raw, .seconds(60))
        var first: [UInt8] = []
        while let byte = try Self.receive(socket.raw, 1).first, byte != 0x0A { first.append(byte) }
        greeting = String(decoding: first, as: UTF8.self)
    }

    private static func receive(_ raw: Int32, _ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let outcome = try bytes.withUnsafeMutableBytes { try LocalSocket.receive(raw, into: $0) }
        guard case .bytes(let count) = outcome else { throw Ended() }
        return Array(bytes.prefix(count))
    }

    package func send(_ text: String) throws {
        var bytes = Array(text.utf8)
        while !bytes.isEmpty {
            guard case .bytes(let count) = try bytes.withUnsafeBytes({ try LocalSocket.send(socket.raw, $0) }) else {
                throw Ended()
            }
            bytes.removeFirst(count)
        }
    }

    /// The lines of an answer, with its last one: `OK` or `ACK …`.
    package func answer() throws -> [String] {
        var lines: [String] = []
        while true {
            while let end = received.firstIndex(of: 0x0A) {
                lines.append(String(decoding: received[..<end], as: UTF8.self))
                received.removeFirst(end + 1)
                if let last = lines.last, last == "OK" || last.hasPrefix("ACK ") { return lines }
            }
            received += try Self.receive(socket.raw, 65_536)
        }
    }

    /// Sends a line and reads its answer.
    package func ask(_ line: String) throws -> [String] {
        try send(line + "\n")
        return try answer()
    }

    /// The value of a line of an answer.
    package func value(_ name: String, _ line: String) throws -> String? {
        try ask(line).first { $0.hasPrefix(name + ": ") }.map { String($0.dropFirst(name.count + 2)) }
    }

    /// Waits until the other side has closed.
    package func waitForEnd() throws {
        do {
            while true { _ = try Self.receive(socket.raw, 4096) }
        } catch is Ended {}
    }
}
