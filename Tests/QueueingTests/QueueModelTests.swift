@testable import DaemonCore
import Library
import PodcastModel
import TestSupport
import Testing

/// Entries with these numbers; entry 7 is of episode 70.
func rows(_ numbers: Int...) -> [QueueEntry] { rows(numbers) }
func rows(_ numbers: some Sequence<Int>) -> [QueueEntry] {
    numbers.map { QueueEntry(id: EntryID(Int64($0)), episode: EpisodeID(Int64($0 * 10))) }
}

extension QueueModel {
    /// A queue of these entries.
    init(_ numbers: Int..., current: Int? = nil) {
        self.init(StoredQueue(entries: rows(numbers), current: current.map { EntryID(Int64($0)) }))
    }

    var numbers: [Int] { ids.map { Int($0.rawValue) } }
    var stored: StoredQueue { StoredQueue(entries: entries, current: current) }
    var previous: QueueEntry? { entry(before: nil) }
    mutating func append(_ new: [QueueEntry]) -> Changes { insert(new, at: count) }
    mutating func insertAfterCurrent(_ new: [QueueEntry]) -> Changes { insert(new, at: nextIndex) }
}

extension ViewDifference {
    /// Applies changes to rows; ignores changes that do not match.
    static func apply<RowID: Hashable & Sendable>(_ changes: [ViewChange<RowID>], to rows: [RowID]) -> [RowID] {
        var rows = rows
        for change in changes {
            switch change {
            case .insert(let row, let index):
                if index <= rows.count { rows.insert(row, at: index) }
            case .delete(_, let index):
                if rows.indices.contains(index) { rows.remove(at: index) }
            case .move(_, let from, let to):
                if rows.indices.contains(from), to < rows.count { rows.insert(rows.remove(at: from), at: to) }
            case .update: break
            }
        }
        return rows
    }
}

func id(_ number: Int) -> EntryID { EntryID(Int64(number)) }

struct QueueModelTests {
    @Test func anEntryThatWasHeardToItsEndLeavesAndIsStillThePreviousOne() {
        var queue = QueueModel(1, 2, 3, current: 2)
        expectEqual(queue.finish(id(2)), [.delete(id(2), at: 1)])
        #expect(queue.next == rows(3)[0] && queue.previous == rows(2)[0])
        queue.setCurrent(id(3))
        expectEqual(queue.entry(before: id(3)), rows(2)[0])
        expectEqual(queue.restore(rows(2)[0], before: id(3)), [.insert(id(2), at: 1)])
        expectEqual(queue.numbers, [1, 2, 3])
        #expect(queue.entry(before: id(2)) == rows(1)[0] && queue.entry(before: id(1)) == nil)
    }

    @Test func severalFinishedEntriesAreReachedInReverseAlsoFromTheEnd() {
        var queue = QueueModel(1, 2, 3, current: 1)
        for number in 1...3 {
            queue.setCurrent(id(number))
            _ = queue.finish(id(number))
        }
        expectEqual(queue.next, nil)
        for number in [3, 2, 1] {
            let previous = rows(number)[0]
            expectEqual(queue.previous, previous)
            _ = queue.restore(previous, before: nil)
            queue.setCurrent(previous.id)
        }
        #expect(queue.numbers == [1, 2, 3] && queue.previous == nil)
    }

    @Test func editsKeepFinishedEntriesInTheirPlaces() {
        var queue = QueueModel(1, 2, 3, 4, current: 2)
        _ = queue.finish(id(2))
        queue.setCurrent(id(3))
        _ = queue.insertAfterCurrent(rows(5))
        #expect(queue.entry(before: id(5)) == rows(3)[0] && queue.entry(before: id(3)) == rows(2)[0])
        _ = queue.remove([id(1)])
        _ = queue.move([id(4)], to: 0)
        #expect(queue.entry(before: id(3)) == rows(4)[0] && queue.entry(before: id(4)) == rows(2)[0])
        // Undo has brought it back.
        _ = queue.replace(with: StoredQueue(entries: rows(4, 2, 3, 5), current: id(3)))
        expectEqual(queue.entry(before: id(2)), rows(4)[0])
    }

