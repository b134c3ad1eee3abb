internal import PodcastModel

/// The part of an enclosure's URL that names the recording. Hosts add tracking prefixes and signed queries, and change both at
/// will.
public enum MediaAddress {
    /// The hash of an URL without scheme, tracking prefixes, query and fragment, with the host in lower case.
    ///
    /// A tracking prefix is followed by another host and path (`https://track.example/e/https/cdn.example/show/1.mp3`), so
    /// the address begins at the last path segment that looks like a host and has a path behind it.
    public static func key(of url: String) -> Int64 {
        var url = url
        return url.withUTF8 { bytes in
            let part = core(of: bytes)
            let hostEnd = part.firstIndex(of: .slash) ?? part.endIndex
            var hash = StableHash()
            for byte in part[..<hostEnd] { hash.add(Int64(byte.lowercased)) }
            hash.add(bytes: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[hostEnd..<part.endIndex]))
            return hash.value
        }
    }

    /// The last component of the path, percent escapes undone; nil when there is none.
    static func fileName(of url: String) -> String? {
        var url = url
        return url.withUTF8 { bytes in
            let part = core(of: bytes)
            guard let last = part.lastIndex(of: .slash), last + 1 < part.endIndex else { return nil }
            return String(utf8: WebAddress.percentDecoded(part[(last + 1)...]))
        }
    }

    private typealias Part = Slice<UnsafeBufferPointer<UInt8>>

    private static func core(of bytes: UnsafeBufferPointer<UInt8>) -> Part {
        let end = bytes.firstIndex { $0 == .questionMark || $0 == .hash } ?? bytes.count
        var segment = 0
        if let colon = bytes[..<end].firstIndex(of: .colon), colon + 2 < end, bytes[colon + 1] == .slash,
            bytes[colon + 2] == .slash
        {
            segment = colon + 3
        }
        var start = segment
        while let next = bytes[segment..<end].firstIndex(of: .slash) {
            if looksLikeHost(bytes[segment..<next]) { start = segment }
            segment = next + 1
        }
        return bytes[start..<end]
    }

    /// Two labels or more of letters, digits and hyphens, the last one of letters only, and no name of a file.
    private static func looksLikeHost(_ part: Part) -> Bool {
        guard let dot = part.lastIndex(of: .point), dot > part.startIndex else { return false }
        let suffix = part[(dot + 1)...]
        guard suffix.count >= 2, suffix.allSatisfy(\.isLetter) else { return false }
        for known in ["php", "aspx", "html", "ogg", "opus", "aac", "flac", "wav", "xml", "json"] as [StaticString]
        where known.utf8CodeUnitCount == suffix.count {
            if zip(suffix, 0..<suffix.count).allSatisfy({ $0.0.lowercased == known.utf8Start[$0.1] }) { return false }
        }
        return part[..<dot].allSatisfy { $0.isLetter || $0.isDigit || $0 == .dash || $0 == .point }
    }
}
