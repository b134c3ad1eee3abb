internal import FeedDocuments

/// Why a feed could not be refreshed. Its episodes stay; the reason is reported and stored.
public enum FetchFailure: Error, Equatable, Sendable {
    case status(Int)
    case loginRejected
    case tooManyRedirects
    /// The URL, or a redirect, is malformed, or neither http nor https. libcurl's reason.
    case badAddress(String)
    /// The host has a private address, and the user did not name it. The reason.
    case privateAddress(String)
    case empty
    /// The body is not a feed; `reason` follows "the document is".
    case notAFeed(reason: String)
    case truncated
    /// Parsing the body exceeded the limit of processor time, in seconds.
    case tooCostly(seconds: Int64)
    /// The last run crashed or was killed while it read the body.
    case brokenOff
    /// The body exceeds the limit, in bytes.
    case tooLarge(limit: Int64)
    /// No complete answer in time. libcurl's message.
    case timedOut(String)
    /// The name of the host or of the proxy cannot be resolved. libcurl's message.
    case unknownHost(String)
    /// No connection: connection refused, no network. libcurl's message.
    case unreachable(String)
    /// The server's identity could not be verified, or TLS failed otherwise. libcurl's message.
    case insecure(String)
    /// Any other error of the transfer. libcurl's message.
    case transfer(String)

    /// True if a retry may succeed. Other failures last until the publisher or the user acts.
    public var isTemporary: Bool {
        switch self {
        // A request that was refused as too large (431) is sent without validators next time.
        case .status(let status): [408, 425, 429, 431].contains(status) || status >= 500
        case .truncated, .timedOut, .unknownHost, .unreachable, .transfer, .brokenOff: true
        case .loginRejected, .tooManyRedirects, .badAddress, .privateAddress, .empty, .notAFeed, .tooLarge, .tooCostly,
            .insecure:
            false
        }
    }

    /// False if the request did not reach a server, so that it may be repeated soon.
    var reachedServer: Bool {
        switch self {
        case .unknownHost, .unreachable: false
        case .status, .loginRejected, .tooManyRedirects, .badAddress, .privateAddress, .empty, .notAFeed, .truncated,
            .tooLarge, .tooCostly, .brokenOff, .timedOut, .insecure, .transfer:
            true
        }
    }
}

extension FetchFailure: CustomStringConvertible {
    /// One line for people, without the URL.
    public var description: String {
        switch self {
        case .status(let status): Self.describe(status: status)
        case .loginRejected: "login rejected (HTTP 401); 'podcastctl set FEED password -' sets another password"
        case .tooManyRedirects: "too many redirects, or a redirect loop"
        case .badAddress(let words): words == Self.notValid ? words : "\(Self.notValid): \(words)"
        case .privateAddress(let words): "refused: \(words)"
        case .empty: "the answer is empty"
        case .notAFeed(let reason): "not a feed: the document is \(reason)"
        case .truncated: "the connection closed before the end of the document"
        case .tooLarge(let limit): "larger than \(limit / 1_048_576) MiB"
        case .tooCostly(let seconds):
            "parsing the document takes more than \(seconds) s of processor time; it may be malicious"
        case .brokenOff:
            "the last refresh was killed, crashed or ran out of memory while it read this document; from now on it is "
                + "read last and less often"
        case .timedOut(let words): "timed out: \(words)"
        case .unknownHost(let words): "\(words); check the address and the network"
        case .unreachable(let words): words
        case .insecure(let words): "https failed (\(words)); if the site has no https, write http://…"
        case .transfer(let words): "transfer failed: \(words)"
        }
    }

    private static let notValid = "not a valid URL"

    /// The common statuses, in words (RFC 9110 section 15).
    private static func describe(status: Int) -> String {
        switch status {
        case 401: "login required (HTTP 401)"
        case 403: "access denied (HTTP 403)"
        case 404: "not found (HTTP 404)"
        case 410: "permanently removed (HTTP 410)"
        case 429: "too many requests (HTTP 429)"
        case 503: "server unavailable (HTTP 503)"
        case 500...599: "server error (HTTP \(status))"
        case 300...399: "redirect without a valid target (HTTP \(status))"
        default: "unexpected answer (HTTP \(status))"
        }
    }
}

extension FetchFailure {
    init(_ error: DocumentError) {
        switch error {
        case .notAFeed(let reason): self = .notAFeed(reason: reason)
        case .tooLarge(let limit): self = .tooLarge(limit: Int64(limit))
        case .notOPML, .noChapters, .noTranscript, .outOfMemory: self = .transfer(error.description)
        }
    }
}
