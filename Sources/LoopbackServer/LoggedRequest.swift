/// One request as the server read it.
public struct LoggedRequest: Sendable {
    /// `GET`, `HEAD` …
    public var method: String
    /// The request target without its query, still percent-encoded.
    public var path: String
    /// What followed the question mark; nil without one.
    public var query: String?
    /// Fields in order, their names in lower case.
    public var fields: [(name: String, value: String)]
    /// Counts connections from 1.
    public var connection: Int

    /// The first field of a name in lower case.
    public subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    /// Reads a head that ends with an empty line; nil when it is no HTTP/1 request.
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

    /// The single range asked for, cut to a length; nil for none, an empty one when it cannot be had.
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