    @Test func entriesAreAddedAtTheEnd() {
        var queue = QueueModel(1)
        expectEqual(queue.append(rows(2, 3)), [.insert(id(2), at: 1), .insert(id(3), at: 2)])
        expectEqual(queue.numbers, [1, 2, 3])
    }

    @Test func whatPlaysNextIsInsertedAfterTheCurrentEntry() {
        var queue = QueueModel(1, 2, current: 1)
        expectEqual(queue.insertAfterCurrent(rows(3, 4)), [.insert(id(3), at: 1), .insert(id(4), at: 2)])
        expectEqual(queue.numbers, [1, 3, 4, 2])
        var idle = QueueModel(1)
        expectEqual(idle.insertAfterCurrent(rows(2)), [.insert(id(2), at: 0)])
    }

    @Test func anIndexOutsideOfTheQueueIsItsEnd() {
        var queue = QueueModel(1)
        expectEqual(queue.insert(rows(2), at: 9), [.insert(id(2), at: 1)])
        expectEqual(queue.insert(rows(3), at: -9), [.insert(id(3), at: 0)])
        expectEqual(queue.move([id(3)], to: 99), [.move(id(3), from: 0, to: 2)])
        expectEqual(queue.entry(at: 3), nil)
        expectEqual(queue.entry(at: -1), nil)
    }

    @Test func nextAndPreviousAreRelativeToTheCurrentEntry() {
        var queue = QueueModel(1, 2, 3, current: 2)
        expectEqual(queue.currentIndex, 1)
        expectEqual(queue.next?.id, id(3))
        expectEqual(queue.previous?.id, id(1))
        queue.setCurrent(id(3))
        expectEqual(queue.next, nil)
        queue.setCurrent(id(1))
        expectEqual(queue.previous, nil)
        queue.setCurrent(nil)
        expectEqual(queue.next?.id, id(1))
        queue.setCurrent(id(99))
        expectEqual(queue.current, nil)
    }

    @Test func theCurrentEntryStaysCurrentWhileOthersMove() {
        var queue = QueueModel(1, 2, 3, 4, current: 3)
        expectEqual(queue.move([id(3)], to: 0), [.move(id(3), from: 2, to: 0)])
        expectEqual(queue.currentEntry?.id, id(3))
        expectEqual(queue.next?.id, id(1))
        expectEqual(queue.move([id(1)], to: 3), [.move(id(1), from: 1, to: 3)])
        expectEqual(queue.numbers, [3, 2, 4, 1])
        expectEqual(queue.move([id(2)], to: 1), [])
        expectEqual(queue.move([id(99)], to: 1), [])
    }

    @Test func removalsAreToldFromTheEnd() {
        var queue = QueueModel(1, 2, 3, 4, current: 4)
        expectEqual(queue.remove([id(1), id(3), id(99)]), [.delete(id(3), at: 2), .delete(id(1), at: 0)])
        expectEqual(queue.numbers, [2, 4])
        expectEqual(queue.current, id(4))
    }

    @Test func afterTheCurrentEntryWasRemovedTheOneBehindItIsNext() {
        var queue = QueueModel(1, 2, 3, 4, current: 2)
        _ = queue.remove([id(1), id(2)])
        expectEqual(queue.current, nil)
        expectEqual(queue.next?.id, id(3))
        expectEqual(queue.previous, nil)
        _ = queue.insert(rows(5), at: 0)
        expectEqual(queue.next?.id, id(5), "it was inserted where the current entry stood")
        _ = queue.append(rows(6))
        expectEqual(queue.next?.id, id(5))
    }

    @Test func entriesThatGoBeforeTheVacantPlaceDoNotMoveWhatIsNext() {
        var queue = QueueModel(1, 2, 3, 4, current: 3)
        _ = queue.remove([id(3)])
        _ = queue.remove([id(1)])
        expectEqual(queue.next?.id, id(4))
        expectEqual(queue.previous?.id, id(2))
        _ = queue.insert(rows(9), at: 0)
        expectEqual(queue.next?.id, id(4))
    }

