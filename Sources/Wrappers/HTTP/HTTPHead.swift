public import PodcastModel

/// Status and header fields of the final response.
public struct HTTPHead: Sendable {
    /// 200, 206, 304, 404 …
    public var status: Int
    public var headers: HTTPHeaders
    /// The URL that answered, after redirects.
    public var effectiveURL: String
    /// In order.
    public var hops: [HTTPHop]
    /// Seconds from `Retry-After` in either form.
    public var retryAfter: Int?
    /// When the server answered, by its clock.
    public var date: Timestamp?

    /// `Content-Length`: bytes of the body before decoding; nil if missing or invalid.
    public var contentLength: Int64? { headers["content-length"].flatMap { parseDecimal($0.utf8) } }

    /// In lower case and without parameters.
    public var contentType: String? {
        guard let field = headers["content-type"] else { return nil }
        let type = trimmed(field.utf8.prefix { $0 != .semicolon })
        return type.isEmpty ? nil : type.lowercased()
    }

    /// `Content-Range` (RFC 9110, 14.4); nil if missing or invalid.
    public var contentRange: HTTPContentRange? { headers["content-range"].flatMap(HTTPContentRange.init) }
}

/// A redirect that was followed.
public struct HTTPHop: Equatable, Sendable {
    /// 301, 302, 303, 307 or 308.
    public var status: Int
    /// The URL that answered with the redirect.
    var from: String
    public var to: String
    /// True if the old URL should be replaced (301, 308).
    public var isPermanent: Bool { status == 301 || status == 308 }
}

/// `Content-Range: bytes 0-499/1234`, `bytes 0-499/*` or `bytes */1234`.
public struct HTTPContentRange: Equatable, Sendable {
    /// The bytes that follow; nil if the range is not satisfiable.
    public var bytes: Range<Int64>?
    /// The complete length, if the field contains it.
    public var total: Int64?

    /// Nil if the field is malformed or contradicts itself.
    public init?(_ field: String) {
        let text = trimmed(field.utf8[...]).lowercased()
        guard text.hasPrefix("bytes") else { return nil }
        let rest = text.utf8.dropFirst(5).drop { $0 == .space || $0 == .equals }
        guard let slash = rest.firstIndex(of: .slash) else { return nil }
        let span = rest[..<slash]
        let whole = rest[rest.index(after: slash)...]
        if !whole.elementsEqual("*".utf8) {
            guard let total = parseDecimal(whole) else { return nil }
            self.total = total
        }
        if span.elementsEqual("*".utf8) {
            if total == nil { return nil }
            return
        }
        guard let dash = span.firstIndex(of: .dash), let first = parseDecimal(span[..<dash]),
            let last = parseDecimal(span[span.index(after: dash)...]), first <= last, last < .max,
            last < total ?? .max
        else { return nil }
        bytes = first..<last + 1
    }
}

/// Header fields of one response, in order. A lookup scans them.
public struct HTTPHeaders: Sendable, Sequence {
    /// Names are in lower case.
    private var fields: [(name: String, value: String)] = []

    /// The first field with this name, which must be in lower case.
    public subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    /// Names in lower case with their values.
    public func makeIterator() -> IndexingIterator<[(name: String, value: String)]> { fields.makeIterator() }

    /// The lower-case elements of a list in all fields of a name (RFC 9110, 5.6.1), which must be in lower case.
    func list(_ name: String) -> [String] {
        filter { $0.name == name }.flatMap { field in
            field.value.utf8.split(separator: .comma).map { trimmed($0).lowercased() }
        }.filter { !$0.isEmpty }
    }

    mutating func removeAll() { fields.removeAll(keepingCapacity: true) }

    /// Adds a received line with its line ending; ignores a line without a colon. A folded line continues the previous one (RFC 9112,
    /// 5.2).
    mutating func append(line: [UInt8]) {
        let line = line.prefix { $0 != .carriageReturn && $0 != .newline }
        if line.first == .space || line.first == .tab, let last = fields.indices.last {
            fields[last].value += " " + trimmed(line)
        } else if let colon = line.firstIndex(of: .colon) {
            let name = String(utf8: line[..<colon]).lowercased()
            fields.append((name, trimmed(line[colon...].dropFirst())))
        }
    }
}

/// Text without surrounding spaces and tabs.
func trimmed(_ bytes: some BidirectionalCollection<UInt8>) -> String {
    let isBlank: (UInt8) -> Bool = { $0 == .space || $0 == .tab }
    let head = bytes.drop(while: isBlank)
    guard let last = head.lastIndex(where: { !isBlank($0) }) else { return "" }
    return String(utf8: head[...last])
}

/// Nil for other characters than digits and beyond 2^63 - 1.
private func parseDecimal(_ digits: some Collection<UInt8>) -> Int64? {
    digits.allSatisfy(\.isDigit) ? Int64(String(utf8: digits)) : nil
}
