internal import FeedDocuments
internal import HTTP

/// Why a feed could not be refreshed. Its episodes stay; the reason is reported and stored.
enum FetchFailure: Error, Equatable, CustomStringConvertible {
    case status(Int)
    case loginRejected, empty
    /// No request was sent, because the host accepts none for this number of seconds.
    case postponed(seconds: Int64)
    case notAFeed(DocumentType)
    /// Parsing the body exceeded the limit of processor time, in seconds.
    case tooCostly(seconds: Int64)
    /// The last run crashed or was killed while it read the body.
    case brokenOff
    /// The body exceeds the limit, in bytes.
    case tooLarge(limit: Int64)
    /// No complete answer came; libcurl's message.
    case transfer(HTTPError.Kind, String)

    /// The connection closed before the end of the document.
    static let truncated = FetchFailure.transfer(.truncated, "")
    static let falselyUnchanged = FetchFailure.transfer(
        .protocol, "the server answered 'not modified' to an unconditional request")

    /// True if a retry may succeed. Other failures last until the publisher or the user acts.
    var isTemporary: Bool {
        switch self {
        // A request that was refused as too large (431) is sent without validators next time.
        case .status(let status): [408, 425, 429, 431].contains(status) || status >= 500
        case .transfer(let kind, _):
            ![.invalidRequest, .redirectRefused, .privateAddress, .tls, .certificate, .redirectLimit].contains(kind)
        case .brokenOff, .postponed: true
        case .loginRejected, .empty, .notAFeed, .tooLarge, .tooCostly: false
        }
    }

    /// False if the request did not reach a server, so that it may be repeated soon.
    var reachedServer: Bool {
        if case .transfer(let kind, _) = self { ![.resolve, .connect].contains(kind) } else { true }
    }

    init(_ error: DocumentError) {
        switch error {
        case .notAFeed(let type): self = .notAFeed(type)
        case .tooLarge(let limit): self = .tooLarge(limit: Int64(limit))
        case .notOPML, .noChapters, .noTranscript, .outOfMemory: self = .transfer(.internal, error.description)
        }
    }

    init(_ error: HTTPError) { self = error.kind == .truncated ? .truncated : .transfer(error.kind, error.message) }
    /// One line for people, without the URL.
    var description: String {
        switch self {
        case .status(let status): Self.describe(status: status)
        case .loginRejected: "login rejected (HTTP 401); 'podcastctl set FEED password -' sets another password"
        case .empty: "the answer is empty"
        case .postponed: "its host accepts no requests now"
        case .notAFeed(let type): "not a feed: the document is \(type)"
        case .tooLarge(let limit): "larger than \(limit / 1_048_576) MiB"
        case .tooCostly(let seconds):
            "parsing the document takes more than \(seconds) s of processor time; it may be malicious"
        case .brokenOff:
            "the last refresh was killed, crashed or ran out of memory while it read this document; from now on it is "
                + "read last and less often"
        case .transfer(let kind, let words): Self.describe(kind, words)
        }
    }

    private static func describe(_ kind: HTTPError.Kind, _ words: String) -> String {
        switch kind {
        case .invalidRequest, .redirectRefused: words == notValid ? words : "\(notValid): \(words)"
        case .privateAddress: "refused: \(words)"
        case .resolve: "\(words); check the address and the network"
        case .connect: words
        case .tls, .certificate: "https failed (\(words)); if the site has no https, write http://…"
        case .timeout: "timed out: \(words)"
        case .truncated: "the connection closed before the end of the document"
        case .redirectLimit: "too many redirects, or a redirect loop"
        case .connectionLost, .tooLarge, .protocol, .coding, .exhausted, .aborted, .internal:
            "transfer failed: \(words)"
        }
    }

    private static let notValid = "not a valid URL"

    /// The common statuses, in words (RFC 9110 section 15).
    private static func describe(status: Int) -> String {
        switch status {
        case 401: "login required (HTTP 401)"
        case 403:
            "access denied (HTTP 403); if the host refuses only podcastd, subscribe with --user-agent TEXT, or set user_agent of the feed"
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
