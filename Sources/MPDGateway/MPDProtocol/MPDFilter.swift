internal import PodcastModel

/// Which songs a command means: MPD's protocol documentation, "Filters".
indirect enum MPDFilter: Equatable {
    enum Comparison {
        case equal, contains, startsWith
    }

    enum Subject: Equatable {
        /// Nil for one that no episode has.
        case tag(MPDTag?)
        case anyTag, uri
    }

    case matches(Subject, Comparison, String)
    /// In a folder, or any folder inside it.
    case inFolder(String)
    case modifiedSince(Timestamp)
    case not(MPDFilter)
    case all([MPDFilter])

    /// Levels of parentheses at most.
    private static let maximumDepth = 32

    /// - Parameter foldsCase: whether case is ignored, as `search` does.
    func matches(_ song: MPDSong, foldsCase: Bool) -> Bool {
        switch self {
        case .matches(.tag(let tag), let comparison, let text):
            Self.compare(tag.flatMap(song.value(of:)) ?? "", comparison, text, foldsCase)
        case .matches(.anyTag, let comparison, let text):
            MPDTag.allCases.contains { tag in
                song.value(of: tag).map { Self.compare($0, comparison, text, foldsCase) } ?? false
            }
        case .matches(.uri, let comparison, let text): Self.compare(song.uri, comparison, text, foldsCase)
        case .inFolder(let folder): folder.isEmpty || song.uri.hasPrefix(folder + "/")
        case .modifiedSince(let time): song.published >= time
        case .not(let filter): !filter.matches(song, foldsCase: foldsCase)
        case .all(let filters): filters.allSatisfy { $0.matches(song, foldsCase: foldsCase) }
        }
    }

    private static func compare(_ value: String, _ comparison: Comparison, _ text: String, _ foldsCase: Bool) -> Bool {
        let (value, text) = foldsCase ? (value.lowercased(), text.lowercased()) : (value, text)
        return switch comparison {
        case .equal: value == text
        case .contains: text.isEmpty || value.contains(text)
        case .startsWith: value.hasPrefix(text)
        }
    }

    /// The show that all matching songs are of, if the filter names it: by its title, its author, or its folder.
    enum Show: Equatable {
        case titled(String)
        case by(String)
        case folder(String)
    }

    /// Nil if songs of several shows may match.
    var show: Show? {
        switch self {
        case .matches(.tag(.artist?), .equal, let author): .by(author)
        case .matches(.tag(.album?), .equal, let title), .matches(.tag(.albumArtist?), .equal, let title):
            .titled(title)
        case .inFolder(let folder) where !folder.isEmpty: .folder(String(folder.prefix { $0 != "/" }))
        case .matches(.uri, .equal, let uri): uri.firstIndex(of: "/").map { .folder(String(uri[..<$0])) }
        case .all(let filters): filters.lazy.compactMap(\.show).first
        case .matches, .inFolder, .modifiedSince, .not: nil
        }
    }

    /// Reads expressions in parentheses, and pairs of a tag and a value: `find` compares these for equality, `search` for a part.
    init(parsing arguments: some Collection<String>, pairs comparison: Comparison) throws(MPDError) {
        var filters: [MPDFilter] = []
        var rest = Array(arguments)[...]
        while let first = rest.popFirst() {
            if first.hasPrefix("(") {
                var parser = ExpressionParser(first)
                filters.append(try parser.whole(depth: Self.maximumDepth))
            } else {
                guard let value = rest.popFirst() else {
                    throw .argument("Incorrect number of filter arguments")
                }
                if let plain = Self.plain(first) {
                    filters.append(try plain(value))
                } else {
                    filters.append(.matches(try Self.subject(first), comparison, value))
                }
            }
        }
        self = filters.count == 1 ? filters[0] : .all(filters)
    }

    /// Makes a filter without a comparison of its value; nil for the name of another filter.
    fileprivate static func plain(_ name: String) -> ((String) throws(MPDError) -> MPDFilter)? {
        switch name.lowercased() {
        case "base": { .inFolder($0) }
        // An episode counts as added when it was published, as when songs are sorted by `Added`.
        case "modified-since", "added-since":
            { (text) throws(MPDError) in .modifiedSince(try MPDArgument.instant(text)) }
        default: nil
        }
    }

    fileprivate static func subject(_ name: String) throws(MPDError) -> Subject {
        switch name.lowercased() {
        case "any": return .anyTag
        case "file", "filename": return .uri
        case _ where MPDTag.isAbsent(name): return .tag(nil)
        default:
            guard let tag = MPDTag(name: name) else { throw .argument("Unknown filter type: \(name)") }
            return .tag(tag)
        }
    }
}

