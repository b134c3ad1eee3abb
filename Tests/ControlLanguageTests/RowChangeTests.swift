import ControlLanguage
import JSON
import Testing

@Suite struct RowChangeTests {
    @Test func changesOfARowBecomeOne() {
        let changes: [RowChange] = [
            RowChange(.insert, 1), RowChange(.update, 2), RowChange(.update, 1), RowChange(.delete, 3),
            RowChange(.update, 2), RowChange(.insert, 3), RowChange(.delete, 2),
        ]
        #expect(changes.folded == [RowChange(.insert, 1), RowChange(.delete, 2), RowChange(.update, 3)])
    }

    @Test func aRowThatCameAndWentIsNotReported() {
        #expect([RowChange(.insert, 1), RowChange(.delete, 1)].folded == [])
        #expect(
            [RowChange(.insert, 1), RowChange(.delete, 1), RowChange(.insert, 1)].folded == [RowChange(.insert, 1)])
    }

    @Test func rowsAreToldApartByTheirNames() {
        let changes = [RowChange(.update, named: "a"), RowChange(.update, named: "b"), RowChange(.delete, named: "a")]
        #expect(changes.folded == [RowChange(.delete, named: "a"), RowChange(.update, named: "b")])
    }

    @Test func aChangeIsWrittenAndReadTheSame() {
        let change = RowChange(.move, 7, index: 1, from: 4)
        #expect(change.json == ["kind": "move", "id": 7, "index": 1, "from": 4])
        #expect(RowChange(json: change.json) == change)
        #expect(RowChange(json: ["kind": "other", "id": 7]) == nil)
    }
}
