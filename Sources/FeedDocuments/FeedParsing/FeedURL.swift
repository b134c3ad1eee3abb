internal import PodcastModel
internal import XMLEvents

/// Resolves URL references in feeds: RFC 3986 section 5, after the repairs that browsers make.
///
/// Immutable; a class because the value has many parts and is passed around for every URL of a feed.
final class FeedURL {
    private let base: Parts

    init(_ base: String) { self.base = Parts(Array(base.utf8)) }

    /// The base inside an element with `xml:base`, resolved against this base.
    func rebased(_ reference: ElementText) -> FeedURL {
        guard let base = resolve(reference), base.utf8.count <= Self.longestBase else { return self }
        return FeedURL(base)
    }

    /// Maximum bytes of a base, which becomes part of each relative URL and could make the result far too large.
    private static let longestBase = 8 << 10

    /// An absolute URL without spaces and control characters; nil if empty; unresolved without a valid base.
    func resolve(_ reference: ElementText) -> String? {
        guard !reference.bytes.isEmpty else { return nil }
        if reference.hasPrefix("https://") || reference.hasPrefix("http://"), Self.isPlain(reference.bytes) {
            return reference.string
        }
        let cleaned = Self.clean(reference.bytes)
        let parts = Parts(cleaned)
        guard parts.scheme.isEmpty, !base.scheme.isEmpty else { return String(utf8: cleaned) }
        return String(utf8: Self.join(parts, base))
    }

    /// The absolute URL in an attribute; nil without a value.
    func url(_ attributes: XMLAttributes, _ name: StaticString) -> String? { attributes.text(name).flatMap(resolve) }

    /// RFC 3986 section 3.1.
    static func hasScheme(_ text: ElementText) -> Bool {
        guard let colon = text.bytes.firstIndex(of: .colon), colon > 1 else { return false }
        return !Parts(Array(text.bytes[...colon])).scheme.isEmpty
    }

    /// True if the text needs no repair.
    private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        // A sum without branches, which the compiler vectorizes.
        var faults: UInt8 = 0
        for byte in bytes {
            let isQuote: UInt8 = byte == .quote ? 1 : 0
            let isAngle: UInt8 = byte | 2 == .greater ? 1 : 0
            let isNoGraphic: UInt8 = byte &- 0x21 > 0x7E - 0x21 ? 1 : 0
            faults |= isQuote | isAngle | isNoGraphic
        }
        return faults == 0
    }

    /// Removes line breaks; percent-encodes spaces and quotes, and non-ASCII characters after the host.
    private static func clean(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        // Before the third slash is the host, which is encoded differently.
        var slashes = bytes.starts(with: "http".utf8) ? 0 : 3
        return bytes.lazy.filter { $0 >= 0x20 && $0 != 0x7F }.percentEncoded { byte in
            if byte == .slash { slashes += 1 }
            return " \"<>".utf8.contains(byte) || byte >= 0x80 && slashes >= 3
        }
    }

    /// RFC 3986 section 5.2.2.
    private static func join(_ reference: Parts, _ base: Parts) -> [UInt8] {
        var target = base
        target.fragment = reference.fragment
        if reference.authority != nil {
            target.authority = reference.authority
            target.path = withoutDots(reference.path)
            target.query = reference.query
        } else if reference.path.isEmpty {
            if reference.query != nil { target.query = reference.query }
        } else {
            if reference.path.first == .slash {
                target.path = withoutDots(reference.path)
            } else {
                let parent = base.path.lastIndex(of: .slash).map { base.path[...$0] } ?? []
                let merged = base.authority != nil && base.path.isEmpty ? [UInt8.slash] : Array(parent)
                target.path = withoutDots(merged + reference.path)
            }
            target.query = reference.query
        }
        return target.bytes
    }

    /// RFC 3986 section 5.2.4.
    private static func withoutDots(_ path: [UInt8]) -> [UInt8] {
        let isRooted = path.first == .slash
        var kept: [ArraySlice<UInt8>] = []
        let segments = path.fields(separatedBy: .slash)
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            if segment.elementsEqual(".".utf8) {
                if isLast { kept.append([]) }
            } else if segment.elementsEqual("..".utf8) {
                if kept.count > (isRooted ? 1 : 0) { kept.removeLast() }
                if isLast { kept.append([]) }
            } else {
                kept.append(segment)
            }
        }
        return Array(kept.joined(separator: [UInt8.slash]))
    }

    /// The five parts of RFC 3986 section 3; a relative reference has an empty scheme.
    private struct Parts {
        var scheme: [UInt8] = []
        var authority: [UInt8]?
        var path: [UInt8] = []
        var query: [UInt8]?
        var fragment: [UInt8]?

        init(_ bytes: [UInt8]) {
            var rest = bytes[...]
            let head = rest.prefix { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
            if head.first?.isLetter ?? false, head.endIndex < rest.endIndex, rest[head.endIndex] == .colon {
                scheme = Array(head)
                rest = rest[(head.endIndex + 1)...]
            }
            if let mark = rest.firstIndex(of: .hash) {
                fragment = Array(rest[(mark + 1)...])
                rest = rest[..<mark]
            }
            if let mark = rest.firstIndex(of: .questionMark) {
                query = Array(rest[(mark + 1)...])
                rest = rest[..<mark]
            }
            if rest.starts(with: "//".utf8) {
                let host = rest.dropFirst(2).prefix { $0 != .slash }
                authority = Array(host)
                rest = rest[host.endIndex...]
            }
            path = Array(rest)
        }

        var bytes: [UInt8] {
            var bytes = scheme + [UInt8.colon]
            if let authority { bytes += Array("//".utf8) + authority }
            bytes += path
            if let query { bytes += [UInt8.questionMark] + query }
            if let fragment { bytes += [UInt8.hash] + fragment }
            return bytes
        }
    }
}