    /// A queue whose current entry was removed between 2 and 4.
    private var vacant: QueueModel {
        var queue = QueueModel(1, 2, 3, 4, 5, 6, current: 3)
        _ = queue.remove([id(3)])
        return queue
    }

    @Test(
        arguments: [
            ([1], 3, [2, 4, 5, 1, 6], 4), ([2], 0, [2, 1, 4, 5, 6], 4), ([1], 1, [2, 1, 4, 5, 6], 4),
            ([6], 0, [6, 1, 2, 4, 5], 4), ([6], 2, [1, 2, 6, 4, 5], 6), ([4], 4, [1, 2, 5, 6, 4], 5),
            ([1, 2], 3, [4, 5, 6, 1, 2], 4), ([1, 2], 1, [4, 1, 2, 5, 6], 4), ([5, 6], 0, [5, 6, 1, 2, 4], 4),
            ([5, 4], 2, [1, 2, 5, 4, 6], 5), ([2, 1], 0, [2, 1, 4, 5, 6], 4),
        ])
    func movesKeepWhatIsNextAfterTheCurrentEntryWasRemoved(moved: [Int], to index: Int, order: [Int], next: Int) {
        var queue = vacant
        let changes = queue.move(moved.map(id), to: index)
        expectEqual(queue.numbers, order)
        expectEqual(ViewDifference.apply(changes, to: vacant.ids), queue.ids)
        expectEqual(queue.next?.id, id(next))
        // Undo and redo.
        _ = queue.replace(with: vacant.stored)
        expectEqual(queue.next?.id, id(4))
        _ = queue.replace(with: StoredQueue(entries: rows(order)))
        expectEqual(queue.next?.id, id(next))
    }

    @Test func theVacantPlaceComesBackWithTheEntriesAroundIt() {
        var removed = vacant
        _ = removed.remove([id(2), id(4)])
        expectEqual(removed.next?.id, id(5))
        var cleared = vacant
        _ = cleared.clear()
        var shuffled = vacant
        var random = SeededNumbers(state: 1)
        _ = shuffled.shuffle(using: &random)
        expectEqual(shuffled.numbers.prefix(2), [1, 2])
        for var queue in [removed, cleared, shuffled] {
            _ = queue.replace(with: vacant.stored)
            expectEqual(queue.next?.id, id(4))
        }
        var reread = QueueModel(1, 2, 3, 4, current: 2)
        _ = reread.replace(with: StoredQueue(entries: rows(1, 3, 4)))
        expectEqual(reread.next?.id, id(3), "the current entry went with its feed")
    }

    @Test func aClearedQueueHasNoPlaceToContinueFrom() {
        var queue = QueueModel(1, 2, 3, current: 2)
        expectEqual(queue.clear().count, 3)
        expectEqual(queue, QueueModel())
        _ = queue.insertAfterCurrent(rows(4, 5))
        expectEqual(queue.next?.id, id(4))
    }

    @Test func shufflingMovesOnlyWhatFollowsTheCurrentEntry() {
        var random = SeededNumbers(state: 1)
        var queue = QueueModel(StoredQueue(entries: rows(1...50), current: id(20)))
        let before = queue.ids
        let changes = queue.shuffle(using: &random)
        expectEqual(queue.ids.prefix(20), before.prefix(20))
        #expect(queue.ids != before)
        expectEqual(Set(queue.ids), Set(before))
        expectEqual(ViewDifference.apply(changes, to: before), queue.ids)
    }

    @Test func aLongQueueIsShuffledWithoutMovingOneRowAfterAnother() {
        var random = SeededNumbers(state: 1)
        var queue = QueueModel(StoredQueue(entries: rows(1...20_000)))
        let before = queue.ids
        let changes = queue.shuffle(using: &random)
        #expect(!changes.contains { if case .move = $0 { true } else { false } })
        expectEqual(ViewDifference.apply(changes, to: before), queue.ids)
    }

