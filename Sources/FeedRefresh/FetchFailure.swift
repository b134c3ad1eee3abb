internal import FeedParsing

/// Why a feed could not be brought up to date. Everything the feed had stays; the reason is told and kept.
public enum FetchFailure: Error, Equatable, Sendable {
    /// The server answered with a status that carries no feed.
    case status(Int)
    /// More redirects than we follow, or a circle of them.
    case tooManyRedirects
    /// The URL, or a redirect, leads nowhere: malformed, or neither http nor https. The library's words.
    case badAddress(String)
    /// The host has a private address and the user named neither. The library's words.
    case privateAddress(String)
    /// The body has no bytes.
    case empty
    /// The body is something else than a feed; `reason` follows "the document is".
    case notAFeed(reason: String)
    /// The connection ended before the body did.
    case truncated
    /// Reading the body took more of the processor than a document may have, in seconds.
    case tooCostly(seconds: Int64)
    /// The last run ended while it read the body.
    case brokenOff
    /// The body is larger than we take, in bytes.
    case tooLarge(limit: Int64)
    /// No answer in time, or no end of it. The library's words.
    case timedOut(String)
    /// No connection came about: no such host, nobody listening, no network. The library's words.
    case unreachable(String)
    /// The server's identity could not be verified, or TLS failed otherwise. The library's words.
    case insecure(String)
    /// Any other fault of the transfer. The library's words.
    case transfer(String)

    /// Whether another try may well succeed without anybody doing anything. What stays wrong until the publisher or
    /// the user acts is told as bad data, the rest as "try again later".
    public var isTemporary: Bool {
        switch self {
        case .status(let status): status == 408 || status == 425 || status == 429 || status >= 500
        case .truncated, .timedOut, .unreachable, .transfer, .brokenOff: true
        case .tooManyRedirects, .badAddress, .privateAddress, .empty, .notAFeed, .tooLarge, .tooCostly, .insecure: false
        }
    }

    /// Whether no server was troubled by the try, so that the next one may come soon.
    var costNobody: Bool {
        switch self {
        case .unreachable: true
        case .status, .tooManyRedirects, .badAddress, .privateAddress, .empty, .notAFeed, .truncated, .tooLarge,
            .tooCostly, .brokenOff, .timedOut, .insecure, .transfer:
            false
        }
    }
}

extension FetchFailure: CustomStringConvertible {
    /// One line for people, without the URL.
    public var description: String {
        switch self {
        case .status(let status): Self.describe(status: status)
        case .tooManyRedirects: "too many redirects, or a circle of them"
        case .badAddress(let words): "the address leads nowhere: \(words)"
        case .privateAddress(let words): "refused: \(words)"
        case .empty: "the answer is empty"
        case .notAFeed(let reason): "not a feed: the document is \(reason)"
        case .truncated: "the connection ended before the document did"
        case .tooLarge(let limit): "is larger than \(limit / 1_048_576) MiB"
        case .tooCostly(let seconds):
            "reading the document takes more than \(seconds) s of processor time; it may be malicious"
        case .brokenOff:
            "the last refresh ended abruptly while it read this document (killed, out of memory, or a crash); it is read last "
                + "and less often from now on"
        case .timedOut(let words): "took too long: \(words)"
        case .unreachable(let words): "cannot be reached: \(words)"
        case .insecure(let words): "the connection is not secure: \(words)"
        case .transfer(let words): "the transfer failed: \(words)"
        }
    }

    /// The statuses that people meet, in words (RFC 9110 section 15).
    private static func describe(status: Int) -> String {
        switch status {
        case 401: "wants a name and a password (status 401)"
        case 403: "the server refuses us (status 403)"
        case 404: "is not there (status 404)"
        case 410: "is gone for good, says its publisher (status 410)"
        case 429: "the server wants fewer requests (status 429)"
        case 503: "the server is not available now (status 503)"
        case 500...599: "the server failed (status \(status))"
        case 300...399: "a redirect without a usable target (status \(status))"
        default: "the server answered with status \(status)"
        }
    }
}

extension FetchFailure {
    /// What a parser's error means for the fetch.
    init(_ error: FeedParsingError) {
        switch error {
        case .notAFeed(let reason): self = .notAFeed(reason: reason)
        case .tooLarge(let limit): self = .tooLarge(limit: Int64(limit))
        case .unavailable(let message): self = .transfer(message)
        }
    }
}
