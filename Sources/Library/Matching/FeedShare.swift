internal import PodcastModel

/// Compares what a merge would store of a feed with the feed's limits.
///
/// Unused episodes that the feed no longer lists make room, the oldest first; listed episodes and episodes with user data never do.
/// If that is not enough, the oldest new items are omitted.
struct FeedShare {
    private let limit: (episodes: Int, bytes: Int64)
    private var episodes: Int
    private var bytes: Int64

    /// - Parameters:
    ///   - stored: the feed's episodes.
    ///   - items: the items of a document.
    ///   - inserts: those that would be stored, by index.
    ///   - limit: what a feed may store.
    public init(
        stored: [StoredEpisode], items: [MergeItem], inserts: [Int], limit: (episodes: Int, bytes: Int64)
    ) {
        self.limit = limit
        (episodes, bytes) = (0, 0)
        for episode in stored { add(episode.bytes) }
        for index in inserts { add(items[index].storedBytes) }
    }

    private mutating func add(_ size: Int64) {
        episodes += 1
        bytes += size
    }

    private mutating func subtract(_ size: Int64) {
        episodes -= 1
        bytes -= size
    }

    /// True if the merge would exceed the limits.
    var isExceeded: Bool { episodes > limit.episodes || bytes > limit.bytes }

    /// Removes as many unused episodes as needed.
    /// - Parameter untouched: the unused episodes, oldest first.
    mutating func makeRoom(from untouched: [(id: Int64, bytes: Int64)]) -> [Int64] {
        var removed: [Int64] = []
        for episode in untouched {
            guard isExceeded else { break }
            subtract(episode.bytes)
            removed.append(episode.id)
        }
        return removed
    }

    /// The new items that can be stored, in the same order.
    mutating func fit(_ inserts: [Int], of items: [MergeItem]) -> [Int] {
        guard isExceeded else { return inserts }
        let newestFirst = inserts.sorted {
            (items[$0].keys.published ?? .max, -$0) > (items[$1].keys.published ?? .max, -$1)
        }
        var leftOut: Set<Int> = []
        for index in newestFirst.reversed() {
            guard isExceeded else { break }
            subtract(items[index].storedBytes)
            leftOut.insert(index)
        }
        return inserts.filter { !leftOut.contains($0) }
    }
}
