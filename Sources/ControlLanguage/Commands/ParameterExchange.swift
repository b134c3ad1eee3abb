public import JSON
public import PodcastModel

/// Reads, writes or describes a command's parameters. A command declares its parameters once for all three directions.
public struct ParameterExchange {
    private enum Direction {
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

    /// Declaration of a parameter, without name and type.
    private struct Notes {
        var isRequired: Bool
        var spelling: ParameterDeclaration.Spelling?
        var help: String
        /// Default value that is omitted from written requests.
        var silentDefault: JSONValue?
    }

    private let direction: Direction
    /// The `params` being read.
    private let given: JSONValue?
    /// Number of members or elements of `given` that no declaration has asked for yet.
    private var unread: Int
    /// Index of the next parameter in an array.
    private var place = 0
    private(set) var problem: Problem?
    private(set) var refusal: ControlError?
    private(set) var written: [JSONValue.Member] = []
    private(set) var described: [ParameterDeclaration] = []

    private init(_ direction: Direction, given: JSONValue? = nil) {
        self.direction = direction
        self.given = given
        switch given {
        case nil, .null?: unread = 0
        case .object(let members)?: unread = members.count
        case .array(let elements)?: unread = elements.count
        case .bool?, .integer?, .number?, .string?: unread = 1
        }
    }

    static var writing: ParameterExchange { ParameterExchange(.writing) }
    static var describing: ParameterExchange { ParameterExchange(.describing) }
    static func reading(_ params: JSONValue?) -> ParameterExchange { ParameterExchange(.reading, given: params) }

    /// True if all given values have been read and no required value is missing.
    var isComplete: Bool { problem == nil && unread == 0 }

    // MARK: texts

    public enum TextForm: Sendable {
        /// At most 4096 bytes.
        case string
        /// At most this number of UTF-8 bytes, for documents and notes.
        case text(maximumBytes: Int)
        /// An id, a URL, a queue index or words of a title; numbers are read as texts.
        case what

        fileprivate var kind: ParameterDeclaration.Kind {
            switch self {
            case .string: .string
            case .text(let maximumBytes): .text(maximumBytes: maximumBytes)
            case .what: .what
            }
        }
    }

    /// A required text, or a text whose initial value is the default.
    public mutating func declare(
        _ name: String, _ value: inout String, _ form: TextForm = .string, isRequired: Bool = false,
        spelling: ParameterDeclaration.Spelling? = nil, help: String
    ) {
        let notes = Notes(isRequired: isRequired, spelling: spelling, help: help)
        if let read = pass(name, form.kind, .string(value), notes)?.stringValue { value = read }
    }

    public mutating func declare(
        _ name: String, _ value: inout String?, _ form: TextForm = .string,
        spelling: ParameterDeclaration.Spelling? = nil, help: String
    ) {
        let notes = Notes(isRequired: false, spelling: spelling, help: help)
        if let read = pass(name, form.kind, value.map(JSONValue.string), notes) { value = read.stringValue }
    }

    /// A list of texts: required, or empty by default.
    public mutating func declare(
        _ name: String, _ values: inout [String], listOf form: TextForm, isRequired: Bool = false,
        spelling: ParameterDeclaration.Spelling? = nil, help: String
    ) {
        let notes = Notes(isRequired: isRequired, spelling: spelling, help: help, silentDefault: [])
        let read = pass(name, .list(form.kind), .array(values.map(JSONValue.string)), notes)
        if let read { values = Self.texts(read) }
    }

    /// An optional list of texts; nil differs from an empty list.
    public mutating func declare(
        _ name: String, _ values: inout [String]?, listOf form: TextForm,
        spelling: ParameterDeclaration.Spelling? = nil, help: String
    ) {
        let notes = Notes(isRequired: false, spelling: spelling, help: help)
        let read = pass(name, .list(form.kind), values.map { .array($0.map(JSONValue.string)) }, notes)
        if let read { values = Self.texts(read) }
    }

    private static func texts(_ list: JSONValue) -> [String] { list.arrayValue?.compactMap(\.stringValue) ?? [] }

    // MARK: choices

    /// A choice: required, or with its initial value as the default.
    public mutating func declare<Choice: ParameterChoice>(
        _ name: String, _ value: inout Choice, isRequired: Bool = false,
        spelling: ParameterDeclaration.Spelling? = nil, help: String
    ) {
        let notes = Notes(isRequired: isRequired, spelling: spelling, help: help)
        if let read = pass(name, Choice.kind, .string(value.word), notes).flatMap(Choice.init(json:)) { value = read }
    }

    public mutating func declare<Choice: ParameterChoice>(
        _ name: String, _ value: inout Choice?, spelling: ParameterDeclaration.Spelling? = nil, help: String
    ) {
        let notes = Notes(isRequired: false, spelling: spelling, help: help)
        let written = value.map { JSONValue.string($0.word) }
        if let read = pass(name, Choice.kind, written, notes) { value = Choice(json: read) }
    }

    public mutating func declare<Choice: ParameterChoice>(
        _ name: String, _ values: inout [Choice]?, spelling: ParameterDeclaration.Spelling? = nil, help: String
    ) {
        let notes = Notes(isRequired: false, spelling: spelling, help: help)
        let written = values.map { JSONValue.array($0.map { .string($0.word) }) }
        if let read = pass(name, .list(Choice.kind), written, notes) {
            values = read.arrayValue?.compactMap(Choice.init(json:))
        }
    }

    // MARK: numbers

