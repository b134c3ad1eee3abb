/// `file:` URLs: RFC 8089.
public enum FileAddress {
    public static func isFile(_ url: String) -> Bool { WebAddress.hasScheme("file", url) }

    public static func url(of path: String) -> String { "file://" + WebAddress.percentEncoded(path, except: "/") }

    /// The path of a local `file:` URL; nil for other URLs and for relative paths.
    public static func path(of url: String) -> String? {
        guard isFile(url) else { return nil }
        var rest = Array(url.utf8.dropFirst(5))[...]
        if rest.starts(with: "//".utf8) {
            let host = rest.dropFirst(2).prefix { $0 != .slash }
            guard host.isEmpty || host.elementsEqual("localhost".utf8) else { return nil }
            rest = rest.dropFirst(2 + host.count)
        }
        guard rest.first == .slash else { return nil }
        let bytes = WebAddress.percentDecoded(rest)
        return bytes.contains(0) ? nil : String(utf8: bytes)
    }
}
