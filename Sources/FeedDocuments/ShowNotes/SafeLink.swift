internal import PodcastModel

/// URLs that are safe to show and follow.
public enum SafeLink {
    private static let longest = 4096

    /// The URL, if absolute and http or https. Percent-encodes spaces and quotes, removes control characters.
    public static func url(_ written: String) -> String? {
        cleaned(written) { $0.hasScheme("http://") || $0.hasScheme("https://") }
    }

    /// The target of a link in notes: an http or https URL, or an email address without the message's headers, because
    /// headers can name files to attach. Nil otherwise.
    public static func target(_ written: String) -> String? {
        if let url = url(written) { return url }
        let recipient = String(utf8: written.utf8.prefix { $0 != .questionMark })
        return cleaned(recipient) { $0.hasScheme("mailto:") && $0.contains(.at) }
    }

    private static func cleaned(
        _ written: String, where isWanted: (Slice<UnsafeBufferPointer<UInt8>>) -> Bool
    ) -> String? {
        var written = written
        return written.withUTF8 { utf8 -> String? in
            let bytes = utf8.trimmed
            guard bytes.count <= longest, isWanted(bytes) else { return nil }
            return String(utf8: bytes.allSatisfy(\.isPlainInURL) ? Array(bytes) : cleaned(bytes))
        }
    }

    private static func cleaned(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8] {
        let encoded = bytes.lazy.filter { $0 >= 0x20 && $0 != 0x7F }.percentEncoded { " \"<>".utf8.contains($0) }
        var visible: [UInt8] = []
        encoded.withUnsafeBytes { VisibleText.scan($0, run: { visible += $0 }, gap: { _ in }) }
        return visible
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    fileprivate func hasScheme(_ scheme: StaticString) -> Bool {
        guard count > scheme.utf8CodeUnitCount else { return false }
        return scheme.withUTF8Buffer { zip($0, self).allSatisfy { $0 == $1.lowercased } }
    }
}
