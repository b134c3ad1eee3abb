internal import EpisodeCache
internal import Library
internal import PodcastModel

/// Compares the cache's pinned files with the library's records. A value without I/O.
struct PinReconciliation: Equatable {
    /// Action for a pinned file that is in no record.
    enum Step: Equatable {
        /// Move the file to this URL of the same recording; unpin it if that fails.
        case move(String, to: String)
        /// Allow the cache to evict the file.
        case unpin(String)
    }

    var steps: [Step] = []
    /// Episodes that are marked as downloaded but have no complete file.
    var lost: [EpisodeID] = []

    /// - Parameters:
    ///   - downloaded: the recorded URL of each downloaded episode.
    ///   - requested: URLs of requested episodes, oldest request first.
    ///   - recording: equal for URLs of the same recording: hosts change queries and tracking prefixes.
    init(
        _ downloaded: [EpisodeID: String], requested: [String], _ files: [PinnedFile],
        recording: (String) -> Int64 = MediaAddress.key
    ) {
        let wanted = Set(downloaded.values).union(requested)
        // A host may sign a URL again or wrap it in another: bytes fetched under the old URL are not fetched again.
        let successors = Dictionary(requested.map { (recording($0), $0) }) { first, _ in first }
        for file in files where !wanted.contains(file.url) {
            let successor = successors[recording(file.url)]
            steps.append(successor.map { .move(file.url, to: $0) } ?? .unpin(file.url))
        }
        let whole = Set(files.filter(\.isWhole).map(\.url))
        lost = downloaded.filter { !whole.contains($0.value) }.keys.sorted { $0.rawValue < $1.rawValue }
    }
}
