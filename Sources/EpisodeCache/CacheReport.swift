internal import SystemCalls

/// Whether the cache's indexes fit its files, looked at while nobody uses it.
///
/// Bytes without an index are no damage: a download that was cut short before its first index leaves them, and they go
/// with the next use of their URL or when room is needed.
public struct CacheReport: Equatable, Sendable {
    /// Episodes that have an index.
    public private(set) var episodes = 0
    /// Paths of indexes that cannot be read, or speak of bytes that are not there.
    public private(set) var damaged: [String] = []

    /// Looks at a folder, which need not exist.
    ///
    /// - Parameters:
    ///   - directory: the cache's folder.
    ///   - isRepairing: whether to remove what does not fit; it is fetched again when it is played.
    public init(directory: String, isRepairing: Bool) {
        for name in (try? StoredFile.names(in: directory)) ?? [] where name.hasSuffix(".index") {
            episodes += 1
            let base = "\(directory)/\(name.dropLast(6))"
            if Self.isSound(base) { continue }
            damaged.append(EpisodeFile.indexPath(base))
            if isRepairing {
                // What cannot be removed is found again next time.
                try? StoredFile.remove(EpisodeFile.indexPath(base))
                try? StoredFile.remove(EpisodeFile.bytesPath(base))
            }
        }
    }

    private static func isSound(_ base: String) -> Bool {
        guard let bytes = try? StoredFile.contents(of: EpisodeFile.indexPath(base), limit: 1 << 20),
            let index = CacheIndex(bytes: bytes)
        else { return false }
        let size = (try? FileStatus(path: EpisodeFile.bytesPath(base)))?.size ?? 0
        return index.durable.ranges.last?.upperBound ?? 0 <= size
    }
}
