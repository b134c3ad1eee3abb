public import JSON

/// An object on the wire whose members are declared once, in `declareMembers`: it is written, read and described in the
/// manual by that one declaration.
///
/// It writes every member, `null` for what is not known, in the order declared; readers pass over members that they do
/// not know and fill in for those that are missing, so that members can be added.
public protocol ReplyObject: Equatable, Sendable {
    static var objectName: String { get }
    /// The member whose elements are the rows of the reply, if it is not the first one.
    static var listMember: String? { get }
    init()
    var answer: JSONValue { get }
    mutating func declareMembers(_ members: inout MemberExchange)
}

extension ReplyObject {
    public static var objectName: String { "object" }

    public static var listMember: String? { nil }

    public var answer: JSONValue { json }

    /// An object with the members that `fill` sets.
    public init(_ fill: (inout Self) -> Void) {
        self.init()
        fill(&self)
    }

    /// The object on the wire.
    @inlinable public var json: JSONValue {
        var written = self
        var members = MemberExchange.writing
        written.declareMembers(&members)
        return .object(members.written)
    }

    /// Appends the text of `json`.
    @inlinable public func write(to bytes: inout [UInt8]) { MemberExchange.write(self, to: &bytes) }

    /// Reads what a server sent; nil for what is not such an object.
    @inlinable public init?(json: JSONValue) {
        guard case .object(let source) = json else { return nil }
        self.init()
        var members = MemberExchange.reading(source)
        declareMembers(&members)
        if members.isIncomplete { return nil }
    }

    /// Its members for the manual.
    public static var members: [ObjectMember] {
        var blank = Self()
        var members = MemberExchange.describing
        blank.declareMembers(&members)
        var described = members.described
        for index in described.indices where described[index].name == listMember { described[index].holdsRows = true }
        return described
    }
}

/// A member of an object, for the manual and for clients that let people name members.
public struct ObjectMember: Sendable {
    public var name: String
    /// Its type in words.
    public var type: String
    public var help: String
    /// How command lines spell the number that it holds; nil if they take it as it is.
    public var idForm: IdForm?
    public var isList: Bool
    /// Whether its elements are the rows of a reply in which it is not the first member.
    public var holdsRows = false
    /// The members of the object, or of each element of the list, that it holds; nil for other values.
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

/// How a command line spells a number, so that its kind can be seen.
public enum IdForm: String, Sendable {
    case episode = "e"
    case feed = "f"
    /// An index in the queue.
    case index = "#"
    /// An entry of the queue, which command lines name by its index.
    case entry = ""
}

extension Array where Element: ReplyObject {
    /// The objects on the wire.
    @inlinable public var json: JSONValue {
        var list: [JSONValue] = []
        for object in self { list.append(object.json) }
        return .array(list)
    }

    /// Reads what a server sent; elements that are not such objects are skipped.
    @inlinable public init(json: JSONValue) {
        self = []
        for element in json.arrayValue ?? [] {
            if let object = Element(json: element) { append(object) }
        }
    }
}
