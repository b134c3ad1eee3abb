internal import JSON

/// Carries an object's members to the wire, from the wire, or into the manual; which of these is its own affair, so that
/// an object declares its members once for all three.
public struct MemberExchange {
    private enum Direction {
        case writing
        case reading
        case describing
    }

    /// To what numbers are rounded when they are written: more digits than this would tell nobody anything.
    public enum Grain: Double {
        case whole = 1
        case thousandth = 1000
    }

    private let direction: Direction
    private let source: [JSONValue.Member]
    /// What was written.
    private(set) var written: [JSONValue.Member] = []
    /// What was described.
    private(set) var described: [ObjectMember] = []
    /// Whether a member was not there, or of a wrong type, without which the object is none.
    private(set) var isIncomplete = false

    private init(_ direction: Direction, source: [JSONValue.Member] = []) {
        self.direction = direction
        self.source = source
        // As many as the largest object has.
        if direction == .writing { written.reserveCapacity(19) }
    }

    static var writing: MemberExchange { MemberExchange(.writing) }
    static var describing: MemberExchange { MemberExchange(.describing) }
    static func reading(_ source: [JSONValue.Member]) -> MemberExchange { MemberExchange(.reading, source: source) }

    // MARK: scalars

    /// A member that always has a value. One that is missing is left as it is, unless it is required.
    public mutating func declare<Value: WireScalar>(
        _ name: String, _ value: inout Value, isRequired: Bool = false, _ help: String = ""
    ) {
        switch direction {
        case .writing: write(name, value.json)
        case .reading:
            if let read = member(name).flatMap(Value.init(json:)) {
                value = read
            } else if isRequired {
                isIncomplete = true
            }
        case .describing: describe(name, Value.typeName, help)
        }
    }

    /// A member that is `null` when it is not known.
    public mutating func declare<Value: WireScalar>(_ name: String, _ value: inout Value?, _ help: String = "") {
        switch direction {
        case .writing: write(name, value?.json ?? .null)
        case .reading: value = member(name).flatMap(Value.init(json:))
        case .describing: describe(name, Value.typeName + " or null", help)
        }
    }

    /// A number that is rounded on the wire.
    public mutating func declare(_ name: String, _ value: inout Double, _ grain: Grain, _ help: String = "") {
        if direction == .writing { value = Self.rounded(value, grain) }
        declare(name, &value, help)
    }

    /// A number that is rounded on the wire and `null` when it is not known.
    public mutating func declare(_ name: String, _ value: inout Double?, _ grain: Grain, _ help: String = "") {
        if direction == .writing { value = value.map { Self.rounded($0, grain) } }
        declare(name, &value, help)
    }

    private static func rounded(_ value: Double, _ grain: Grain) -> Double {
        (value * grain.rawValue).rounded() / grain.rawValue
    }

    /// A list of scalars; empty when it is missing.
    public mutating func declare<Value: WireScalar>(_ name: String, _ values: inout [Value], _ help: String = "") {
        switch direction {
        case .writing: write(name, .array(values.map { $0.json }))
        case .reading: values = member(name)?.arrayValue?.compactMap { Value(json: $0) } ?? []
        case .describing: describe(name, "list of " + Value.typeName, help)
        }
    }

    // MARK: objects

    /// An object that is always there. One that is missing is left as it is, unless it is required.
    public mutating func declare<Object: ReplyObject>(
        _ name: String, _ object: inout Object, isRequired: Bool = false, _ help: String = ""
    ) {
        switch direction {
        case .writing: write(name, object.json)
        case .reading:
            if let read = member(name).flatMap({ Object(json: $0) }) {
                object = read
            } else if isRequired {
                isIncomplete = true
            }
        case .describing: describe(name, Object.objectName, help)
        }
    }

    /// An object that is `null` when it is not known.
    public mutating func declare<Object: ReplyObject>(_ name: String, _ object: inout Object?, _ help: String = "") {
        switch direction {
        case .writing: write(name, object?.json ?? .null)
        case .reading: object = member(name).flatMap { Object(json: $0) }
        case .describing: describe(name, Object.objectName + " or null", help)
        }
    }

    /// A list of objects; empty when it is missing. What is no such object is passed over.
    public mutating func declare<Object: ReplyObject>(_ name: String, _ objects: inout [Object], _ help: String = "") {
        switch direction {
        case .writing: write(name, objects.json)
        case .reading: objects = member(name).map { [Object](json: $0) } ?? []
        case .describing: describe(name, "list of " + Object.objectName, help)
        }
    }

    // MARK: members that are left out

    /// A member that is left out, rather than `null`, when there is none.
    public mutating func declareIfAny<Value: WireScalar>(_ name: String, _ value: inout Value?, _ help: String = "") {
        if direction != .writing || value != nil { declare(name, &value, help) }
    }

    /// A list that is left out, rather than empty, when it has no elements.
    public mutating func declareIfAny<Value: WireScalar>(_ name: String, _ values: inout [Value], _ help: String = "") {
        if direction != .writing || !values.isEmpty { declare(name, &values, help) }
    }

    /// An object that is left out, rather than `null`, when there is none.
    public mutating func declareIfAny<Object: ReplyObject>(_ name: String, _ object: inout Object?, _ help: String = "") {
        if direction != .writing || object != nil { declare(name, &object, help) }
    }

    private func member(_ name: String) -> JSONValue? { source.first { $0.name == name }?.value }

    private mutating func write(_ name: String, _ value: JSONValue) { written.append(.init(name, value)) }

    private mutating func describe(_ name: String, _ type: String, _ help: String) {
        described.append(ObjectMember(name, type, help))
    }
}
