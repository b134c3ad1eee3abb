public import PodcastModel

extension PublishedObject {
    /// The object as JSON; members without a value are omitted.
    public var json: JSONValue { json(keepsEmptyLists: false) }

    /// The object as JSON; members without a value are omitted, and empty lists as well unless `keepsEmptyLists`.
    public func json(keepsEmptyLists: Bool) -> JSONValue {
        var object = self
        var writer = JSONWriter(keepsEmptyLists: keepsEmptyLists)
        object.declareMembers(&writer)
        return .object(writer.members)
    }

    /// Reads an object from JSON; nil for any other value, and without a required member.
    public init?(json: JSONValue) {
        guard case .object = json else { return nil }
        self.init()
        var reader = JSONReader(source: json)
        declareMembers(&reader)
        if reader.isIncomplete { return nil }
    }
}

private struct JSONWriter: MemberVisitor {
    let keepsEmptyLists: Bool
    var members: [JSONValue.Member] = []
    var isIncomplete = false

    mutating func visit(_ member: PublishedMember, _ text: inout String?) { add(member, text.map(JSONValue.string)) }
    mutating func visit(_ member: PublishedMember, _ number: inout Int64?) {
        add(member, number.map(JSONValue.integer))
    }
    mutating func visit(_ member: PublishedMember, _ flag: inout Bool?) { add(member, flag.map(JSONValue.bool)) }
    /// Seconds, rounded to milliseconds.
    mutating func visit(_ member: PublishedMember, _ time: inout MediaTime?) {
        add(member, time.map { .number(Double($0.milliseconds) / 1000) })
    }
    mutating func visit(_ member: PublishedMember, _ date: inout Timestamp?) {
        add(member, date.map { .string($0.description) })
    }

    mutating func visit<Object: PublishedObject>(_ list: PublishedList, _ objects: inout [Object]) {
        if objects.isEmpty, !keepsEmptyLists { return }
        let elements = objects.map { $0.json(keepsEmptyLists: keepsEmptyLists) }
        members.append(.init(list.name.description, .array(elements)))
    }

    mutating func add(_ member: PublishedMember, _ value: JSONValue?) {
        if let value { members.append(.init(member.name.description, value)) }
    }
}

private struct JSONReader: MemberVisitor {
    let source: JSONValue
    var isIncomplete = false

    func visit(_ member: PublishedMember, _ text: inout String?) { text = value(member)?.stringValue }
    func visit(_ member: PublishedMember, _ number: inout Int64?) { number = value(member)?.integerValue }
    func visit(_ member: PublishedMember, _ flag: inout Bool?) { flag = value(member)?.boolValue }
    /// Ten thousand years: more than any real time, and far below the range of 64 bit nanoseconds.
    func visit(_ member: PublishedMember, _ time: inout MediaTime?) {
        time = value(member)?.numberValue
            .map { MediaTime(milliseconds: Int64((min(max($0, 0), 3e9) * 1000).rounded())) }
    }
    func visit(_ member: PublishedMember, _ date: inout Timestamp?) {
        date = value(member)?.stringValue.flatMap(Timestamp.init(parsing:))
    }

    func visit<Object: PublishedObject>(_ list: PublishedList, _ objects: inout [Object]) {
        objects = source[list.name.description]?.arrayValue?.compactMap(Object.init(json:)) ?? []
    }

    func value(_ member: PublishedMember) -> JSONValue? { source[member.name.description] }
}
