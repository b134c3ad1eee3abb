public import JSON
public import PodcastModel

/// Reads, writes or describes a command's parameters. A command declares its parameters once for all three directions.
public struct ParameterExchange {
    enum Direction {
        case reading
        case writing
        case describing
    }

    enum Problem {
        case missing(name: String, help: String)
        case refused(ControlError)

        func error(of command: String) -> ControlError {
            switch self {
            case .missing(let name, let help):
                ControlError(.invalidParameters, "\(command) needs \(name)", hint: "\(name): \(help)")
            case .refused(let error): error
            }
        }
    }

    private let direction: Direction
    /// The `params` being read, if they are an object.
    private var members: [JSONValue.Member] = []
    /// The `params` being read, if they are an array: the elements that no declaration has asked for yet.
    private var elements: ArraySlice<JSONValue> = []
    /// Number of given values that no declaration has asked for yet.
    private var unread = 0
    private(set) var problem: Problem?
    private(set) var refusal: ControlError?
    private(set) var written: [JSONValue.Member] = []
    private(set) var described: [ParameterDeclaration] = []

    init(_ direction: Direction, given: JSONValue? = nil) {
        self.direction = direction
        switch given {
        case nil, .null?: break
        case .object(let members)?: self.members = members
        case .array(let elements)?: self.elements = elements[...]
        case .bool?, .integer?, .number?, .string?: unread = 1
        }
        unread += members.count + elements.count
    }

    /// True if all given values have been read and no required value is missing.
    var isComplete: Bool { problem == nil && unread == 0 }

    /// A parameter without which the command fails.
    public mutating func require<Value: ParameterValue>(
        _ name: String, _ value: inout Value, _ kind: @autoclosure () -> ValueKind = Value.kind,
        spelling: ParameterDeclaration.Spelling? = nil, placeholder: String? = nil, help: String
    ) { declare(name, &value, kind(), isRequired: true, spelling: spelling, placeholder: placeholder, help: help) }

    /// A parameter that is required, or whose initial value is the default. On a command line, flags are options and all other
    /// parameters arguments, unless `spelling` says otherwise.
    /// - Parameter placeholder: what help calls the value (default: the name in capitals, or N for rows).
    public mutating func declare<Value: ParameterValue>(
        _ name: String, _ value: inout Value, _ kind: @autoclosure () -> ValueKind = Value.kind,
        isRequired: Bool = false, spelling: ParameterDeclaration.Spelling? = nil, placeholder: String? = nil,
        help: String
    ) {
        switch direction {
        case .reading:
            if let read = read(name, kind, isRequired: isRequired, help).flatMap(Value.init(json:)) { value = read }
        case .writing: if isRequired || !value.isBlank { written.append(.init(name, value.json)) }
        case .describing:
            let kind = kind()
            let initial = value.json
            described.append(
                ParameterDeclaration(
                    name: name, kind: kind, isRequired: isRequired,
                    defaultValue: isRequired || initial == .null ? JSONValue?.none : initial, help: help,
                    spelling: spelling ?? (kind == .flag ? .option : .argument),
                    placeholder: placeholder ?? (spelling == .rows ? "N" : name.uppercased())))
        }
    }

    /// - Returns: the checked value, if one was given.
    private mutating func read(
        _ name: String, _ kind: () -> ValueKind, isRequired: Bool, _ help: String
    ) -> JSONValue? {
        let found = members.first { $0.name == name }?.value ?? elements.popFirst()
        if found != nil { unread -= 1 }
        if refusal != nil { return nil }
        guard let found, found != .null else {
            if isRequired, problem == nil { problem = .missing(name: name, help: help) }
            return nil
        }
        do throws(ControlError) {
            return try kind().checked(found, name: name)
        } catch {
            refusal = error
            if problem == nil { problem = .refused(error) }
            return nil
        }
    }
}

/// A value of a parameter.
public protocol ParameterValue: WireValue {
    static var kind: ValueKind { get }
}

/// A parameter that may be left out.
extension Optional: ParameterValue where Wrapped: ParameterValue {
    public static var kind: ValueKind { Wrapped.kind }
}

extension Array: ParameterValue where Element: ParameterValue {
    public static var kind: ValueKind { .list(Element.kind) }
}

extension String: ParameterValue {
    public static var kind: ValueKind { .string }
}

extension Bool: ParameterValue {
    public static var kind: ValueKind { .flag }
}

extension ParameterValue where Self: FixedWidthInteger {
    public static var kind: ValueKind { .integer(Int64.min...Int64.max) }
}

extension Int: ParameterValue, WireScalar {}
extension Int64: ParameterValue, WireScalar {}
extension UInt64: ParameterValue, WireScalar {}

extension Double: ParameterValue {
    public static var kind: ValueKind { ValueKind(.number) }
}

extension JSONValue: ParameterValue {
    public static var kind: ValueKind { .object }
}

extension WireIdentifier {
    public static var kind: ValueKind { .integer(1...Int64.max) }
}

/// A type whose cases are the words of a parameter.
public protocol ParameterChoice: ParameterValue, WireScalar, CaseIterable, RawRepresentable<String>, Sendable {}

extension ParameterChoice {
    public static var kind: ValueKind { .choice(words) }
}

extension TimeArgument: ParameterValue, WireScalar {
    public static var kind: ValueKind { .time }
    public static var typeName: String { "time" }

    public var json: JSONValue {
        switch self {
        case .absolute(let time): time.json
        case .share(let share): .string("\(MediaTime(seconds: share * 100).secondsText)%")
        case .relativeShare(let share):
            .string("\(share < 0 ? "-" : "+")\(MediaTime(seconds: abs(share) * 100).secondsText)%")
        case .relative(let time):
            .string("\(time < .zero ? "-" : "+")\(MediaTime(milliseconds: abs(time.milliseconds)).secondsText)")
        }
    }

    public init?(json: JSONValue) {
        switch json {
        case .string(let text): self.init(parsing: text)
        case .integer(let seconds): self = .absolute(MediaTime(seconds: Double(seconds)))
        case .number(let seconds): self = .absolute(MediaTime(seconds: seconds))
        case .null, .bool, .array, .object: return nil
        }
    }
}

extension MediaTime {
    /// Seconds with three decimals; without decimals if all three are zero.
    fileprivate var secondsText: String {
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        if rest == 0 { return "\(seconds)" }
        return "\(seconds).\(String("\(1000 + rest)".dropFirst()))"
    }
}
