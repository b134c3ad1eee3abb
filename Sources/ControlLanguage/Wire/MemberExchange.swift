public import JSON

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
    @usableFromInline private(set) var written: [JSONValue.Member] = []
    /// The object's text, while the exchange owns the caller's buffer.
    @usableFromInline var text: [UInt8] = []
    @usableFromInline private(set) var described: [ObjectMember] = []
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

    // MARK: scalars

    /// A member that always has a value. A missing member keeps its value, unless it is required.
    @inlinable
    public mutating func declare<Value: WireScalar>(
        _ name: String, _ value: inout Value, isRequired: Bool = false, _ help: String = ""
    ) {
        switch direction {
        case .writing, .writingText: write(name, value.json)
        case .reading:
            if let member = member(name), let read = Value(json: member) {
                value = read
            } else if isRequired {
                isIncomplete = true
            }
        case .describing: describe(name, Value.typeName, help, Value.idForm)
        }
    }

    /// An index in the queue, from 1.
    public mutating func declareIndex(
        _ name: String, _ index: inout Int, isRequired: Bool = false, _ help: String = ""
    ) {
        if direction == .describing { return describe(name, Int.typeName, help, .index) }
        declare(name, &index, isRequired: isRequired, help)
    }

    /// A member that is `null` if the value is unknown.
    @inlinable
    public mutating func declare<Value: WireScalar>(_ name: String, _ value: inout Value?, _ help: String = "") {
        switch direction {
        case .writing, .writingText: write(name, value?.json ?? .null)
        case .reading:
            if let member = member(name) { value = Value(json: member) } else { value = nil }
        case .describing: describe(name, Value.typeName + " or null", help, Value.idForm)
        }
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

    /// A list of scalars; empty if missing.
    @inlinable
    public mutating func declare<Value: WireScalar>(_ name: String, _ values: inout [Value], _ help: String = "") {
        switch direction {
        case .writing, .writingText:
            var list: [JSONValue] = []
            for value in values { list.append(value.json) }
            write(name, .array(list))
        case .reading:
            values = []
            for element in member(name)?.arrayValue ?? [] {
                if let value = Value(json: element) { values.append(value) }
            }
        case .describing: describe(name, "list of " + Value.typeName, help, Value.idForm, isList: true)
        }
    }

    // MARK: objects

    /// An object that is always present. A missing object keeps its value, unless it is required.
    @inlinable
    public mutating func declare<Object: ReplyObject>(
        _ name: String, _ object: inout Object, isRequired: Bool = false, _ help: String = ""
    ) {
        switch direction {
        case .writing: write(name, object.json)
        case .writingText:
            write(name)
            writeText(of: object)
        case .reading:
            if let member = member(name), let read = Object(json: member) {
                object = read
            } else if isRequired {
                isIncomplete = true
            }
        case .describing: describe(name, Object.objectName, help) { Object.members }
        }
    }

    /// An object that is `null` if unknown.
    @inlinable
    public mutating func declare<Object: ReplyObject>(_ name: String, _ object: inout Object?, _ help: String = "") {
        switch direction {
        case .writing: write(name, object?.json ?? .null)
        case .writingText:
            guard let object else { return write(name, .null) }
            write(name)
            writeText(of: object)
        case .reading:
            if let member = member(name) { object = Object(json: member) } else { object = nil }
        case .describing: describe(name, Object.objectName + " or null", help) { Object.members }
        }
    }

    /// A list of objects; empty if missing. Elements of a wrong type are skipped.
    @inlinable
    public mutating func declare<Object: ReplyObject>(_ name: String, _ objects: inout [Object], _ help: String = "") {
        switch direction {
        case .writing: write(name, objects.json)
        case .writingText:
            write(name)
            text.append(UInt8(ascii: "["))
            for index in objects.indices {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                writeText(of: objects[index])
            }
            text.append(UInt8(ascii: "]"))
        case .reading: objects = [Object](json: member(name) ?? .null)
        case .describing: describe(name, "list of " + Object.objectName, help, isList: true) { Object.members }
        }
    }

    // MARK: members that are left out

    /// A member that is omitted, not `null`, if there is no value.
    @inlinable
    public mutating func declareIfAny<Value: WireScalar>(_ name: String, _ value: inout Value?, _ help: String = "") {
        if !isWriting || value != nil { declare(name, &value, help) }
    }

    /// A list that is omitted if empty.
    @inlinable
    public mutating func declareIfAny<Value: WireScalar>(_ name: String, _ values: inout [Value], _ help: String = "") {
        if !isWriting || !values.isEmpty { declare(name, &values, help) }
    }

    /// A list of objects that is omitted if empty.
    @inlinable
    public mutating func declareIfAny<Object: ReplyObject>(
        _ name: String, _ objects: inout [Object], _ help: String = ""
    ) {
        if !isWriting || !objects.isEmpty { declare(name, &objects, help) }
    }

    /// An object that is omitted, not `null`, if there is no value.
    @inlinable
    public mutating func declareIfAny<Object: ReplyObject>(
        _ name: String, _ object: inout Object?, _ help: String = ""
    ) {
        if !isWriting || object != nil { declare(name, &object, help) }
    }

    @usableFromInline func member(_ name: String) -> JSONValue? { source.first { $0.name == name }?.value }

    @usableFromInline mutating func write(_ name: String, _ value: JSONValue) {
        if direction == .writing { return written.append(.init(name, value)) }
        write(name)
        value.write(to: &text)
    }

    /// Appends a member's name: a literal without characters that JSON escapes.
    @usableFromInline mutating func write(_ name: String) {
        if text.last != UInt8(ascii: "{") { text.append(UInt8(ascii: ",")) }
        text.append(UInt8(ascii: "\""))
        text.append(text: name)
        text.append(UInt8(ascii: "\""))
        text.append(UInt8(ascii: ":"))
    }

    @usableFromInline mutating func describe(
        _ name: String, _ type: String, _ help: String, _ idForm: IdForm? = nil, isList: Bool = false,
        nested: (@Sendable () -> [ObjectMember])? = nil
    ) {
        described.append(ObjectMember(name, type, help, idForm: idForm, isList: isList, nested: nested))
    }
}
