/// A row in a section, both from 0.
struct IndexPath: Hashable, Comparable {
    var section: Int
    var row: Int

    init(_ section: Int, _ row: Int) {
        self.section = section
        self.row = row
    }

    static func < (a: IndexPath, b: IndexPath) -> Bool { (a.section, a.row) < (b.section, b.row) }
}

enum EditingStyle {
    case none, delete
    /// A row that adds something new.
    case insert
}

/// The rows that a table shows. A table asks for visible rows only, and again each time it draws them.
protocol TableDataSource {
    var sectionCount: Int { get }
    func rowCount(in section: Int) -> Int
    /// The layout of a row; must be known without the row's content.
    func style(at path: IndexPath) -> TableRow.Style
    /// Fills in a row; `row.style` is set.
    func fill(_ row: inout TableRow, at path: IndexPath)
    /// A line above the section's rows; nil for none.
    func header(of section: Int) -> String?
    /// A line below the section's rows; nil for none.
    func footer(of section: Int) -> String?
    func editingStyle(at path: IndexPath) -> EditingStyle
    func canMove(_ path: IndexPath) -> Bool
    func canMove(_ path: IndexPath, to target: IndexPath) -> Bool
}

extension TableDataSource {
    func header(of section: Int) -> String? { nil }
    func footer(of section: Int) -> String? { nil }
    func editingStyle(at path: IndexPath) -> EditingStyle { .none }
    func canMove(_ path: IndexPath) -> Bool { false }
    func canMove(_ path: IndexPath, to target: IndexPath) -> Bool { canMove(path) && path.section == target.section }
}

enum TableAction: Equatable {
    case select(IndexPath)
    case delete(IndexPath)
    case insert(IndexPath)
    /// Move the row from the first path to the second.
    case move(IndexPath, IndexPath)
    case refuse(Refusal)

    /// With its text for people.
    enum Refusal: String {
        case notDeletable = "this row cannot be deleted"
        case notInsertable = "no row can be added to this list"
        case notMovable = "this row cannot be moved"
        case notThere = "cannot move it there"
    }
}
