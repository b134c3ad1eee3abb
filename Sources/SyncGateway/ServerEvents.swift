internal import HTTP
internal import PodcastModel
internal import SystemCalls

/// Listens to another podcastd's events, so that what is done there arrives here at once. The thread of the account.
final class ServerEvents: HTTPTransferDelegate {
    private static let path = "/events?parts=episodes,feeds,queue,playlists,rules,settings"
    private static let pause = Duration.seconds(10)
    /// The server sends something every 15 seconds.
    private static let limits = HTTPRequest.Timeouts(stall: .seconds(60), total: nil)
    /// A snapshot comes at the beginning and when podcastd is there again: something may have been done there meanwhile.
    private static let signs = [Array("event: change".utf8), Array("event: snapshot".utf8)]

    private let changed: () -> Void
    /// Whether an answer to the request is from the podcastd that was paired.
    private var isTrusted: (HTTPHead) -> Bool = { _ in false }
    private var isListening = false
    private var next = Instant.distantPast
    private var line: [UInt8] = []

    init(changed: @escaping () -> Void) { self.changed = changed }

    /// Opens the connection, unless the connection is open.
    /// - Returns: when to try again; nil while the connection is open.
    func listen(to account: PeerAccount) -> Instant? {
        if isListening { return nil }
        if next > .now { return next }
        guard let (plain, signature) = try? account.request("GET", Self.path) else { return nil }
        var request = plain
        isTrusted = { [unowned account] head in account.isSigned(head, nil, by: signature) }
        request.timeouts = Self.limits
        account.server.http.add(request, delegate: self)
        isListening = true
        line = []
        return nil
    }

    func transfer(_ transfer: HTTPTransfer, didReceive head: HTTPHead) {
        if isTrusted(head) { return }
        transfer.cancel()
        isListening = false
        next = .now + Self.pause
    }

    func transfer(_ transfer: HTTPTransfer, didReceiveBody bytes: UnsafeRawBufferPointer) -> HTTPFlow {
        for byte in unsafe bytes {
            if byte == 0x0A {
                if Self.signs.contains(line) { changed() }
                line = []
            } else if line.count <= Self.signs[1].count {
                line.append(byte)
            }
        }
        return .proceed
    }

    func transfer(_ transfer: HTTPTransfer, didComplete result: Result<HTTPSummary, HTTPError>) {
        isListening = false
        next = .now + Self.pause
    }
}
