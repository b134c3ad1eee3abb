internal import CommandLineTool
internal import ControlLanguage

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
        _ title: String, _ alignment: ColumnLayout.Column.Alignment = .left, name: String? = nil,
        minimum: Int? = nil, dropRank: Int = 0, says: String? = nil, text: @escaping @Sendable (Row) -> String
    ) {
        self.init(title, alignment, name: name, minimum: minimum, dropRank: dropRank, says: says) { row, _ in text(row)
        }
    }
}

protocol TableVerb: CommandVerb {
    associatedtype Row
    static var table: [TableColumn<Row>] { get }
    static func rows(of reply: Reply) -> [Row]
    /// The text if there are no rows.
    static var none: String { get }
}

extension TableVerb {
    static var columns: [ColumnLayout.Column] { table.map(\.layout) }

    static func show(_ reply: Reply, _ view: View) { showRows(rows(of: reply), view) }

    static func showRows(_ rows: [Row], _ view: View) {
        view.table(columns, cells(of: rows, view), empty: none)
    }

    static func cells(of rows: [Row], _ view: View) -> [[String]] {
        let columns = table
        return rows.map { row in columns.map { $0.text(row, view) } }
    }
}

extension TableVerb where Reply == ListReply<Row> {
    static func rows(of reply: Reply) -> [Row] { reply.rows }
}

// MARK: pages

/// Rows of a page at most.
let largestPage = 1000

/// A list that is longer than a page of the wire.
protocol PagedVerb: CommandVerb where Reply: PagedReply {
    associatedtype Cursor: Equatable
    var limit: Int { get set }
    /// The row before the page.
    var after: Cursor { get set }
    /// The value of `after` for the page that follows a row.
    static func cursor(of row: Reply.Row) -> Cursor
    mutating func advance(past reply: Reply) -> Bool
    /// Adds the rows of the next page.
    static func append(_ page: Reply, to reply: inout Reply)
}

extension TableVerb where Self: PagedVerb, Row == Reply.Row {
    static func rows(of reply: Reply) -> [Row] { reply[keyPath: Reply.rows] }

    static func show(_ reply: Reply, _ view: View) {
        showRows(rows(of: reply), view)
        showMore(reply, view)
    }

    static func showMore(_ reply: Reply, _ view: View) {
        if reply.hasAfter { view.more("there are more: --limit all") }
    }
}

extension PagedVerb {
    /// Asks for the page after a reply. Returns false if the reply ends where the request begins.
    mutating func advance(past reply: Reply) -> Bool {
        guard let cursor = reply[keyPath: Reply.rows].last.map(Self.cursor), cursor != after else { return false }
        after = cursor
        return true
    }

    static func append(_ page: Reply, to reply: inout Reply) {
        reply[keyPath: Reply.rows] += page[keyPath: Reply.rows]
        reply.hasAfter = page.hasAfter
    }

    func run(_ view: View) throws(ToolFailure) -> ExitStatus { try finish(pages(view), view) }

    /// A list without the option `--limit` is shown whole.
    func pages(_ view: View) throws(ToolFailure) -> Reply {
        let hasLimit = Self.declaration.parameters.contains { $0.spelling == .rows }
        return try whole(wanted: hasLimit ? view.wantedRows(default: limit) : .max, view)
    }

    /// The list from the requested page to its end, or until there are as many rows as are wanted.
    func whole(wanted: Int = .max, _ view: View) throws(ToolFailure) -> Reply {
        var request = self
        var reply = try view.call(&request)
        while reply.hasAfter, reply[keyPath: Reply.rows].count < wanted, request.advance(past: reply) {
            request.limit = min(largestPage, wanted - reply[keyPath: Reply.rows].count)
            let page = try view.call(request)
            // A page that ends where the one before ended would be followed for ever.
            var next = request
            if page.hasAfter, !next.advance(past: page) { break }
            Self.append(page, to: &reply)
        }
        return reply
    }
}
