/// A section of a list screen. A subclass says what its rows are; what it does not override has defaults.
class ListSection {
    var rowCount: Int { 0 }
    func fill(_ row: inout TableRow, at index: Int) {}
    func style(at index: Int) -> TableRow.Style { .plain }
    var header: String? { nil }
    var footer: String? { nil }

    /// Whether rows show how they can be edited, and a row for something new ends the section.
    var isEditing = false
    /// What makes something new; nil if the section takes no new rows.
    var insertion: RowInsertion?
    func editingStyle(at index: Int) -> EditingStyle { .none }
    /// Why a row cannot be deleted; nil if there is nothing to say about it.
    func deletionRefusal(at index: Int) -> String? { nil }
    /// Whether enter in edit mode opens a form with the values of a row.
    var canEdit: Bool { false }
    func canMove(at index: Int) -> Bool { false }

    func select(at index: Int) {}
    func delete(at index: Int) {}
    func insert(at index: Int) {}
    func move(_ index: Int, to target: Int) {}

    func subject(at index: Int) -> Subject? { nil }
    /// What stays the same while the list changes; nil while a row is not known yet.
    func identity(at index: Int) -> Int64? { nil }
    /// Where the row with an identity is, near an index.
    func index(of identity: Int64, near index: Int) -> Int? {
        if index < rowCount, self.identity(at: index) == identity { return index }
        return (0..<rowCount).first { self.identity(at: $0) == identity }
    }
    /// Shows only rows that contain the text; nil for all.
    func search(_ text: String?) {}
    /// Rows, also those that are not here yet.
    var total: Int { rowCount }
    /// Whether there are no more rows than `total`.
    var isTotalExact: Bool { true }
    /// Rows without a search; nil while they are not counted.
    var wholeTotal: Int? { total }
    /// Whether rows have come from where the section gets them.
    var isLoaded: Bool { true }
    /// Takes what has changed in the model.
    func update() {}
}

/// How a section gets a new row.
struct RowInsertion {
    /// Such as "New rule".
    var title: String
    var open: () -> Void
}

/// The sections of a screen as what its table shows.
struct SectionTable: TableDataSource {
    let sections: [ListSection]

    init(_ sections: [ListSection]) { self.sections = sections }

    var sectionCount: Int { sections.count }
    func rowCount(in section: Int) -> Int { sections[section].rowCount }
    func style(at path: IndexPath) -> TableRow.Style { sections[path.section].style(at: path.row) }
    func fill(_ row: inout TableRow, at path: IndexPath) { sections[path.section].fill(&row, at: path.row) }
    func header(of section: Int) -> String? { sections[section].header }
    func footer(of section: Int) -> String? { sections[section].footer }
    func editingStyle(at path: IndexPath) -> EditingStyle { sections[path.section].editingStyle(at: path.row) }
    func canMove(_ path: IndexPath) -> Bool { sections[path.section].canMove(at: path.row) }
    func canMove(_ path: IndexPath, to target: IndexPath) -> Bool {
        path.section == target.section && canMove(path) && canMove(target)
    }

    /// Passes a table's action to the section of the row.
    func perform(_ action: TableAction) {
        switch action {
        case .select(let path): sections[path.section].select(at: path.row)
        case .delete(let path): sections[path.section].delete(at: path.row)
        case .insert(let path): sections[path.section].insert(at: path.row)
        case .move(let from, let to): sections[from.section].move(from.row, to: to.row)
        case .refuse: break
        }
    }
}
