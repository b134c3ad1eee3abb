internal import Synchronization
internal import SystemCalls

extension EpisodeCache {
    /// Counts fetched bytes and enforces the limit at intervals.
    func fetched(_ bytes: Int64) {
        let isTime = state.withLock { state in
            state.fetched += bytes
            state.statistics.fetchedBytes += bytes
            if state.fetched < 16 << 20 { return false }
            state.fetched = 0
            return true
        }
        if isTime { whenSaved { [self] in trim(to: sizeLimit) } }
    }

    /// Removes episodes until the rest is within a limit: the least recently used first, never open or pinned ones.
    func trim(to limit: Int64) {
        let stored = storedEpisodes()
        var total = stored.reduce(0) { $0 + $1.size }
        for episode in stored.sorted(by: { $0.used < $1.used }) {
            if total <= limit { return }
            if remove(episode.base) { total -= episode.size }
        }
    }

    /// Removes episodes because the disk is full.
    /// - Returns: whether anything was removed.
    func makeRoom(_ bytes: Int64) -> Bool {
        let before = usage()
        trim(to: max(0, before - bytes))
        return usage() < before
    }

    /// Bytes of all episodes on disk. Reads the disk.
    public func usage() -> Int64 { storedEpisodes().reduce(0) { $0 + $1.size } }

    /// Removes the files of an episode that is neither open nor pinned.
    private func remove(_ base: String) -> Bool {
        state.withLock { state in
            if state.open.values.contains(where: { $0.file.base == base }) { return false }
            if CacheIndex(of: base)?.isPinned == true { return false }
            return (try? EpisodeFile.remove(base)) != nil
        }
    }

    private typealias StoredEpisode = (base: String, size: Int64, used: (seconds: Int64, nanoseconds: Int64))

    private func storedEpisodes() -> [StoredEpisode] {
        bases(".bytes").compactMap { base in
            guard let bytes = try? FileStatus(path: EpisodeFile.bytesPath(base)) else { return nil }
            let last = (try? FileStatus(path: EpisodeFile.indexPath(base))) ?? bytes
            let frames = try? FileStatus(path: EpisodeFile.framesPath(base))
            return (
                base, bytes.allocatedSize + (frames?.allocatedSize ?? 0), (last.modified, last.modifiedNanoseconds)
            )
        }
    }

    func bases(_ suffix: String) -> [String] { EpisodeFile.bases(in: folder, suffix) }
}
