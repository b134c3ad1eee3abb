internal import SystemCalls

/// What `inspect` takes a document for.
enum DocumentKind: String, CaseIterable {
    case feed, opml, chapters, transcript

    private static let headBytes = 4096

    /// The kind by a document's name and, for a file, its first bytes; a feed where these say nothing.
    init(of source: DocumentSource) {
        switch source {
        case .file(let path): self = Self(name: path) ?? Self(head: Self.head(of: path))
        case .url(let url): self = Self(name: String(url.prefix { $0 != "?" && $0 != "#" })) ?? .feed
        case .standardInput: self = .feed
        }
    }

    /// The kind by an ending that only one has.
    private init?(name: String) {
        switch name.split(separator: ".").last?.lowercased() {
        case "opml": self = .opml
        case "srt", "vtt": self = .transcript
        default: return nil
        }
    }

    private init(head: [UInt8]) {
        // After white space and a byte order mark.
        let start = head.drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
        var text: String { String(decoding: start, as: UTF8.self) }
        switch start.first {
        case UInt8(ascii: "<"):
            let elements = ["opml": DocumentKind.opml, "psc:chapters": .chapters, "chapters": .chapters]
            self = elements[Self.firstElement(of: start)] ?? .feed
        case UInt8(ascii: "{"):
            self = text.contains("\"segments\"") ? .transcript : text.contains("\"chapters\"") ? .chapters : .feed
        default:
            self = start.starts(with: "WEBVTT".utf8) || text.prefix(300).contains("-->") ? .transcript : .feed
        }
    }

    /// The name of the first element; empty without one.
    private static func firstElement(of head: ArraySlice<UInt8>) -> String {
        var rest = head
        while let less = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(less + 1)...]
            if rest.first == UInt8(ascii: "?") || rest.first == UInt8(ascii: "!") { continue }
            return String(
                decoding: rest.prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }, as: UTF8.self
            )
        }
        return ""
    }

    /// The first bytes of a file; empty if it cannot be read, which a later read reports.
    private static func head(of path: String) -> [UInt8] {
        guard let kind = try? FileKind(at: path), kind == .regular,
            let file = try? FileDescriptor.openForReading(path), let bytes = try? file.read(upTo: headBytes)
        else { return [] }
        return bytes
    }
}
