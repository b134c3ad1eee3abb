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

    private init(_ direction: Direction, source: [JSONValue.Member] = []) {
        self.direction = direction
        self.source = source
        // The largest object has 19 members.
        if direction == .writing { written.reserveCapacity(19) }
    }

    @usableFromInline static var writing: MemberExchange { MemberExchange(.writing) }
    @usableFromInline static var writingText: MemberExchange { MemberExchange(.writingText) }
    @usableFromInline static var describing: MemberExchange { MemberExchange(.describing) }
    @usableFromInline static func reading(_ source: [JSONValue.Member]) -> MemberExchange {
        MemberExchange(.reading, source: source)
    }

    @usableFromInline var isWriting: Bool { direction == .writing || direction == .writingText }

    /// Appends an object's text directly; building a `JSONValue` first takes three times as long.
    @inlinable
    static func write<Object: ReplyObject>(_ object: Object, to bytes: inout [UInt8]) {
        var members = MemberExchange.writingText
        swap(&members.text, &bytes)
        members.writeText(of: object)
        swap(&members.text, &bytes)
    }

    @inlinable
    mutating func writeText<Object: ReplyObject>(of object: Object) {
        var object = object
        text.append(UInt8(ascii: "{"))
        object.declareMembers(&self)
        text.append(UInt8(ascii: "}"))
    }

    /// A member that always has a value. A missing member keeps its value, unless it is required.
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
        case .describing: describe(Value.self, name, "", Value.typeName, help)
        }
    }

    /// A member that is `null` if the value is unknown.
    @inlinable
    public mutating func declare<Value: WireValue>(_ name: String, _ value: inout Value?, _ help: String = "") {
        switch direction {
        case .writing: written.append(.init(name, value?.json ?? .null))
        case .writingText:
            write(name)
            if let value { value.write(to: &text) } else { text.append(text: "null") }
        case .reading:
            if let member = member(name) { value = Value(json: member) } else { value = nil }
        case .describing: describe(Value.self, name, "", Value.typeName + " or null", help)
        }
    }

    /// A list; empty if missing. Elements of a wrong type are skipped.
    @inlinable
    public mutating func declare<Value: WireValue>(_ name: String, _ values: inout [Value], _ help: String = "") {
        switch direction {
        case .writing:
            var list: [JSONValue] = []
            for value in values { list.append(value.json) }
            written.append(.init(name, .array(list)))
        case .writingText:
            write(name)
            text.append(UInt8(ascii: "["))
            for index in values.indices {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                values[index].write(to: &text)
            }
            text.append(UInt8(ascii: "]"))
        case .reading:
            values = []
            for element in member(name)?.arrayValue ?? [] {
                if let value = Value(json: element) { values.append(value) }
            }
        case .describing: describe(Value.self, name, "list of ", Value.typeName, help)
        }
    }

    /// A member that is omitted, not `null`, if there is no value.
    @inlinable
    public mutating func declareIfAny<Value: WireValue>(_ name: String, _ value: inout Value?, _ help: String = "") {
        if !isWriting || value != nil { declare(name, &value, help) }
    }

    /// A list that is omitted if empty.
    @inlinable
    public mutating func declareIfAny<Value: WireValue>(_ name: String, _ values: inout [Value], _ help: String = "") {
        if !isWriting || !values.isEmpty { declare(name, &values, help) }
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
        if text.last != UInt8(ascii: "{") { text.append(UInt8(ascii: ",")) }
        text.append(UInt8(ascii: "\""))
        text.append(text: name)
        text.append(UInt8(ascii: "\""))
        text.append(UInt8(ascii: ":"))
    }

    @inlinable mutating func describe<Value: WireValue>(
        _ value: Value.Type, _ name: String, _ list: String, _ type: String, _ help: String
    ) {
        described.append(
            ObjectMember(
                name, list + type, help, idForm: Value.idForm, isList: !list.isEmpty, nested: Value.nested))
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
