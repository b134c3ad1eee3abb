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

    private init(head: String) {
        let start = head.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        let elements = ["opml": DocumentKind.opml, "psc:chapters": .chapters, "chapters": .chapters]
        if start.hasPrefix("WEBVTT") {
            self = .transcript
        } else if start.first == "{" {
            self = start.contains("\"segments\"") ? .transcript : start.contains("\"chapters\"") ? .chapters : .feed
        } else if start.first == "<" {
            self = elements.first { Self.begins(start, with: $0.key) }?.value ?? .feed
        } else {
            self = start.prefix(300).contains("-->") ? .transcript : .feed
        }
    }

    /// Whether the first element has that name.
    private static func begins(_ text: Substring, with element: String) -> Bool {
        var rest = text
        while let less = rest.firstIndex(of: "<") {
            rest = rest[rest.index(after: less)...]
            guard let first = rest.first, first != "?", first != "!" else { continue }
            return rest.hasPrefix(element) && !(rest.dropFirst(element.count).first?.isLetter ?? false)
        }
        return false
    }

    /// The first bytes of a file; empty if it cannot be read, which a later read reports.
    private static func head(of path: String) -> String {
        guard let kind = try? FileKind(at: path), kind == .regular,
            let file = try? FileDescriptor.openForReading(path), let bytes = try? file.read(upTo: headBytes)
        else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }
}
