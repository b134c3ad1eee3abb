import Testing
import TestSupport

@testable import TerminalTool

@Suite struct TableViewTests {
    @Test func theCursorScrollsTheWindowByNoMoreThanItMust() {
        let source = SampleSource([.init(rows: numbered(10))])
        var view = TableView()
        view.layOut(lines: 4, source)
        for _ in 0..<5 { _ = view.handle(.down, source) }
        expectEqual(drawn(view, source), "  row 2\n  row 3\n  row 4\n› row 5")
        _ = view.handle(.up, source)
        expectEqual(drawn(view, source), "  row 2\n  row 3\n› row 4\n  row 5")
        _ = view.handle(.first, source)
        expectEqual(drawn(view, source), "› row 0\n  row 1\n  row 2\n  row 3")
        _ = view.handle(.last, source)
        expectEqual(drawn(view, source), "  row 6\n  row 7\n  row 8\n› row 9")
    }

    @Test func headersAreShownAboveTheirRowsAndEmptySectionsKeepTheirs() {
        let source = SampleSource([
            .init(rows: ["one"], header: "First"), .init(rows: [], header: "Empty"),
            .init(rows: ["two"], header: "Last"),
        ])
        var view = TableView()
        view.layOut(lines: 6, source)
        expectEqual(drawn(view, source), "First\n› one\nEmpty\nLast\n  two\n")
        _ = view.handle(.down, source)
        expectEqual(view.cursor, IndexPath(2, 0))
        _ = view.handle(.up, source)
        expectEqual(view.cursor, IndexPath(0, 0))
    }

    @Test func rowsOfTwoLinesTakeTwoLines() {
        let source = SampleSource([.init(rows: numbered(3), style: .subtitle)])
        var view = TableView()
        view.layOut(lines: 4, source)
        expectEqual(drawn(view, source), "› row 0\n    second line\n  row 1\n    second line")
        _ = view.handle(.last, source)
        expectEqual(drawn(view, source), "  row 1\n    second line\n› row 2\n    second line")
    }

    @Test func onlyVisibleRowsOfAMillionAreAskedFor() {
        let source = LongSource()
        var view = TableView()
        view.layOut(lines: 24, source)
        for event in [TableEvent.last, .pageUp, .up, .first, .pageDown, .down] { _ = view.handle(event, source) }
        expectEqual(source.asked, 0)
        _ = drawn(view, source)
        #expect(source.asked <= 24)
    }

    @Test func aPageMovesTheCursorByAWindow() {
        let source = SampleSource([.init(rows: numbered(100))])
        var view = TableView()
        view.layOut(lines: 10, source)
        _ = view.handle(.pageDown, source)
        expectEqual(view.cursor, IndexPath(0, 9))
        _ = view.handle(.pageDown, source)
        expectEqual(view.cursor, IndexPath(0, 18))
        _ = view.handle(.pageUp, source)
        expectEqual(view.cursor, IndexPath(0, 9))
        for _ in 0..<20 { _ = view.handle(.pageDown, source) }
        expectEqual(view.cursor, IndexPath(0, 99))
    }

    @Test func theRowAfterADeletedOneGetsTheCursorAndTheLastOneKeepsIt() {
        let source = SampleSource([.init(rows: numbered(3))])
        var view = TableView()
        view.layOut(lines: 4, source)
        _ = view.handle(.last, source)
        source.sections[0].rows.removeLast()
        view.reload(source)
        expectEqual(view.cursor, IndexPath(0, 1))
        source.sections[0].rows = []
        view.reload(source)
        expectEqual(view.cursor, nil)
    }

    @Test func aCarriedRowIsSeenWhereItWouldBeAndOnlyThenMoved() {
        let source = SampleSource([.init(rows: numbered(4), isMovable: true)])
        var view = TableView()
        view.layOut(lines: 4, source)
        _ = view.handle(.carry, source)
        _ = view.handle(.down, source)
        expectEqual(view.handle(.down, source), [])
        expectEqual(drawn(view, source), "  row 1\n  row 2\n↕ row 0\n  row 3")
        expectEqual(view.handle(.carry, source), [.move(IndexPath(0, 0), IndexPath(0, 2))])
    }

