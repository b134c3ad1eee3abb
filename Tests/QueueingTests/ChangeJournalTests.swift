@testable import DaemonCore
import Library
import PodcastModel
import TestSupport
import Testing

@Suite struct ChangeJournalTests {
    @Test func eachEditMakesARevision() {
        var journal = ChangeJournal<Int>()
        journal.append([1, 2])
        journal.append([3])
        expectEqual(journal.revision, 2)
        expectEqual(journal.changes(since: 0), [1, 2, 3])
        expectEqual(journal.changes(since: 1), [3])
        expectEqual(journal.changes(since: 2), [])
    }

    @Test func anEditThatChangesNoRowIsNoRevision() {
        var journal = ChangeJournal<Int>()
        journal.append([])
        expectEqual(journal.revision, 0)
    }

    @Test func anUnknownRevisionCannotBeUpdated() {
        let journal = ChangeJournal<Int>()
        expectEqual(journal.changes(since: 1), nil)
        expectEqual(journal.changes(since: .max), nil)
    }

    @Test func aCopyOlderThanTheLimitHasToBeReadAgain() {
        var journal = ChangeJournal<Int>(limit: 3)
        for edit in 1...5 { journal.append([edit]) }
        expectEqual(journal.changes(since: 1), nil)
        expectEqual(journal.changes(since: 2), [3, 4, 5])
    }

    @Test func anEditOfWhichAPartIsForgottenIsNotReported() {
        var journal = ChangeJournal<Int>(limit: 3)
        journal.append([1, 2])
        journal.append([3, 4])
        expectEqual(journal.changes(since: 0), nil)
        expectEqual(journal.changes(since: 1), [3, 4])
    }

    @Test func anEditLargerThanTheLimitOrUnknownForgetsEverything() {
        var journal = ChangeJournal<Int>(limit: 2)
        journal.append([1])
        journal.append([2, 3, 4])
        expectEqual(journal.changes(since: 1), nil)
        expectEqual(journal.changes(since: 2), [])
        journal.appendUnknown()
        expectEqual(journal.changes(since: 2), nil)
        expectEqual(journal.revision, 3)
    }

    @Test func changesSinceARevisionTurnItsQueueIntoTheNewestOne() {
        var random = SeededNumbers(state: 10)
        var queue = QueueModel()
        var journal = ChangeJournal<ViewChange<EntryID>>(limit: 40)
        var revisions: [UInt64: [EntryID]] = [0: []]
        var fresh = 0
        for _ in 0..<400 {
            let changes: QueueModel.Changes
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1:
                let count = Int.random(in: 1...4, using: &random)
                changes = queue.insert(rows(fresh..<(fresh + count)), at: Int.random(in: 0...20, using: &random))
                fresh += count
            case 2: changes = queue.remove(Array(queue.ids.shuffled(using: &random).prefix(3)))
            case 3:
                let entry = queue.ids.randomElement(using: &random) ?? id(0)
                changes = queue.move([entry], to: Int.random(in: 0...20, using: &random))
            default: changes = queue.shuffle(using: &random)
            }
            journal.append(changes)
            revisions[journal.revision] = queue.ids
            for (revision, ids) in revisions {
                guard let missing = journal.changes(since: revision) else { continue }
                expectEqual(ViewDifference.apply(missing, to: ids), queue.ids)
            }
        }
    }
}
