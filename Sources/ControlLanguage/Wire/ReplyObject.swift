public import JSON
internal import PodcastModel

/// An object on the wire. `declareMembers` declares the members once for writing, reading and the manual.
///
/// The object writes every member in the declared order, `null` for unknown values. Readers ignore unknown members and
/// use defaults for missing members, so that members can be added.
public protocol ReplyObject: WireValue, Sendable {
    /// `object` for one whose members are not described apart.
    static var objectName: String { get }
    /// The member that holds the reply's rows, if it is not the first member.
    static var listMember: String? { get }
    init()
    var answer: JSONValue { get }
    mutating func declareMembers(_ members: inout MemberExchange)
}

extension ReplyObject {
    /// The type's name without `Reply`.
    public static var objectName: String {
        let name = String(describing: Self.self)
        return name.hasSuffix("Reply") ? String(name.dropLast(5)) : name
    }

    public static var typeName: String { objectName }

    public static var nested: (@Sendable () -> [ObjectMember])? { { members } }

    public static var listMember: String? { nil }

    public var answer: JSONValue { json }

    public init(_ fill: (inout Self) -> Void) {
        self.init()
        fill(&self)
    }

    @inlinable public var json: JSONValue {
        var written = self
        var members = MemberExchange(.writing)
        written.declareMembers(&members)
        return .object(members.written)
    }

    @inlinable public func write(to bytes: inout [UInt8]) { MemberExchange.write(self, to: &bytes) }

    /// Reads an object that a server sent; nil if the value is not such an object.
    @inlinable public init?(json: JSONValue) {
        guard case .object(let source) = json else { return nil }
        self.init()
        var members = MemberExchange(.reading, source: source)
        declareMembers(&members)
        if members.isIncomplete { return nil }
    }

    /// The object's name or, of a list, its members, for the manual.
    static var summary: String {
        if members.isEmpty { return "an empty object" }
        if objectName != "object" {
            return "\("AEIOU".contains(objectName.prefix(1)) ? "an" : "a") `\(objectName)` object"
        }
        return members.map { "`\($0.name)` (\($0.type))" }.joinedText(", ")
    }

    public static var members: [ObjectMember] {
        var blank = Self()
        var members = MemberExchange(.describing)
        blank.declareMembers(&members)
        var described = members.described
        for index in described.indices where described[index].name == listMember { described[index].holdsRows = true }
        return described
    }
}

/// A member of an object, for the manual and for clients that let users name members.
public struct ObjectMember: Sendable {
    public var name: String
    public var type: String
    public var help: String
    /// How command lines spell the number in this member; nil if they use the plain number.
    public var idForm: IdForm?
    public var isList: Bool
    /// True if the elements are the reply's rows although this is not the first member.
    public var holdsRows = false
    /// Members of the nested object or of a list's elements; nil for other values.
    public var nested: (@Sendable () -> [ObjectMember])?

    public init(
        _ name: String, _ type: String, _ help: String, idForm: IdForm? = nil, isList: Bool = false,
        nested: (@Sendable () -> [ObjectMember])? = nil
    ) {
        self.name = name
        self.type = type
        self.help = help
        self.idForm = idForm
        self.isList = isList
        self.nested = nested
    }
}

/// How a command line spells a number, so that its kind is visible.
public enum IdForm: String, Sendable {
    case episode = "e"
    case feed = "f"
    case index = "#"
    /// A queue entry, which command lines name by index.
    case entry = ""
}

/// The reply of commands that return nothing.
public struct EmptyReply: ReplyObject {
    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {}
}
