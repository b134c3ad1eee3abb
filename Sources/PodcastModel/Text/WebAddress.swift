/// The syntax of web URLs, as far as needed without a request: RFC 3986. The HTTP library parses URLs for requests.
public enum WebAddress {
    /// Maximum bytes of a stored or requested URL.
    public static let maximumLength = 8 << 10

    /// True if a URL begins with `http://` or `https://`, ignoring case, followed by a host.
    public static func isWeb(_ url: String) -> Bool {
        (hasScheme("http", url) || hasScheme("https", url)) && !authority(of: url).isEmpty
    }

    /// True if a feed's URL can be stored: a web URL on one line within `maximumLength`.
    public static func isStorable(_ url: String) -> Bool {
        isWeb(url) && url.utf8.count <= maximumLength && SafeText.isOneLine(url)
    }

    /// True if a URL can be requested unchanged: storable, and without spaces.
    public static func isFetchable(_ url: String) -> Bool {
        isWeb(url) && url.utf8.count <= maximumLength && !url.utf8.contains { $0 <= 0x20 || $0 == 0x7F }
    }

    /// `scheme` is in lower case and compared ignoring case: RFC 3986 section 3.1.
    public static func hasScheme(_ scheme: String, _ url: String) -> Bool {
        let prefix = url.utf8.prefix(scheme.utf8.count + 1)
        return prefix.last == .colon && prefix.dropLast().elementsEqual(scheme.utf8) { $0 | 0x20 == $1 }
    }

    /// The host with its port, in lower case, without user name and password; empty without a host.
    public static func authority(of url: String) -> String {
        var url = url
        return url.withUTF8 { bytes in
            guard let colon = bytes.firstIndex(of: .colon), bytes[(colon + 1)...].starts(with: "//".utf8)
            else { return "" }
            var rest = bytes[(colon + 3)...].prefix {
                ![UInt8.slash, UInt8.questionMark, UInt8.hash].contains($0)
            }
            if let at = rest.lastIndex(of: .at) { rest = rest[(at + 1)...] }
            return String(utf8: rest).lowercased()
        }
    }

    /// The same for all spellings of an address: without scheme, default port, escapes of characters that need none, final slash
    /// and fragment.
    public static func normalForm(_ url: String) -> String {
        var host = authority(of: url)
        let port = hasScheme("http", url) ? ":80" : ":443"
        if host.hasSuffix(port) { host.removeLast(port.count) }
        let rest = afterAuthority(of: url).prefix { $0 != "#" }
        let parts = percentEncoded(String(rest), except: "!$%&'()*+,/:;=?@[]").fields(separatedBy: "%")
        var path = String(parts[0])
        for part in parts.dropFirst() {
            let byte = UInt8(part.prefix(2), radix: 16)
            let plain = byte.map { percentEncoded(String(Unicode.Scalar($0)), except: "!'()*,:;@") }
            path += plain.flatMap { $0.utf8.count == 1 ? $0 : nil } ?? "%" + part.prefix(2).uppercased()
            path += part.dropFirst(2)
        }
        let query = path.drop { $0 != "?" }
        path.removeLast(query.count)
        if path.hasSuffix("/") { path.removeLast() }
        return host + path + query
    }

    private static func afterAuthority(of url: String) -> Substring {
        url.drop { $0 != ":" }.dropFirst(3).drop { !"/?#".contains($0) }
    }

    /// Host and path, without the parts that may be secret: user name, password and query.
    static func hostAndPath(of url: String) -> String {
        let path = afterAuthority(of: url).prefix { !"?#".contains($0) }
        return authority(of: url) + (path == "/" ? "" : path)
    }

    /// True if an authority can only be this machine: RFC 6761 section 6.3 and the loopback networks.
    public static func isLoopback(_ authority: String) -> Bool {
        let name = authority.hasPrefix("[") ? authority : String(authority.prefix { $0 != ":" })
        if name == "localhost" || name.hasSuffix(".localhost") || name.hasPrefix("[::1]") { return true }
        let parts = name.fields(separatedBy: ".")
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// Percent-encodes all characters except unreserved ones (RFC 3986, section 2.3) and these.
    public static func percentEncoded(_ text: String, except kept: String = "") -> String {
        let encoded = text.utf8.percentEncoded {
            !($0.isLetter || $0.isDigit || "-._~".utf8.contains($0) || kept.utf8.contains($0))
        }
        return String(utf8: encoded)
    }

    /// Decodes percent escapes: RFC 3986 section 2.1. Malformed escapes stay unchanged.
    public static func percentDecoded(_ text: some Sequence<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text)[...]
        while let byte = rest.popFirst() {
            if byte == .percent, rest.count >= 2, rest.first != .plus, rest.first != .dash,
                let value = UInt8(String(utf8: rest.prefix(2)), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    /// The part by which people recognize a URL: without scheme, `www.` and a final slash, in lower case.
    public static func essence(_ url: String) -> String {
        var rest = url.lowercased()[...]
        for prefix in ["https://", "http://", "www."] where rest.hasPrefix(prefix) {
            rest = rest.dropFirst(prefix.count)
        }
        if rest.hasSuffix("/") { rest.removeLast() }
        return String(rest)
    }
}

extension Sequence<UInt8> {
    /// The bytes, percent-encoded if `isEncoded` is true: RFC 3986 section 2.1.
    @inlinable
    public func percentEncoded(where isEncoded: (UInt8) -> Bool) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in self {
            if isEncoded(byte) {
                encoded += [UInt8.percent, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            } else {
                encoded.append(byte)
            }
        }
        return encoded
    }
}
