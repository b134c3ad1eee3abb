import HTTP
import Synchronization
import Testing

/// A delegate that keeps everything; usable on a caller's thread and on an `HTTPThread`.
final class Collector: HTTPTransferDelegate, Sendable {
    struct Seen {
        var head: HTTPHead?
        var body: [UInt8] = []
        var result: Result<HTTPSummary, HTTPError>?
        var pausesAfter: Int?
    }

    let seen: Mutex<Seen>
    private let onEnd: @Sendable () -> Void
    private let onPause: @Sendable () -> Void
    private let onHead: @Sendable () -> Void

    init(
        pausesAfter: Int? = nil, onHead: @escaping @Sendable () -> Void = {},
        onPause: @escaping @Sendable () -> Void = {},
        onEnd: @escaping @Sendable () -> Void = {}
    ) {
        seen = Mutex(Seen(pausesAfter: pausesAfter))
        self.onPause = onPause
        self.onHead = onHead
        self.onEnd = onEnd
    }

    var head: HTTPHead? { seen.withLock { $0.head } }
    var body: [UInt8] { seen.withLock { $0.body } }
    var result: Result<HTTPSummary, HTTPError>? { seen.withLock { $0.result } }
    var error: HTTPError? {
        guard case .failure(let error) = result else { return nil }
        return error
    }

    func transfer(_ transfer: HTTPTransfer, didReceive head: HTTPHead) {
        seen.withLock { $0.head = head }
        onHead()
    }

    func transfer(_ transfer: HTTPTransfer, didReceiveBody bytes: UnsafeRawBufferPointer) -> HTTPFlow {
        let pauses = seen.withLock { seen in
            seen.body.append(contentsOf: bytes)
            guard let limit = seen.pausesAfter, seen.body.count >= limit else { return false }
            seen.pausesAfter = nil
            return true
        }
        if pauses { onPause() }
        return pauses ? .pause : .proceed
    }

    func transfer(_ transfer: HTTPTransfer, didComplete result: Result<HTTPSummary, HTTPError>) {
        seen.withLock { $0.result = result }
        onEnd()
    }
}

/// Does one request on the calling thread, to its end.
func fetch(_ request: HTTPRequest, settings: HTTPSettings = HTTPSettings()) throws -> Collector {
    let multi = try HTTPMulti(settings: settings)
    let collector = Collector()
    multi.add(request, delegate: collector)
    while collector.result == nil { try multi.poll() }
    return collector
}

func fetch(_ url: String) throws -> Collector { try fetch(HTTPRequest(url)) }

/// Bytes of which one too many, too few or at a wrong place shows; made of blocks of a prime length to be made fast.
func pattern(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + patternBlock.count)
    while bytes.count < count { bytes += patternBlock }
    bytes.removeLast(bytes.count - count)
    return bytes
}

private let patternBlock = (0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
