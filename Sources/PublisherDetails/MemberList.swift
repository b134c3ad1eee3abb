internal import JSON
internal import PodcastModel

/// Collects the members of an object; omits members without a value.
struct MemberList {
    private(set) var members: [JSONValue.Member] = []

    mutating func add(_ name: String, _ text: String?) {
        if let text { members.append(.init(name, .string(text))) }
    }

    /// Seconds, rounded to milliseconds.
    mutating func add(_ name: String, _ time: MediaTime?) {
        if let time { members.append(.init(name, .number(Double(time.milliseconds) / 1000))) }
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

    /// Ten thousand years: more than any real time, and far below the range of 64 bit nanoseconds.
    func time(_ name: String) -> MediaTime? {
        self[name]?.numberValue.map { MediaTime(milliseconds: Int64((min(max($0, 0), 3e11) * 1000).rounded())) }
    }

    func list<Element>(_ name: String, _ read: (JSONValue) -> Element?) -> [Element] {
        self[name]?.arrayValue?.compactMap(read) ?? []
    }
}
