internal import PodcastModel

/// Result of showing an address.
enum LinkOutcome: Equatable {
    /// A browser was started.
    case opened
    /// Without a display, podcast-tui has asked the terminal to copy the address to its clipboard.
    case copied
    case failed(String)
}

/// Web and email addresses in text.
enum WebLinks {
    private static let beginnings = ["https://", "http://", "mailto:"]

    /// The http, https and mailto addresses of a text, in their order.
    static func all(in text: String) -> [String] {
        var links: [String] = []
        for word in text.split(whereSeparator: { $0.isWhitespace || "<>\"".contains($0) }) {
            let start = beginnings.compactMap { word.firstRange(of: $0)?.lowerBound }.min()
            guard let start else { continue }
            var link = word[start...]
            // Punctuation after an address, and a bracket that was opened before it.
            while let last = link.last, ".,;:!?'".contains(last) || last == ")" && !link.contains("(") || last == "]" {
                link = link.dropLast()
            }
            if isOpenable(String(link)) { links.append(String(link)) }
        }
        return links
    }

    /// Whether an address has a host or recipient and consists of the characters of RFC 3986, so that no terminal takes it for
    /// something else. A message must not be filled in, because its headers can name files to attach.
    static func isOpenable(_ url: String) -> Bool {
        guard let beginning = beginnings.first(where: { url.lowercased().hasPrefix($0) }) else { return false }
        let rest = url.dropFirst(beginning.count)
        if beginning == "mailto:", !rest.contains("@") || rest.contains("?") { return false }
        return rest.first.map { $0.isLetter || $0.isNumber || $0 == "[" } == true && url.utf8.count <= 2_000
            && url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }

    /// A paragraph's own addresses, else those of the list at the end of the notes by their numbers, such as `[2]`.
    static func all(in paragraph: String, of notes: String) -> [String] {
        let own = all(in: paragraph)
        if !own.isEmpty { return own }
        let lines = notes.split(separator: "\n")
        return paragraph.split(separator: "[").dropFirst().compactMap { part in
            guard let end = part.firstIndex(of: "]"), let number = Int(part[..<end]) else { return nil }
            return lines.last { $0.hasPrefix("[\(number)]") }.flatMap { all(in: String($0)).first }
        }
    }
}
