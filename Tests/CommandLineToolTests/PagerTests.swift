import Testing
import TestSupport

@testable import CommandLineTool

@Suite struct PagerTests {
    @Test func outputThatFillsTheTerminalNeedsAPager() throws {
        let pager = try #require(Pager(chosen: nil, lines: 4))
        #expect(!pager.isNeeded(for: Array("1\n2\n3\n".utf8)))
        #expect(pager.isNeeded(for: Array("1\n2\n3\n4\n".utf8)))
    }

    @Test func catMeansNone() {
        #expect(Pager(chosen: "cat", lines: 4) == nil)
        #expect(Pager(chosen: "more -s", lines: 4) != nil)
    }

    @Test(arguments: [
        (0.0, "[    ]"), (0.5, "[##  ]"), (1.0, "[####]"), (7.0, "[####]"), (-1.0, "[    ]"), (.nan, "[    ]"),
    ])
    func aBarShowsTheShare(_ share: Double, _ bar: String) { expectEqual(ProgressBar.text(share, width: 4), bar) }
}
