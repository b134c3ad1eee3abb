/// The accepted codings of a body. With `Content-Encoding` and `Transfer-Encoding` a server chooses how much work each
/// byte causes, so they are checked before the first byte of the body.
enum BodyCodings {
    /// Codings that zlib decodes (RFC 9110, 8.4.1).
    private static let decoded: Set<String> = ["gzip", "x-gzip", "deflate"]
    /// Sent by some servers for a body without a coding.
    private static let none: Set<String> = ["identity", "none"]

    /// Why a body with these header fields is refused; nil if it is accepted.
    static func refusal(_ headers: HTTPHeaders, _ wanted: HTTPRequest.ContentCoding) -> String? {
        // libcurl decodes these too, although it does not offer any.
        if let coding = headers.list("transfer-encoding").first(where: { $0 != "chunked" && $0 != "identity" }) {
            return "the transfer coding '\(coding)' is not supported"
        }
        let codings = headers.list("content-encoding").filter { !none.contains($0) }
        guard let first = codings.first else { return nil }
        if wanted == .identity {
            return "the body is compressed (Content-Encoding: \(first)) although that was declined"
        }
        if codings.count > 1 { return "the body has \(codings.count) content codings; only one is accepted" }
        return decoded.contains(first) ? nil : "the content coding '\(first)' was not offered"
    }
}
