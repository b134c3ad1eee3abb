import ControlLanguage
import JSON
import PodcastModel
import Testing
import TestSupport

@Suite struct RowChangeTests {
    @Test func changesOfARowBecomeOne() {
        let changes: [RowChange] = [
            RowChange(.insert, 1), RowChange(.update, 2), RowChange(.update, 1), RowChange(.delete, 3),
            RowChange(.update, 2), RowChange(.insert, 3), RowChange(.delete, 2),
        ]
        expectEqual(changes.folded, [RowChange(.insert, 1), RowChange(.delete, 2), RowChange(.update, 3)])
    }

    @Test func aRowThatCameAndWentIsNotReported() {
        expectEqual([RowChange(.insert, 1), RowChange(.delete, 1)].folded, [])
        expectEqual(
            [RowChange(.insert, 1), RowChange(.delete, 1), RowChange(.insert, 1)].folded, [RowChange(.insert, 1)])
    }

    @Test func updatesOfARowSayTogetherWhatTheyChanged() {
        let changes = [
            RowChange(.update, 1, [.mark]), RowChange(.update, 1, [.position]), RowChange(.update, 1, [.mark]),
        ]
        expectEqual(changes.folded, [RowChange(.update, 1, [.mark, .position])])
        expectEqual(changes.folded[0].json, ["kind": "update", "id": 1, "what": ["mark", "position"]])
    }

    @Test func rowsAreToldApartByTheirNames() {
        let changes = [RowChange(.update, named: "a"), RowChange(.update, named: "b"), RowChange(.delete, named: "a")]
        expectEqual(changes.folded, [RowChange(.delete, named: "a"), RowChange(.update, named: "b")])
    }

    @Test func aChangeIsWrittenAndReadTheSame() {
        let change = RowChange(.move, 7, index: 1, from: 4)
        expectEqual(change.json, ["kind": "move", "id": 7, "index": 1, "from": 4])
        expectEqual(RowChange(json: change.json), change)
        expectEqual(RowChange(json: ["kind": "other", "id": 7]), nil)
    }
}
