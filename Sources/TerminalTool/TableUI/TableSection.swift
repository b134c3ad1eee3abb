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

/// The effect of keys in a table.
enum TableMode: Equatable {
    case viewing
    /// Rows can be deleted, inserted and moved.
    case editing
    /// The first row is being moved to the place of the second. `byPointer`: by dragging with the mouse.
    case carrying(IndexPath, IndexPath, byPointer: Bool)
}

/// Rows of a table. The table asks for visible rows only, and again each time it draws them.
protocol TableSection {
    var rowCount: Int { get }
    /// The layout of a row; must be known without the row's content.
    func style(at index: Int) -> TableRow.Style
    /// Fills in a row; `row.style` is set.
    func fill(_ row: inout TableRow, at index: Int)
    /// A line above the rows; nil for none.
    var header: String? { get }
    /// A line below the rows; nil for none.
    var footer: String? { get }
    func editingStyle(at index: Int) -> EditingStyle
    /// Whether a row can be moved within the section, and another one to its place.
    func canMove(at index: Int) -> Bool
}

extension TableSection {
    func style(at index: Int) -> TableRow.Style { .plain }
    var header: String? { nil }
    var footer: String? { nil }
    func editingStyle(at index: Int) -> EditingStyle { .none }
    func canMove(at index: Int) -> Bool { false }
}

enum TableAction: Equatable {
    case select(IndexPath)
    case delete(IndexPath)
    /// Move the row from the first path to the second.
    case move(IndexPath, IndexPath)
    case refuse(Refusal)

    /// The raw value is the message.
    enum Refusal: String {
        case notDeletable = "this row cannot be deleted"
        case notInsertable = "no row can be added to this list"
        case notMovable = "this row cannot be moved"
        case notThere = "cannot move it there"
    }
}
