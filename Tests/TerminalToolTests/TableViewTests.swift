import Testing
import TestSupport

@testable import TerminalTool

@Suite struct TableViewTests {
    private func table(_ sections: [SampleSection], lines: Int) -> TableView<SampleSection> {
        var view = TableView(sections: sections)
        view.layOut(lines: lines)
        return view
    }

    @Test func theCursorScrollsTheWindowByNoMoreThanItMust() {
        var view = table([.init(rows: numbered(10))], lines: 4)
        for _ in 0..<5 { view.handle(.down) }
        expectEqual(drawn(view), "  row 2\n  row 3\n  row 4\n› row 5")
        view.handle(.up)
        expectEqual(drawn(view), "  row 2\n  row 3\n› row 4\n  row 5")
        view.handle(.first)
        expectEqual(drawn(view), "› row 0\n  row 1\n  row 2\n  row 3")
        view.handle(.last)
        expectEqual(drawn(view), "  row 6\n  row 7\n  row 8\n› row 9")
    }

    @Test func headersAreShownAboveTheirRowsAndEmptySectionsKeepTheirs() {
        var view = table(
            [
                .init(rows: ["one"], header: "First"), .init(rows: [], header: "Empty"),
                .init(rows: ["two"], header: "Last"),
            ], lines: 6)
        expectEqual(drawn(view), "First\n› one\nEmpty\nLast\n  two\n")
        view.handle(.down)
        expectEqual(view.cursor, IndexPath(2, 0))
        view.handle(.up)
        expectEqual(view.cursor, IndexPath(0, 0))
    }

    @Test func rowsOfTwoLinesTakeTwoLines() {
        var view = table([.init(rows: numbered(3), style: .subtitle)], lines: 4)
        expectEqual(drawn(view), "› row 0\n    second line\n  row 1\n    second line")
        view.handle(.last)
        expectEqual(drawn(view), "  row 1\n    second line\n› row 2\n    second line")
    }

    @Test func onlyVisibleRowsOfAMillionAreAskedFor() {
        let section = LongSection()
        var view = TableView(sections: [section])
        view.layOut(lines: 24)
        for event in [TableEvent.last, .pageUp, .up, .first, .pageDown, .down] { view.handle(event) }
        expectEqual(section.asked, 0)
        _ = drawn(view)
        #expect(section.asked <= 24)
    }

    @Test func aPageMovesTheCursorByAWindow() {
        var view = table([.init(rows: numbered(100))], lines: 10)
        view.handle(.pageDown)
        expectEqual(view.cursor, IndexPath(0, 9))
        view.handle(.pageDown)
        expectEqual(view.cursor, IndexPath(0, 18))
        view.handle(.pageUp)
        expectEqual(view.cursor, IndexPath(0, 9))
        for _ in 0..<20 { view.handle(.pageDown) }
        expectEqual(view.cursor, IndexPath(0, 99))
    }

    @Test func theRowAfterADeletedOneGetsTheCursorAndTheLastOneKeepsIt() {
        var view = table([.init(rows: numbered(3))], lines: 4)
        view.handle(.last)
        view.sections[0].rows.removeLast()
        view.reload()
        expectEqual(view.cursor, IndexPath(0, 1))
        view.sections[0].rows = []
        view.reload()
        expectEqual(view.cursor, nil)
    }

    @Test func aCarriedRowIsSeenWhereItWouldBeAndOnlyThenMoved() {
        var view = table([.init(rows: numbered(4), isMovable: true)], lines: 4)
        view.handle(.carry)
        view.handle(.down)
        expectEqual(view.handle(.down), nil)
        expectEqual(drawn(view), "  row 1\n  row 2\n↕ row 0\n  row 3")
        expectEqual(view.handle(.carry), .move(IndexPath(0, 0), IndexPath(0, 2)))
    }

    @Test func escapePutsACarriedRowBack() {
        var view = table([.init(rows: numbered(4), isMovable: true)], lines: 4)
        view.handle(.carry)
        view.handle(.last)
        expectEqual(view.handle(.cancel), nil)
        expectEqual(view.cursor, IndexPath(0, 0))
    }

    @Test func aRowCannotBeCarriedIntoAnotherSection() {
        var view = table([.init(rows: ["a"], isMovable: true), .init(rows: ["b"], isMovable: true)], lines: 4)
        view.handle(.carry)
        expectEqual(view.handle(.down), .refuse(.notThere))
    }

    @Test func whatCannotBeEditedIsRefused() {
        var view = table([.init(rows: ["a"])], lines: 4)
        expectEqual(view.handle(.delete), .refuse(.notDeletable))
        expectEqual(view.handle(.carry), .refuse(.notMovable))
    }

    @Test func thePointerChoosesAndDragsRows() {
        var view = table([.init(rows: numbered(4), header: "Queue", isMovable: true)], lines: 6)
        expectEqual(view.handle(.press(line: 2)), nil)
        expectEqual(view.cursor, IndexPath(0, 1))
        view.handle(.drag(line: 4))
        expectEqual(view.handle(.release), .move(IndexPath(0, 1), IndexPath(0, 3)))
        expectEqual(view.handle(.press(line: 2)), .select(IndexPath(0, 1)))
    }

    @Test func aChangeEndsCarrying() {
        var view = table([.init(rows: numbered(4), isMovable: true)], lines: 4)
        view.handle(.carry)
        view.handle(.down)
        view.sections[0].rows.removeFirst(3)
        view.reload()
        expectEqual(view.mode, .editing)
        expectEqual(view.cursor, IndexPath(0, 0))
    }

    /// Events of all kinds, with changes of the model in between: the cursor is always on a row that exists and is visible.
    @Test func aHundredThousandRandomEventsBreakNothing() {
        var random = SeededNumbers(state: 42)
        func next(_ bound: Int) -> Int { Int.random(in: 0..<max(1, bound), using: &random) }
        var view = table(
            [
                .init(rows: numbered(5), header: "A", isMovable: true), .init(rows: [], header: "B"),
                .init(rows: numbered(40), style: .media, isMovable: true),
            ], lines: 7)
        let events: [TableEvent] = [
            .up, .down, .pageUp, .pageDown, .first, .last, .select, .toggleEditing, .delete, .insert, .carry, .cancel,
            .press(line: 3), .drag(line: 0), .drag(line: 6), .release,
        ]
        for _ in 0..<100_000 {
            switch next(20) {
            case 0: view.layOut(lines: next(12))
            case 1:
                let section = next(3)
                let row = next(view.sections[section].rows.count + 1)
                view.sections[section].rows.insert("new", at: row)
                view.reload()
            case 2:
                let section = next(3)
                guard !view.sections[section].rows.isEmpty else { break }
                let row = next(view.sections[section].rows.count)
                view.sections[section].rows.remove(at: row)
                view.reload()
            default:
                if case .move(let from, let to) = view.handle(events[next(events.count)]) {
                    let row = view.sections[from.section].rows.remove(at: from.row)
                    view.sections[to.section].rows.insert(row, at: to.row)
                    view.reload()
                }
            }
            let rows = view.sections.reduce(0) { $0 + $1.rows.count }
            guard let cursor = view.cursor else {
                expectEqual(rows, 0)
                continue
            }
            guard cursor.row < view.sections[cursor.section].rowCount else {
                Issue.record("the cursor is at \(cursor), of \(view.sections[cursor.section].rowCount) rows")
                return
            }
            if case .carrying = view.mode { continue }
            if view.lines > 0, !view.visible.contains(where: { $0.element == cursor }) {
                Issue.record("the cursor is not visible")
                return
            }
        }
    }
}