/// Reads `(TAG == 'VALUE')`, `(!EXPRESSION)`, `(EXPRESSION AND EXPRESSION …)`.
private struct ExpressionParser {
    var rest: Substring.UnicodeScalarView

    init(_ text: String) { rest = text[...].unicodeScalars }

    mutating func whole(depth: Int) throws(MPDError) -> MPDFilter {
        let filter = try expression(depth: depth)
        skipSpace()
        if !rest.isEmpty { throw .argument("Unparsed garbage after expression") }
        return filter
    }

    mutating func expression(depth: Int) throws(MPDError) -> MPDFilter {
        if depth == 0 { throw .argument("expression is nested too deep") }
        try expect("(")
        skipSpace()
        switch rest.first {
        case "!":
            rest.removeFirst()
            skipSpace()
            let inner = try expression(depth: depth - 1)
            try expect(")")
            return .not(inner)
        case "(":
            var filters = [try expression(depth: depth - 1)]
            while true {
                skipSpace()
                if rest.first == ")" { break }
                if word() != "AND" { throw .argument("'AND' expected") }
                filters.append(try expression(depth: depth - 1))
            }
            try expect(")")
            return filters.count == 1 ? filters[0] : .all(filters)
        default:
            let filter = try condition()
            try expect(")")
            return filter
        }
    }

    mutating func condition() throws(MPDError) -> MPDFilter {
        let name = word()
        if name.isEmpty { throw .argument("Word expected") }
        if let plain = MPDFilter.plain(name) { return try plain(value()) }
        return try comparison(of: MPDFilter.subject(name))
    }

    mutating func comparison(of subject: MPDFilter.Subject) throws(MPDError) -> MPDFilter {
        skipSpace()
        let isWord = rest.first?.properties.isAlphabetic == true
        let sign = isWord ? word() : take { "=!~<>".unicodeScalars.contains($0) }
        let isNegated = sign.hasPrefix("!") && sign != "!="
        let comparison: MPDFilter.Comparison
        switch isNegated ? String(sign.dropFirst()) + (sign == "!" ? word() : "") : sign {
        case "==", "!=": comparison = .equal
        case "contains": comparison = .contains
        case "starts_with": comparison = .startsWith
        case "=~", "~": throw .argument("regular expressions are not supported")
        default: throw .argument("Unknown filter operator: \(sign)")
        }
        let filter = MPDFilter.matches(subject, comparison, try value())
        return isNegated || sign == "!=" ? .not(filter) : filter
    }

    mutating func value() throws(MPDError) -> String {
        skipSpace()
        guard let quote = rest.first, quote == "'" || quote == "\"" else {
            throw .argument("Quoted string expected")
        }
        rest.removeFirst()
        var text = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            if scalar == quote { return String(text) }
            guard scalar == "\\" else {
                text.append(scalar)
                continue
            }
            guard let escaped = rest.popFirst() else { break }
            text.append(escaped)
        }
        throw .argument("Closing quote not found")
    }

    mutating func word() -> String {
        take { $0.properties.isAlphabetic || $0 == "-" || $0 == "_" || ("0"..."9").contains($0) }
    }

    mutating func take(_ isPart: (Unicode.Scalar) -> Bool) -> String {
        skipSpace()
        let part = rest.prefix(while: isPart)
        rest = rest[part.endIndex...]
        return String(part)
    }

    mutating func expect(_ scalar: Unicode.Scalar) throws(MPDError) {
        skipSpace()
        guard rest.first == scalar else { throw .argument("'\(scalar)' expected") }
        rest.removeFirst()
        if scalar == ")" { skipSpace() }
    }

    mutating func skipSpace() { rest = rest.drop { $0 == " " || $0 == "\t" } }
}
