import Foundation
import Testing
import TestSupport

@Suite struct SQLLiteralTests {
    /// Columns that store cases of enums.
    private static let columns = "kind|section|visibility|event|episode_type|reason|outcome"

    /// Places that compare or set such a column with a number instead of a case.
    private static func literals(in text: String) throws -> [String] {
        let literal = try Regex("(^|[^A-Za-z])(\(columns)) *(=|<>|<|>|<=|>=|IS|IS NOT|IN) *\\(?[0-9]")
        return text.split(separator: "\n").filter { !$0.drop(while: { $0 == " " }).hasPrefix("//") }
            .filter { $0.contains(literal) }.map(String.init)
    }

    /// `\(Section.played)` binds a value, `\(literal: Section.played)` writes its number where a partial index needs it.
    @Test func statementsNameTheCasesOfEnums() throws {
        // Migrations keep the numbers of their time; the databases in Moving are other programs'; TableUI's sections are a table's.
        for (_, file) in try ImportTests.sources() {
            if ["LibrarySchema", "Moving", "TableUI"].contains(where: { file.path.contains("/\($0)/") }) { continue }
            guard try String(contentsOf: file, encoding: .utf8).contains(/SELECT|UPDATE|DELETE|INSERT|e\./) else {
                continue
            }
            let found = try Self.literals(in: try String(contentsOf: file, encoding: .utf8))
            expectEqual(found, [], "\(file.lastPathComponent)")
        }
    }

    @Test(arguments: ["WHERE f.kind = 0", "SET visibility = 2 WHERE", "AND e.section IN (0, 1)", "d.kind <> 8"])
    func numbersAreFound(sql: String) throws { try expectEqual(Self.literals(in: sql).count, 1) }

    @Test(arguments: ["WHERE f.kind = \\(literal: FeedKind.loose)", "e.section <> (coalesce(p.position, 0) > 0)"])
    func casesAndExpressionsAreAllowed(sql: String) throws { try expectEqual(Self.literals(in: sql), []) }
}
