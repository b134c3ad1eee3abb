internal import JSON
internal import PodcastModel

/// Collects the members of an object; what is not known is left out.
struct MemberList {
    private(set) var members: [JSONValue.Member] = []

    mutating func add(_ name: String, _ text: String?) {
        if let text { members.append(.init(name, .string(text))) }
    }

    mutating func add(_ name: String, _ number: Int64?) {
        if let number { members.append(.init(name, .integer(number))) }
    }

    /// Seconds with millisecond grain.
    mutating func add(_ name: String, _ time: MediaTime?) {
        if let time { members.append(.init(name, .number(Double(time.milliseconds) / 1000))) }
    }

    mutating func add(_ name: String, flag: Bool) {
        if flag { members.append(.init(name, true)) }
    }

    mutating func add(_ name: String, _ object: JSONValue?) {
        if let object { members.append(.init(name, object)) }
    }

    mutating func add<Element>(_ name: String, _ list: [Element], _ json: (Element) -> JSONValue) {
        if !list.isEmpty { members.append(.init(name, .array(list.map(json)))) }
    }

    static func object(_ fill: (inout MemberList) -> Void) -> JSONValue {
        var list = MemberList()
        fill(&list)
        return .object(list.members)
    }
}

extension JSONValue {
    func text(_ name: String) -> String? { self[name]?.stringValue }

    func integer(_ name: String) -> Int64? { self[name]?.integerValue }

    /// Ten thousand years are more than anybody plays, and far from what 64 bits of nanoseconds hold.
    func time(_ name: String) -> MediaTime? {
        self[name]?.numberValue.map { MediaTime(milliseconds: Int64((min(max($0, 0), 3e11) * 1000).rounded())) }
    }

    func list<Element>(_ name: String, _ read: (JSONValue) -> Element?) -> [Element] {
        self[name]?.arrayValue?.compactMap(read) ?? []
    }
}
