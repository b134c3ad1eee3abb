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
        return prefix.last == UInt8(ascii: ":") && prefix.dropLast().elementsEqual(scheme.utf8) { $0 | 0x20 == $1 }
    }

    /// The host with its port, in lower case, without user name and password; empty without a host.
    public static func authority(of url: String) -> String {
        var url = url
        return url.withUTF8 { bytes in
            guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[(colon + 1)...].starts(with: "//".utf8)
            else { return "" }
            var rest = bytes[(colon + 3)...].prefix {
                ![UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0)
            }
            if let at = rest.lastIndex(of: UInt8(ascii: "@")) { rest = rest[(at + 1)...] }
            return String(decoding: rest, as: UTF8.self).lowercased()
        }
    }

    /// The same for all spellings of an address: without scheme, default port, escapes of characters that need none, final slash
    /// and fragment.
    public static func normalForm(_ url: String) -> String {
        var host = authority(of: url)
        let port = hasScheme("http", url) ? ":80" : ":443"
        if host.hasSuffix(port) { host.removeLast(port.count) }
        let rest = url.drop { $0 != ":" }.dropFirst(3).drop { !"/?#".contains($0) }.prefix { $0 != "#" }
        let parts = percentEncoded(String(rest), except: "!$%&'()*+,/:;=?@[]").split(
            separator: "%", omittingEmptySubsequences: false)
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

    /// Host and path, without the parts that may be secret: user name, password and query.
    static func hostAndPath(of url: String) -> String {
        let path = url.drop { $0 != ":" }.dropFirst(3).drop { !"/?#".contains($0) }.prefix { !"?#".contains($0) }
        return authority(of: url) + (path == "/" ? "" : path)
    }

    /// True if an authority can only be this machine: RFC 6761 section 6.3 and the loopback networks.
    public static func isLoopback(_ authority: String) -> Bool {
        let name = authority.hasPrefix("[") ? authority : String(authority.prefix { $0 != ":" })
        if name == "localhost" || name.hasSuffix(".localhost") || name.hasPrefix("[::1]") { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// Percent-encodes all characters except unreserved ones (RFC 3986, section 2.3) and these.
    public static func percentEncoded(_ text: String, except kept: String = "") -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A:
                result.unicodeScalars.append(Unicode.Scalar(byte))
            case _ where "-._~".utf8.contains(byte) || kept.utf8.contains(byte):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                result += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }

    /// Decodes percent escapes: RFC 3986 section 2.1. Malformed escapes stay unchanged.
    public static func percentDecoded(_ text: some Sequence<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2, rest.first != UInt8(ascii: "+"),
                rest.first != UInt8(ascii: "-"),
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
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