    /// A whole number: required, or with its initial value as the default.
    public mutating func declare<Number: FixedWidthInteger>(
        _ name: String, _ value: inout Number, _ range: ClosedRange<Int64>, isRequired: Bool = false,
        spelling: ParameterDeclaration.Spelling? = nil, help: String
    ) {
        let notes = Notes(isRequired: isRequired, spelling: spelling, help: help)
        let read = pass(name, .integer(range), .integer(Int64(clamping: value)), notes)?.integerValue
        if let read { value = Number(clamping: read) }
    }

    public mutating func declare<Number: FixedWidthInteger>(
        _ name: String, _ value: inout Number?, _ range: ClosedRange<Int64>,
        spelling: ParameterDeclaration.Spelling? = nil, help: String
    ) {
        let notes = Notes(isRequired: false, spelling: spelling, help: help)
        let read = pass(name, .integer(range), value.map { .integer(Int64(clamping: $0)) }, notes)
        if let read { value = read.integerValue.map { Number(clamping: $0) } }
    }

    /// The required id of a row of the library.
    public mutating func declare<ID: WireIdentifier>(
        _ name: String, _ value: inout ID, help: String
    ) {
        let notes = Notes(isRequired: true, spelling: nil, help: help)
        if let read = pass(name, ID.kind, value.json, notes).flatMap(ID.init(json:)) { value = read }
    }

    /// Ids of rows of the library; empty by default.
    public mutating func declare<ID: WireIdentifier>(
        _ name: String, _ values: inout [ID], isRequired: Bool = false, help: String
    ) {
        let notes = Notes(isRequired: isRequired, spelling: nil, help: help, silentDefault: [])
        let read = pass(name, .list(ID.kind), .array(values.map(\.json)), notes)
        if let read { values = read.arrayValue?.compactMap(ID.init(json:)) ?? [] }
    }

    public mutating func declare(
        _ name: String, _ value: inout Double?, _ range: ClosedRange<Double>,
        spelling: ParameterDeclaration.Spelling? = nil, help: String
    ) {
        let notes = Notes(isRequired: false, spelling: spelling, help: help)
        if let read = pass(name, .number(range), value.map(JSONValue.number), notes) { value = read.numberValue }
    }

    // MARK: others

    public mutating func declare(
        _ name: String, _ value: inout TimeArgument?, spelling: ParameterDeclaration.Spelling? = nil, help: String
    ) {
        let notes = Notes(isRequired: false, spelling: spelling, help: help)
        if let read = pass(name, .time, value?.json, notes) { value = TimeArgument(json: read) }
    }

    public mutating func declare(
        _ name: String, _ value: inout Bool, spelling: ParameterDeclaration.Spelling? = nil, help: String
    ) {
        let notes = Notes(isRequired: false, spelling: spelling, help: help, silentDefault: false)
        if let read = pass(name, .flag, .bool(value), notes)?.boolValue { value = read }
    }

    public mutating func declare(_ name: String, object value: inout JSONValue?, help: String) {
        let notes = Notes(isRequired: false, spelling: nil, help: help)
        if let read = pass(name, .object, value, notes) { value = read }
    }

    // MARK: the three directions

    /// - Parameter value: the request's present value; nil if the parameter is left out.
    /// - Returns: the checked value, if the exchange is reading and a value was given.
    private mutating func pass(
        _ name: String, _ kind: @autoclosure () -> ParameterDeclaration.Kind, _ value: @autoclosure () -> JSONValue?,
        _ notes: Notes
    ) -> JSONValue? {
        switch direction {
        case .reading: return read(name, kind, notes)
        case .writing:
            guard let value = value(), notes.isRequired || value != notes.silentDefault else { return nil }
            written.append(.init(name, value))
        case .describing:
            described.append(
                ParameterDeclaration(
                    name, kind(), isRequired: notes.isRequired, default: notes.isRequired ? nil : value(),
                    spelling: notes.spelling, help: notes.help))
        }
        return nil
    }

    private mutating func read(
        _ name: String, _ kind: () -> ParameterDeclaration.Kind, _ notes: Notes
    ) -> JSONValue? {
        let found = next(name)
        if found != nil { unread -= 1 }
        if refusal != nil { return nil }
        guard let found, found != .null else {
            if notes.isRequired, problem == nil { problem = .missing(name: name, help: notes.help) }
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

    private mutating func next(_ name: String) -> JSONValue? {
        switch given {
        case .object(let members)?: return members.first { $0.name == name }?.value
        case .array(let elements)?:
            defer { place += 1 }
            return place < elements.count ? elements[place] : nil
        case nil, .null?, .bool?, .integer?, .number?, .string?: return nil
        }
    }
}

/// A type whose cases are the words of a parameter.
public protocol ParameterChoice: CaseIterable, Equatable, Sendable {
    /// The name on the wire.
    var word: String { get }
}

extension ParameterChoice where Self: RawRepresentable<String> {
    public var word: String { rawValue }
}

extension ParameterChoice {
    fileprivate static var kind: ParameterDeclaration.Kind { .choice(allCases.map(\.word)) }

    fileprivate init?(json: JSONValue) {
        guard let word = json.stringValue, let choice = Self.allCases.first(where: { $0.word == word }) else {
            return nil
        }
        self = choice
    }
}

extension WireIdentifier {
    fileprivate static var kind: ParameterDeclaration.Kind { .integer(1...Int64.max) }
}

extension TimeArgument {
    fileprivate var json: JSONValue {
        switch self {
        case .absolute(let time): time.json
        case .share(let share): .string("\(MediaTime(seconds: share * 100).secondsText)%")
        case .relativeShare(let share):
            .string("\(share < 0 ? "-" : "+")\(MediaTime(seconds: abs(share) * 100).secondsText)%")
        case .relative(let time):
            .string("\(time < .zero ? "-" : "+")\(MediaTime(milliseconds: abs(time.milliseconds)).secondsText)")
        }
    }

    fileprivate init?(json: JSONValue) {
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
