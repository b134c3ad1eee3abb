import HTTP
import MachineSupport
import Synchronization
import SystemCalls

/// A server of HTTP/2 that answers the first request with a head and from then on sends one kind of frame, as fast as
/// it can, until the connection is ended or it has sent its limit.
final class FloodingPeer: Sendable {
    /// A frame (RFC 9113, 4.1).
    struct Frame: Sendable {
        var kind: UInt8
        var flags: UInt8 = 0
        var stream: UInt32 = 0
        var payload: [UInt8] = []

        var bytes: [UInt8] {
            let length = payload.count
            let header = [UInt8(length >> 16), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF), kind, flags]
            return header + (0..<4).map { UInt8(stream >> (24 - 8 * $0) & 0xFF) } + payload
        }

        static let settings = Frame(kind: 4)
        /// `:status: 200`, and no end of the stream.
        static let head = Frame(kind: 1, flags: 4, stream: 1, payload: [0x88])
    }

    /// Far more than any frame without content needs to be recognized.
    static let limit = 4 << 30

    let url: String
    private let listener: LoopbackListener
    private let count = Mutex(0)

    /// Bytes sent so far. Once its transfer has ended it sends only what fits into the socket's buffers: the kernel may keep a
    /// connection that was shut down for another minute.
    var sentBytes: Int { count.withLock { $0 } }

    init(_ flood: Frame) throws {
        listener = try LoopbackListener()
        url = "http://127.0.0.1:\(listener.port)/"
        try DedicatedThread(name: .test) { [self] in serve(flood) }.detach()
    }

    deinit { listener.shutdown() }

    private func serve(_ flood: Frame) {
        guard let connection = try? listener.accept() else { return }
        var buffer = [UInt8](repeating: 0, count: 4096)
        _ = try? buffer.withUnsafeMutableBytes { try StreamSocket.receive(connection.raw, into: $0) }
        var piece = Frame.settings.bytes + Frame.head.bytes
        let round = Array(repeatElement(flood.bytes, count: 4096).joined())
        while count.withLock({ $0 }) < Self.limit {
            guard (try? piece.withUnsafeBytes { try StreamSocket.send(connection.raw, $0) }) != nil else { return }
            count.withLock { $0 += piece.count }
            piece = round
        }
    }
}
