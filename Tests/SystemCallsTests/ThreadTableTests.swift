import Foundation
import SystemCalls
import Testing
import TestSupport

struct ThreadTableTests {
    /// The names in the first column of the thread table of docs/ARCHITECTURE.md.
    private func namesInTheTable() throws -> [String] {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: tests.appending(path: "../docs/ARCHITECTURE.md"), encoding: .utf8)
        let begin = try #require(text.range(of: "| thread | runs | does |\n|---|---|---|\n"))
        return text[begin.upperBound...].split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.isEmpty }
            .flatMap { row in
                row.split(separator: "|")[0].split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            }
    }

    @Test func theTableNamesEveryThreadOnce() throws {
        let threads = ThreadName.allCases.filter { $0 != .test }.map(\.rawValue)
        try expectEqual(namesInTheTable().sorted(), (threads + ["main"]).sorted())
    }

    @Test(arguments: ThreadName.allCases)
    func linuxKeepsEveryNameWhole(_ name: ThreadName) { #expect(name.rawValue.utf8.count <= 15) }
}
