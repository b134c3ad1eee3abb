internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol

/// A column of a table: its layout for a terminal, a pipe and a screen reader, and what it says of a row.
struct TableColumn<Row>: Sendable {
    let layout: ColumnLayout.Column
    let text: @Sendable (Row, View) -> String

    init(
        _ title: String = "", _ alignment: ColumnLayout.Column.Alignment = .left, name: String? = nil,
        minimum: Int? = nil, dropRank: Int = 0, says: String? = nil, text: @escaping @Sendable (Row, View) -> String
    ) {
        layout = .init(title, alignment, name: name, minimum: minimum, dropRank: dropRank, says: says)
        self.text = text
    }

    init(
        _ title: String, _ alignment: ColumnLayout.Column.Alignment = .left, minimum: Int? = nil, dropRank: Int = 0,
        says: String? = nil, cell: any KeyPath<Row, String> & Sendable
    ) {
        self.init(title, alignment, minimum: minimum, dropRank: dropRank, says: says) { row, _ in row[keyPath: cell] }
    }
}

/// A command whose reply is shown as a table.
protocol TableVerb: CommandVerb {
    associatedtype Row
    static var table: [TableColumn<Row>] { get }
    static func rows(of reply: Reply) -> [Row]
    /// The text if there are no rows.
    static var none: String { get }
}

extension TableVerb {
    static var columns: [ColumnLayout.Column] { table.map(\.layout) }

    static func show(_ reply: Reply, _ view: View) throws(ToolFailure) { try showRows(rows(of: reply), view) }

    static func showRows(_ rows: [Row], _ view: View) throws(ToolFailure) {
        try view.table(columns, cells(of: rows, view), empty: none)
    }

    static func cells(of rows: [Row], _ view: View) -> [[String]] {
        let columns = table
        return rows.map { row in columns.map { $0.text(row, view) } }
    }
}

// MARK: pages

/// A list command whose pages podcastctl puts together.
protocol PagedVerb: CommandVerb where Reply: PagedReply {
    var limit: Int { get set }
    /// Sets the row after which the page begins.
    mutating func begin(after row: Reply.Row)
    /// What `--after` names a row.
    static func name(of row: Reply.Row) -> String
}

extension TableVerb where Self: PagedVerb, Row == Reply.Row {
    static func rows(of reply: Reply) -> [Row] { reply[keyPath: Reply.rows] }
}

extension PagedVerb {
    /// Asks for the page after a reply.
    ///
    /// - Returns: false if the reply ends where the request begins.
    mutating func advance(past reply: Reply) -> Bool {
        guard let cursor = reply[keyPath: Self.rows].last.map(Self.cursor), cursor != after else { return false }
        after = cursor
        return true
    }

    static func append(_ page: Reply, to reply: inout Reply) {
        reply[keyPath: rows] += page[keyPath: rows]
        reply.hasAfter = page.hasAfter
    }

    static func run(_ command: Self, _ view: View) throws(ToolFailure) -> ExitStatus {
        try finish(whole(command, view), view)
    }

    /// The list from the requested page to its end, or until there are as many rows as are wanted.
    static func whole(_ first: Self, wanted: Int = .max, _ view: View) throws(ToolFailure) -> Reply {
        var request = first
        var reply = try view.call(request)
        while reply.hasAfter, let last = reply[keyPath: Reply.rows].last, reply[keyPath: Reply.rows].count < wanted {
            request.begin(after: last)
            request.limit = min(largestPage, wanted - reply[keyPath: Reply.rows].count)
            let page = try view.call(request)
            reply.hasAfter = page.hasAfter
            // A page that brings nothing new would be followed for ever.
            if page.hasAfter, page[keyPath: Reply.rows].last.map(name) ?? name(of: last) == name(of: last) {
                reply.hasAfter = false
                break
            }
            reply[keyPath: Reply.rows] += page[keyPath: Reply.rows]
        }
        return reply
    }
}

/// A paged table that the user continues: `--limit` may exceed a page, and `--after` names the row before the first one.
protocol ContinuedList: PagedVerb, TableVerb where Row == Reply.Row {
    static var afterHelp: String { get }
    /// Begins after the row that the user named.
    mutating func begin(after word: String, _ view: View) throws(ToolFailure)
    /// The name of a row for `--after`.
    static func name(of row: Row) -> String
}

extension ContinuedList where Cursor == String? {
    mutating func begin(after word: String, _ view: View) { after = word }

    static func name(of row: Row) -> String { cursor(of: row) ?? "" }
}

extension ContinuedList {
    static var after: OptionDeclaration { OptionDeclaration("after", nil, "ID", help: afterHelp) }

    static func adjust(_ subcommand: inout SubcommandDeclaration) { subcommand.options.append(after) }

    static func run(_ command: Self, _ view: View) throws(ToolFailure) -> ExitStatus {
        var request = command
        if let word = view.parsed.text(after) { try request.begin(after: word, view) }
        return try finish(whole(request, wanted: view.wantedRows(default: request.limit), view), view)
    }
}

extension ContinuedList where Self: TableVerb {
    static func show(_ reply: Reply, _ view: View) throws(ToolFailure) {
        try showRows(rows(of: reply), view)
        try showMore(reply, view)
    }

    static func showMore(_ reply: Reply, _ view: View) throws(ToolFailure) {
        guard reply.hasAfter, let last = rows(of: reply).last else { return }
        try view.more("there are more: --limit all, --after \(name(of: last))")
    }
}