    @Test func anOrderThatIsNoPermutationChangesNothing() {
        var queue = QueueModel(1, 2, 3)
        for wrong in [[id(1), id(2)], [id(1), id(2), id(2)], [id(1), id(2), id(9)], [id(1), id(2), id(3), id(3)]] {
            expectEqual(queue.reorder(wrong), [])
        }
        expectEqual(queue.numbers, [1, 2, 3])
        expectEqual(queue.reorder([id(2), id(3), id(1)]), [.move(id(1), from: 0, to: 2)])
    }

    @Test func aQueueFromDiskIsToldAsChanges() {
        var queue = QueueModel(1, 2, 3, current: 1)
        let changes = queue.replace(with: StoredQueue(entries: rows(3, 4), current: id(3)))
        expectEqual(ViewDifference.apply(changes, to: [id(1), id(2), id(3)]), [id(3), id(4)])
        expectEqual(queue, QueueModel(3, 4, current: 3))
    }

    @Test func everyEditIsToldExactly() {
        var random = SeededNumbers(state: 99)
        var queue = QueueModel()
        var shown: [EntryID] = []
        var fresh = 1
        for _ in 0..<600 {
            let changes: QueueModel.Changes
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1:
                let count = Int.random(in: 1...3, using: &random)
                changes = queue.insert(rows(fresh..<(fresh + count)), at: Int.random(in: -1...30, using: &random))
                fresh += count
            case 2:
                changes = queue.insertAfterCurrent(rows(fresh))
                fresh += 1
            case 3, 4:
                let entry = queue.ids.randomElement(using: &random) ?? id(0)
                changes = queue.move([entry], to: Int.random(in: -1...30, using: &random))
            case 5: changes = queue.remove(Array(queue.ids.shuffled(using: &random).prefix(2)))
            case 6: changes = queue.shuffle(using: &random)
            default:
                queue.setCurrent(queue.ids.randomElement(using: &random))
                changes = []
            }
            shown = ViewDifference.apply(changes, to: shown)
            expectEqual(shown, queue.ids)
            #expect(queue.current == nil || queue.currentIndex != nil)
        }
    }
}

struct ViewDifferenceTests {
    @Test func equalRowsNeedNoChange() {
        expectEqual(ViewDifference.changes(from: [1, 2, 3], to: [1, 2, 3]), [])
        expectEqual(ViewDifference.changes(from: [Int](), to: []), [])
    }

    @Test func oneRowThatWandersIsOneMove() {
        expectEqual(ViewDifference.changes(from: [1, 2, 3, 4], to: [2, 3, 4, 1]), [.move(1, from: 0, to: 3)])
        expectEqual(ViewDifference.changes(from: [1, 2, 3, 4], to: [4, 1, 2, 3]), [.move(4, from: 3, to: 0)])
    }

    @Test func insertsAndDeletesLeaveTheOthers() {
        expectEqual(ViewDifference.changes(from: [1, 2, 3], to: [2, 9, 3]), [.delete(1, at: 0), .insert(9, at: 1)])
    }

    @Test func anUpdateMovesNothing() {
        expectEqual(ViewDifference.apply([.update(1, at: 0), .delete(7, at: 9), .insert(8, at: 9)], to: [1]), [1])
    }

    @Test func changesTurnOldRowsIntoNewOnes() {
        var random = SeededNumbers(state: 3)
        for _ in 0..<1_000 {
            let pool = Int.random(in: 1...30, using: &random)
            let old = Array((0..<pool).shuffled(using: &random).prefix(Int.random(in: 0...pool, using: &random)))
            let new = Array((0..<pool).shuffled(using: &random).prefix(Int.random(in: 0...pool, using: &random)))
            let changes = ViewDifference.changes(from: old, to: new)
            expectEqual(ViewDifference.apply(changes, to: old), new)
            #expect(changes.count <= old.count + new.count)
        }
    }
}
