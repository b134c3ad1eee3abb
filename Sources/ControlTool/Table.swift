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
    /// What is said if there are no rows.
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

/// A reply that ends with a row after which another page may follow.
protocol ContinuedReply: ReplyObject {
    var hasAfter: Bool { get set }
}

extension BookmarkListReply: ContinuedReply {}
extension DownloadListReply: ContinuedReply {}
extension FeedListReply: ContinuedReply {}
extension HistoryReply: ContinuedReply {}
extension QueueListReply: ContinuedReply {}
extension RetentionTrialListReply: ContinuedReply {}
extension RuleTrialListReply: ContinuedReply {}
extension SpokenListReply: ContinuedReply {}
extension TranscriptReply: ContinuedReply {}

/// A list command whose pages podcastctl puts together.
protocol PagedVerb: CommandVerb where Reply: ContinuedReply {
    associatedtype Row
    static var rows: WritableKeyPath<Reply, [Row]> { get }
    var limit: Int { get set }
    /// Sets the row after which the page begins.
    mutating func begin(after row: Row)
    /// What `--after` names a row.
    static func name(of row: Row) -> String
}

extension TableVerb where Self: PagedVerb {
    static func rows(of reply: Reply) -> [Row] { reply[keyPath: rows] }
}

extension PagedVerb {
    /// The list from the page that is asked for to its end, or until there are as many rows as are wanted.
    static func whole(_ first: Self, wanted: Int = .max, _ view: View) throws(ToolFailure) -> Reply {
        var request = first
        var reply = try view.call(request)
        while reply.hasAfter, let last = reply[keyPath: rows].last, reply[keyPath: rows].count < wanted {
            request.begin(after: last)
            request.limit = min(largestPage, wanted - reply[keyPath: rows].count)
            let page = try view.call(request)
            reply.hasAfter = page.hasAfter
            // A page that brings nothing new would be followed for ever.
            if page.hasAfter, page[keyPath: rows].last.map(name) ?? name(of: last) == name(of: last) {
                reply.hasAfter = false
                break
            }
            reply[keyPath: rows] += page[keyPath: rows]
        }
        return reply
    }
}

/// A paged table that the user continues: `--limit` may exceed a page, and `--after` names the row before the first one.
protocol ContinuedList: PagedVerb, TableVerb {
    static var afterHelp: String { get }
    mutating func begin(after word: String, _ view: View) throws(ToolFailure)
}

extension ContinuedList {
    static var after: OptionDeclaration { OptionDeclaration("after", nil, "ID", help: afterHelp) }

    static func adjust(_ subcommand: inout SubcommandDeclaration) { subcommand.options.append(after) }

    static func run(_ line: CommandLineUse) throws(ToolFailure) -> ExitStatus {
        var request = try command(line)
        try line.checkTemplate(Reply.members)
        let view = try line.connect()
        if let word = line.parsed.text(after) { try request.begin(after: word, view) }
        return try finish(whole(request, wanted: line.wantedRows(default: request.limit), view), view)
    }

    static func show(_ reply: Reply, _ view: View) throws(ToolFailure) {
        try showRows(rows(of: reply), view)
        try showMore(reply, view)
    }

    static func showMore(_ reply: Reply, _ view: View) throws(ToolFailure) {
        guard reply.hasAfter, let last = rows(of: reply).last else { return }
        try view.more("there are more: --limit all, --after \(name(of: last))")
    }
}
