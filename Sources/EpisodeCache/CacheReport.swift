internal import SystemCalls

/// Checks the indexes of a cache that is not in use against its files.
///
/// Bytes without an index are not damage: a download interrupted before its first index leaves them. They are removed at the next
/// use of their URL or when room is needed.
public struct CacheReport: Equatable, Sendable {
    public private(set) var episodes = 0
    /// Paths of indexes that cannot be read, or list bytes that do not exist.
    public private(set) var damaged: [String] = []

    /// - Parameters:
    ///   - directory: may be missing.
    ///   - isRepairing: whether to remove damaged episodes, which are fetched again when they are played.
    public init(directory: String, isRepairing: Bool) {
        for name in (try? StoredFile.names(in: directory)) ?? [] where name.hasSuffix(".index") {
            episodes += 1
            let base = "\(directory)/\(name.dropLast(6))"
            if Self.isSound(base) { continue }
            damaged.append(EpisodeFile.indexPath(base))
            if isRepairing {
                // If this fails, the next check finds it again.
                try? StoredFile.remove(EpisodeFile.indexPath(base))
                try? StoredFile.remove(EpisodeFile.bytesPath(base))
            }
        }
    }

    private static func isSound(_ base: String) -> Bool {
        guard let index = CacheIndex(of: base) else { return false }
        let size = (try? FileStatus(path: EpisodeFile.bytesPath(base)))?.size ?? 0
        return index.durable.ranges.last?.upperBound ?? 0 <= size
    }
}
