/// One section of a screen. Only the number of rows and the content of a row must be implemented; the rest has defaults.
public protocol SectionController {
    var rowCount: Int { get }
    func fill(_ row: inout TableRow, at index: Int)
    func style(at index: Int) -> TableRow.Style
    var header: String? { get }
    var footer: String? { get }
    func editingStyle(at index: Int) -> EditingStyle
    func canMove(at index: Int) -> Bool
    func canMove(_ index: Int, to target: Int) -> Bool

    func select(at index: Int)
    func delete(at index: Int)
    func insert(at index: Int)
    func move(_ index: Int, to target: Int)
}

extension SectionController {
    public func style(at index: Int) -> TableRow.Style { .plain }
    public var header: String? { nil }
    public var footer: String? { nil }
    public func editingStyle(at index: Int) -> EditingStyle { .none }
    public func canMove(at index: Int) -> Bool { false }
    public func canMove(_ index: Int, to target: Int) -> Bool { canMove(at: index) }
    public func select(at index: Int) {}
    public func delete(at index: Int) {}
    public func insert(at index: Int) {}
    public func move(_ index: Int, to target: Int) {}
}

/// A data source and delegate that finds the controller of each section in a table: a section is added or moved by one line.
public struct SectionTable: TableDataSource {
    public var sections: [any SectionController]

    public init(_ sections: [any SectionController]) { self.sections = sections }

    public var sectionCount: Int { sections.count }
    public func rowCount(in section: Int) -> Int { sections[section].rowCount }
    public func style(at path: IndexPath) -> TableRow.Style { sections[path.section].style(at: path.row) }
    public func fill(_ row: inout TableRow, at path: IndexPath) { sections[path.section].fill(&row, at: path.row) }
    public func header(of section: Int) -> String? { sections[section].header }
    public func footer(of section: Int) -> String? { sections[section].footer }
    public func editingStyle(at path: IndexPath) -> EditingStyle { sections[path.section].editingStyle(at: path.row) }
    public func canMove(_ path: IndexPath) -> Bool { sections[path.section].canMove(at: path.row) }
    public func canMove(_ path: IndexPath, to target: IndexPath) -> Bool {
        path.section == target.section && sections[path.section].canMove(path.row, to: target.row)
    }

    /// Passes a table's action to the controller of its section.
    public func perform(_ action: TableAction) {
        switch action {
        case .select(let path): sections[path.section].select(at: path.row)
        case .delete(let path): sections[path.section].delete(at: path.row)
        case .insert(let path): sections[path.section].insert(at: path.row)
        case .move(let from, let to): sections[from.section].move(from.row, to: to.row)
        case .refuse: break
        }
    }
}
