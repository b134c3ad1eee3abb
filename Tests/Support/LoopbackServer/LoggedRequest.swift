/// A request that the server received.
public struct LoggedRequest: Sendable {
    /// `GET`, `HEAD` …
    public var method: String
    /// The request target without its query, not percent-decoded.
    public var path: String
    /// The text after the question mark; nil without one.
    public var query: String?
    /// Header fields in order, with lower-case names.
    public var fields: [(name: String, value: String)]
    /// Number of the connection, starting at 1.
    public var connection: Int

    /// Value of the first field with a lower-case name.
    public subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    /// Parses a head that ends with an empty line; nil if it is not an HTTP/1 request.
    init?(head: ArraySlice<UInt8>, connection: Int) {
        let lines = head.split(separator: UInt8(ascii: "\n")).map { line in
            String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
        }
        guard let first = lines.first?.split(separator: " "), first.count == 3, first[2].hasPrefix("HTTP/1.")
        else { return nil }
        method = String(first[0])
        let target = first[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(target[0])
        query = target.count > 1 ? String(target[1]) : nil
        fields = lines.dropFirst().compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (line[..<colon].lowercased(), String(line[line.index(after: colon)...].drop { $0 == " " }))
        }
        self.connection = connection
    }

    /// The requested range, cut to a length; nil without a single range, empty if it cannot be satisfied.
    func range(of length: Int) -> Range<Int>? {
        guard let field = self["range"], field.hasPrefix("bytes="), !field.contains(",") else { return nil }
        let ends = field.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        if ends[0].isEmpty {
            guard let count = Int(ends[1]) else { return nil }
            return max(0, length - count)..<length
        }
        guard let start = Int(ends[0]) else { return nil }
        let last = Int(ends[1]) ?? length - 1
        let end = min(length, last + 1)
        return start < end ? start..<end : 0..<0
    }
}
