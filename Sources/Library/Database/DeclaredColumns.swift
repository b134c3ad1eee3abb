internal import PodcastModel
internal import SQLite

/// Collects the columns of objects and their values.
struct DeclaredColumns: MemberVisitor {
    var names: [StaticString] = []
    var values: [SQLValue] = []
    var isIncomplete = false

    init() {
        names.reserveCapacity(32)
        values.reserveCapacity(32)
    }

    init(of object: some PublishedObject) {
        self.init()
        add(object)
    }

    /// The row of an object in a list of an episode.
    init(of object: some PublishedObject, at place: Int, of episode: EpisodeID) {
        self.init()
        add("episode", episode)
        add("place", place)
        add(object)
    }

    mutating func add(_ object: some PublishedObject) {
        var object = object
        object.declareMembers(&self)
    }

    mutating func add(_ name: StaticString, _ value: (some SQLBindable)?) {
        names.append(name)
        values.append(value?.sqlValue ?? .null)
    }

    mutating func visit(_ member: PublishedMember, _ text: inout String?) { add(member, text) }
    mutating func visit(_ member: PublishedMember, _ number: inout Int64?) { add(member, number) }
    mutating func visit(_ member: PublishedMember, _ flag: inout Bool?) { add(member, flag) }
    mutating func visit(_ member: PublishedMember, _ time: inout MediaTime?) { add(member, time) }
    mutating func visit(_ member: PublishedMember, _ date: inout Timestamp?) { add(member, date) }
    mutating func visit(_ member: PublishedMember, _ flag: inout Bool, usual: Bool) { add(member, flag) }

    mutating func add(_ member: PublishedMember, _ value: (some SQLBindable)?) {
        if let column = member.column { add(column, value) }
    }

    /// Names for a list, quoted because some are words of SQL.
    func list(prefix: String = "", suffix: String = "") -> String {
        names.map { "\(prefix)\"\($0)\"\(suffix)" }.joinedText(", ")
    }

    /// Inserts a row; it is bound to other rows' values by `SQL.with`.
    func insertion(into table: StaticString) -> SQL {
        let marks = Array(repeating: "?", count: names.count).joinedText(", ")
        return SQL(raw: "INSERT INTO \(table)(\(list())) VALUES (\(marks))").with(values)
    }
}

private struct RowReader: MemberVisitor {
    let row: Row
    var isIncomplete = false

    func visit(_ member: PublishedMember, _ text: inout String?) { read(member, &text) }
    func visit(_ member: PublishedMember, _ number: inout Int64?) { read(member, &number) }
    func visit(_ member: PublishedMember, _ flag: inout Bool?) { read(member, &flag) }
    func visit(_ member: PublishedMember, _ time: inout MediaTime?) { read(member, &time) }
    func visit(_ member: PublishedMember, _ date: inout Timestamp?) { read(member, &date) }

    private func read<Value: SQLReadable>(_ member: PublishedMember, _ value: inout Value?) {
        if let column = member.column { value = row[column] }
    }
}

extension PublishedObject {
    init(row: Row) {
        self.init()
        var reader = RowReader(row: row)
        declareMembers(&reader)
    }
}
