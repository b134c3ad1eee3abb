public import JSON
public import PodcastModel

/// Reads, writes or describes an object's members. An object declares its members once for all three directions.
///
/// Generic functions are inlinable: unspecialized they double the instructions of a short run of podcastctl.
public struct MemberExchange {
    @usableFromInline enum Direction {
        case writing
        case writingText
        case reading
        case describing
    }

    /// Precision of written numbers.
    public enum Grain: Double {
        case whole = 1
        case thousandth = 1000
    }

    @usableFromInline let direction: Direction
    private let source: [JSONValue.Member]
    @usableFromInline var written: [JSONValue.Member] = []
    /// The object's text, while the exchange owns the caller's buffer.
    @usableFromInline var text: [UInt8] = []
    @usableFromInline var described: [ObjectMember] = []
    /// Whether a required member was missing or of a wrong type.
    public var isIncomplete = false

    @usableFromInline init(_ direction: Direction, source: [JSONValue.Member] = []) {
        self.direction = direction
        self.source = source
        // The largest object has 19 members.
        if direction == .writing { written.reserveCapacity(19) }
    }

    @usableFromInline var isWriting: Bool { direction == .writing || direction == .writingText }

    /// Appends an object's text directly; building a `JSONValue` first takes three times as long.
    @inlinable
    static func write<Object: ReplyObject>(_ object: Object, to bytes: inout [UInt8]) {
        var members = MemberExchange(.writingText)
        swap(&members.text, &bytes)
        members.writeText(of: object)
        swap(&members.text, &bytes)
    }

    @inlinable
    mutating func writeText<Object: ReplyObject>(of object: Object) {
        var object = object
        text.append(.openingBrace)
        object.declareMembers(&self)
        text.append(.closingBrace)
    }

    /// A member whose unknown value is written as `null`. A missing member keeps its value.
    @inlinable
    public mutating func declare<Value: WireValue>(
        _ name: String, _ value: inout Value, isRequired: Bool = false, _ help: String = ""
    ) {
        switch direction {
        case .writing: written.append(.init(name, value.json))
        case .writingText:
            write(name)
            value.write(to: &text)
        case .reading:
            if let member = member(name), let read = Value(json: member) {
                value = read
            } else if isRequired {
                isIncomplete = true
            }
        case .describing:
            described.append(
                ObjectMember(
                    name, Value.typeName, help, idForm: Value.idForm, isList: Value.isList, nested: Value.nested))
        }
    }

    /// A member without which the object cannot be read.
    @inlinable
    public mutating func require<Value: WireValue>(_ name: String, _ value: inout Value, _ help: String = "") {
        declare(name, &value, isRequired: true, help)
    }

    /// A member that is omitted if its value is nil, an empty list or false.
    @inlinable
    public mutating func declareIfAny<Value: WireValue>(_ name: String, _ value: inout Value, _ help: String = "") {
        if !isWriting || !value.isBlank { declare(name, &value, help) }
    }

    /// A member that may be missing. A value of another type makes the object unreadable.
    public mutating func declareIfAny<Value: WireValue>(
        _ name: String, exactly value: inout Value?, _ help: String = ""
    ) {
        if direction == .reading, let json = member(name), json != .null, Value(json: json) == nil {
            isIncomplete = true
        }
        declareIfAny(name, &value, help)
    }

    /// An index in the queue, from 1.
    public mutating func declareIndex(
        _ name: String, _ index: inout Int, isRequired: Bool = false, _ help: String = ""
    ) {
        declare(name, &index, isRequired: isRequired, help)
        if direction == .describing { described[described.count - 1].idForm = .index }
    }

    /// A number that is rounded when written.
    public mutating func declare(_ name: String, _ value: inout Double, _ grain: Grain, _ help: String = "") {
        if isWriting { value = Self.rounded(value, grain) }
        declare(name, &value, help)
    }

    /// A number that is rounded when written, and `null` if unknown.
    public mutating func declare(_ name: String, _ value: inout Double?, _ grain: Grain, _ help: String = "") {
        if isWriting { value = value.map { Self.rounded($0, grain) } }
        declare(name, &value, help)
    }

    private static func rounded(_ value: Double, _ grain: Grain) -> Double {
        (value * grain.rawValue).rounded() / grain.rawValue
    }

    @usableFromInline func member(_ name: String) -> JSONValue? { source.first { $0.name == name }?.value }

    /// Appends a member's name: a literal without characters that JSON escapes.
    @usableFromInline mutating func write(_ name: String) {
        if text.last != .openingBrace { text.append(.comma) }
        text.append(.quote)
        text.append(text: name)
        text.append(.quote)
        text.append(.colon)
    }
}

/// Carries the members that lists of episodes show to the wire, from the wire, or into the manual.
extension MemberExchange: MemberVisitor {
    public mutating func visit(_ member: PublishedMember, _ text: inout String?) { declare(member, &text) }
    public mutating func visit(_ member: PublishedMember, _ number: inout Int64?) { declare(member, &number) }
    public mutating func visit(_ member: PublishedMember, _ flag: inout Bool?) { declare(member, &flag) }
    public mutating func visit(_ member: PublishedMember, _ time: inout MediaTime?) { declare(member, &time) }
    public mutating func visit(_ member: PublishedMember, _ date: inout Timestamp?) { declare(member, &date) }

    private mutating func declare<Value: WireScalar>(_ member: PublishedMember, _ value: inout Value?) {
        if let help = member.help { declare(member.name.description, &value, help.description) }
    }
}
