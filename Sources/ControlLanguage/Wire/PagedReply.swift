public import JSON

/// A reply with rows of a list. The reply may hold fewer rows than requested, because a line has a maximum length; the
/// client continues with the key of the last row, as after any other page.
public protocol PagedReply: ReplyObject {
    associatedtype Row
    static var rowsMember: String { get }
    static var rows: WritableKeyPath<Self, [Row]> { get }
    /// Whether rows follow the page.
    var hasAfter: Bool { get set }
    /// Whether the page ends before a row, so that rows at its beginning are left out.
    var isBackward: Bool { get }
    /// Leaves out all other rows.
    mutating func keepRows(_ range: Range<Int>)
}

extension PagedReply {
    public static var listMember: String? { rowsMember }
    public var isBackward: Bool { false }

    public mutating func keepRows(_ range: Range<Int>) {
        self[keyPath: Self.rows] = Array(self[keyPath: Self.rows][range])
        hasAfter = true
    }

    /// The object with as many rows as fit in a line, at least one. Texts of very long rows are shortened.
    public var answer: JSONValue {
        let whole = json
        guard whole.byteCount > PageLimits.page, case .array(let given)? = whole[Self.rowsMember] else { return whole }
        let rows = given.map { $0.shortened(toFit: PageLimits.row) ?? $0 }
        var room = PageLimits.page
        let kept = (isBackward ? rows.reversed() : rows).prefix { row in
            room -= row.byteCount + 1
            return room >= 0
        }
        let count = max(1, kept.count)
        let range = isBackward ? rows.count - count..<rows.count : 0..<count
        var reply = self
        if count < self[keyPath: Self.rows].count { reply.keepRows(range) }
        return reply.json.replacing(Self.rowsMember, with: .array(Array(rows[range])))
    }
}

public protocol RowReply: ReplyObject {
    static var rowsMember: String { get }
}

// The generic types have no constraints: see `CommandForm`.

/// A reply with all rows of a list.
public struct ListReply<Row> {
    public var rows: [Row] = []

    public init() {}
    public init(_ rows: [Row]) { self.rows = rows }
}

extension ListReply: Sendable where Row: Sendable {}
extension ListReply: Equatable where Row: Equatable {}

extension ListReply: JSONConvertible, WireValue, ReplyObject where Row: RowReply {
    public static var objectName: String { "object" }
    public mutating func declareMembers(_ members: inout MemberExchange) { members.declare(Row.rowsMember, &rows) }
}

/// A reply with a page of a list.
public struct PageReply<Row> {
    public var rows: [Row] = []
    /// Whether rows follow the page.
    public var hasAfter = false

    public init() {}
    public init(_ rows: [Row], hasAfter: Bool = false) {
        self.rows = rows
        self.hasAfter = hasAfter
    }
}

extension PageReply: Sendable where Row: Sendable {}
extension PageReply: Equatable where Row: Equatable {}

extension PageReply: JSONConvertible, WireValue, ReplyObject, PagedReply where Row: RowReply {
    public static var objectName: String { "object" }
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare(Row.rowsMember, &rows)
        members.declare("hasAfter", &hasAfter, "Whether rows follow the page.")
    }

    public static var rowsMember: String { Row.rowsMember }
    public static var rows: WritableKeyPath<Self, [Row]> { \.rows }
}

/// Limits of lists in bytes; a line may have `Outgoing.maximumLine` bytes.
enum PageLimits {
    /// Bytes of a page's rows; the rest of the reply fits in the remainder of a line.
    static let page = 768 << 10
    /// Bytes of a row: room for notes and several links; a dozen such rows fit in a page.
    static let row = 64 << 10
}

extension JSONValue {
    var byteCount: Int { bytes.count }

    /// The value with its longest texts shortened (ending in `…`) until its text has at most `maximum` bytes. Nil if
    /// the value is too long without any texts.
    func shortened(toFit maximum: Int) -> JSONValue? {
        if byteCount <= maximum { return self }
        let shortest = shortened(textsTo: 1 << 6)
        guard shortest.byteCount <= maximum else { return nil }
        for textBytes in [1 << 16, 1 << 14, 1 << 12, 1 << 10, 1 << 8] where textBytes < maximum {
            let candidate = shortened(textsTo: textBytes)
            if candidate.byteCount <= maximum { return candidate }
        }
        return shortest
    }

    private func shortened(textsTo maximum: Int) -> JSONValue {
        switch self {
        case .null, .bool, .integer, .number: return self
        case .string(let text):
            if text.utf8.count <= maximum { return self }
            var bytes = 0
            let end = text.unicodeScalars.firstIndex { scalar in
                bytes += UTF8.width(scalar)
                return bytes > maximum - 3
            }
            return .string(text[..<(end ?? text.endIndex)] + "…")
        case .array(let elements): return .array(elements.map { $0.shortened(textsTo: maximum) })
        case .object(let members):
            return .object(members.map { Member($0.name, $0.value.shortened(textsTo: maximum)) })
        }
    }
}
