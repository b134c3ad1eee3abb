/// The little that scheduling needs to know of a URL's text; the transfer library parses it for real.
enum URLText {
    /// The host with its port, in lower case, without user and password; empty when there is none.
    static func host(of url: String) -> String {
        var url = url
        return url.withUTF8 { bytes in
            guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return "" }
            var start = colon + 1
            guard bytes.count >= start + 2, bytes[start] == UInt8(ascii: "/"), bytes[start + 1] == UInt8(ascii: "/")
            else { return "" }
            start += 2
            var end = start
            while end < bytes.count, !isEndOfAuthority(bytes[end]) {
                if bytes[end] == UInt8(ascii: "@") { start = end + 1 }
                end += 1
            }
            return String(unsafeUninitializedCapacity: end - start) { text in
                for index in start..<end {
                    let byte = bytes[index]
                    text[index - start] = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
                }
                return end - start
            }
        }
    }

    /// Whether a host as `host(of:)` gives it can only be this machine: RFC 6761 section 6.3 and the loopback networks.
    static func isLoopback(_ host: String) -> Bool {
        let name = host.hasPrefix("[") ? host : String(host.prefix { $0 != ":" })
        if name == "localhost" || name.hasSuffix(".localhost") || name.hasPrefix("[::1]") { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// Whether a URL begins with a scheme, given in lower case; RFC 3986 section 3.1 has no regard to case.
    static func hasScheme(_ scheme: String, _ url: String) -> Bool {
        let prefix = url.utf8.prefix(scheme.utf8.count + 1)
        return prefix.last == UInt8(ascii: ":") && prefix.dropLast().elementsEqual(scheme.utf8) { $0 | 0x20 == $1 }
    }

    private static func isEndOfAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }
}
