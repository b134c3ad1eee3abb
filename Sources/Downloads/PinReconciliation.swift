internal import PodcastModel

/// Compares the cache's pinned files with the library's records: a value that performs nothing.
struct PinReconciliation: Equatable {
    /// What to do with a pinned file that no record names.
    enum Step: Equatable {
        /// Give the file to this URL of the same recording; unpin it if that fails.
        case move(String, to: String)
        /// Let the cache evict the file.
        case unpin(String)
    }

    /// What to do with files, in their order.
    var steps: [Step] = []
    /// Episodes that are marked as downloaded and have no whole file.
    var lost: [EpisodeID] = []

    /// - Parameters:
    ///   - records: the library's.
    ///   - files: the cache's.
    ///   - recording: equal for URLs of the same recording.
    init(_ records: DownloadRecords, _ files: [PinnedFile], recording: (String) -> Int64) {
        let wanted = Set(records.downloaded.values).union(records.requestedURLs)
        // A host may sign a URL again or wrap it in another: what was fetched under the old one is not fetched again.
        let successors = Dictionary(records.requestedURLs.map { (recording($0), $0) }) { first, _ in first }
        for file in files where !wanted.contains(file.url) {
            let successor = successors[recording(file.url)]
            steps.append(successor.map { .move(file.url, to: $0) } ?? .unpin(file.url))
        }
        let whole = Set(files.filter(\.isWhole).map(\.url))
        lost = records.downloaded.filter { !whole.contains($0.value) }.keys.sorted { $0.rawValue < $1.rawValue }
    }
}
