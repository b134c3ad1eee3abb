internal import Library
internal import PodcastModel

/// Entries that left the queue when they were played to the end, with their former places, for `previous`.
struct FinishedEntries: Equatable, Sendable {
    private struct Finished: Equatable {
        var entry: QueueEntry
        var place: Int
    }

    private static let limit = 100

    private var finished: [Finished] = []

    mutating func add(_ entry: QueueEntry, at place: Int) {
        finished.append(Finished(entry: entry, place: place))
        if finished.count > Self.limit { finished.removeFirst() }
    }

    /// The last played of the entries that were directly before an index.
    func last(before place: Int) -> QueueEntry? { finished.last { $0.place == place }?.entry }

    /// Adjusts the places to changes of the queue; removes entries that returned to the queue.
    mutating func follow(_ changes: [ViewChange<EntryID>]) {
        for change in changes {
            switch change {
            case .insert(let id, let index):
                finished.removeAll { $0.entry.id == id }
                shift(1, beyond: index)
            case .delete(_, let index): shift(-1, beyond: index)
            case .move(_, let from, let index):
                shift(-1, beyond: from)
                shift(1, beyond: index)
            case .update: break
            }
        }
    }

    private mutating func shift(_ distance: Int, beyond index: Int) {
        for each in finished.indices where finished[each].place > index { finished[each].place += distance }
    }
}
