internal import PodcastModel

/// Covers that clients read piece by piece. A value without I/O.
struct PictureStore {
    /// Bytes of kept covers at most; the one that was read last stays.
    private static let maximumBytes = 4 << 20

    /// The newest last.
    private var kept: [(episode: EpisodeID, bytes: [UInt8])] = []

    mutating func picture(of episode: EpisodeID) -> [UInt8]? {
        guard let index = kept.firstIndex(where: { $0.episode == episode }) else { return nil }
        kept.append(kept.remove(at: index))
        return kept.last?.bytes
    }

    /// Keeps a cover; an empty one for an episode without.
    mutating func keep(_ bytes: [UInt8], of episode: EpisodeID) {
        kept.removeAll { $0.episode == episode }
        kept.append((episode, bytes))
        while kept.count > 1, kept.reduce(0, { $0 + $1.bytes.count }) > Self.maximumBytes { kept.removeFirst() }
    }

    /// A cover may have changed with its feed.
    mutating func removeAll() { kept = [] }
}