    @Test func escapePutsACarriedRowBack() {
        let source = SampleSource([.init(rows: numbered(4), isMovable: true)])
        var view = TableView()
        view.layOut(lines: 4, source)
        _ = view.handle(.carry, source)
        _ = view.handle(.last, source)
        expectEqual(view.handle(.cancel, source), [])
        expectEqual(view.cursor, IndexPath(0, 0))
    }

    @Test func aRowCannotBeCarriedIntoAnotherSection() {
        let source = SampleSource([.init(rows: ["a"], isMovable: true), .init(rows: ["b"], isMovable: true)])
        var view = TableView()
        view.layOut(lines: 4, source)
        _ = view.handle(.carry, source)
        expectEqual(view.handle(.down, source), [.refuse(.notThere)])
    }

    @Test func whatCannotBeEditedIsRefused() {
        let source = SampleSource([.init(rows: ["a"])])
        var view = TableView()
        view.layOut(lines: 4, source)
        expectEqual(view.handle(.delete, source), [.refuse(.notDeletable)])
        expectEqual(view.handle(.carry, source), [.refuse(.notMovable)])
    }

    @Test func thePointerChoosesAndDragsRows() {
        let source = SampleSource([.init(rows: numbered(4), header: "Queue", isMovable: true)])
        var view = TableView()
        view.layOut(lines: 6, source)
        expectEqual(view.handle(.press(line: 2), source), [])
        expectEqual(view.cursor, IndexPath(0, 1))
        _ = view.handle(.drag(line: 4), source)
        expectEqual(view.handle(.release, source), [.move(IndexPath(0, 1), IndexPath(0, 3))])
        expectEqual(view.handle(.press(line: 2), source), [.select(IndexPath(0, 1))])
    }

    @Test func aChangeEndsCarrying() {
        let source = SampleSource([.init(rows: numbered(4), isMovable: true)])
        var view = TableView()
        view.layOut(lines: 4, source)
        _ = view.handle(.carry, source)
        _ = view.handle(.down, source)
        source.sections[0].rows.removeFirst(3)
        view.reload(source)
        expectEqual(view.mode, .editing)
        expectEqual(view.cursor, IndexPath(0, 0))
    }

    /// Events of all kinds, with changes of the model in between: the cursor is always on a row that exists and is visible.
    @Test func aHundredThousandRandomEventsBreakNothing() {
        var random = SeededNumbers(state: 42)
        func next(_ bound: Int) -> Int { Int.random(in: 0..<max(1, bound), using: &random) }
        let source = SampleSource([
            .init(rows: numbered(5), header: "A", isMovable: true), .init(rows: [], header: "B"),
            .init(rows: numbered(40), style: .media, isMovable: true),
        ])
        var view = TableView()
        view.layOut(lines: 7, source)
        let events: [TableEvent] = [
            .up, .down, .pageUp, .pageDown, .first, .last, .select, .toggleEditing, .delete, .insert, .carry, .cancel,
            .press(line: 3), .drag(line: 0), .drag(line: 6), .release,
        ]
        for _ in 0..<100_000 {
            switch next(20) {
            case 0: view.layOut(lines: next(12), source)
            case 1:
                let section = next(3)
                let row = next(source.sections[section].rows.count + 1)
                source.sections[section].rows.insert("new", at: row)
                view.reload(source)
            case 2:
                let section = next(3)
                guard !source.sections[section].rows.isEmpty else { break }
                let row = next(source.sections[section].rows.count)
                source.sections[section].rows.remove(at: row)
                view.reload(source)
            default:
                for case .move(let from, let to) in view.handle(events[next(events.count)], source) {
                    let row = source.sections[from.section].rows.remove(at: from.row)
                    source.sections[to.section].rows.insert(row, at: to.row)
                    view.reload(source)
                }
            }
            let rows = source.sections.reduce(0) { $0 + $1.rows.count }
            guard let cursor = view.cursor else {
                expectEqual(rows, 0)
                continue
            }
            guard cursor.row < source.rowCount(in: cursor.section) else {
                Issue.record("the cursor is at \(cursor), of \(source.rowCount(in: cursor.section)) rows")
                return
            }
            if case .carrying = view.mode { continue }
            if view.lines > 0, !view.visible(source).contains(where: { $0.element == cursor }) {
                Issue.record("the cursor is not visible")
                return
            }
        }
    }
}
