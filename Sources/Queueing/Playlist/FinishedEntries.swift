internal import LibraryModel
internal import PodcastModel

/// Entries that left the queue because they were heard to their end, with the places where they were, so that `previous`
/// reaches them.
struct FinishedEntries: Equatable, Sendable {
    private struct Finished: Equatable {
        var entry: QueueEntry
        /// Index of the entry that follows it.
        var place: Int
    }

    /// Entries that are remembered.
    private static let limit = 100

    /// In the order in which they were heard.
    private var finished: [Finished] = []

    /// Remembers an entry that was at an index.
    mutating func add(_ entry: QueueEntry, at place: Int) {
        finished.append(Finished(entry: entry, place: place))
        if finished.count > Self.limit { finished.removeFirst() }
    }

    /// The entry that was heard last of those immediately before an index.
    func last(before place: Int) -> QueueEntry? { finished.last { $0.place == place }?.entry }

    /// Adjusts the places to changes of the queue; entries that are in the queue again are forgotten.
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
