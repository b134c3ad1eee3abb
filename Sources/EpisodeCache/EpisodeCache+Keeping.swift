public import MediaPorts
internal import Synchronization
internal import SystemCalls

/// Episodes that are kept as a whole.
extension EpisodeCache {
    /// An episode that is pinned, as its files on disk tell.
    public struct KeptFile: Equatable, Sendable {
        /// The URL under which it is opened.
        public var url: String
        public var size: Int64
        /// Whether every byte is available.
        public var isWhole: Bool
    }

    /// A pinned episode is kept regardless of the limit. Reads and writes the disk.
    public func setPinned(_ isPinned: Bool, url: String) throws(MediaFailure) {
        try opening(url) { () throws(SystemError) in
            let source = try source(of: url)
            source.episode.file.setPinned(isPinned)
            source.episode.state.withLock { source.episode.save(&$0, isDurable: false) }
            source.close()
        }
    }

    /// Deletes an episode's files, pinned or not. Users that have it open can still read; the next `open` starts over. Reads and
    /// writes the disk.
    public func remove(url: String) throws(MediaFailure) {
        try opening(url) { () throws(SystemError) in
            let source = try source(of: url)
            discard(source.episode)
            source.close()
        }
    }

    /// Assigns an episode's files and its pin to another URL of the same recording; files of that URL are deleted. Reads and
    /// writes the disk.
    /// - Returns: false if one of the two is open, or there are no files.
    public func move(_ url: String, to other: String) throws(MediaFailure) -> Bool {
        try opening(other) { () throws(SystemError) in
            try state.withLock { (state) throws(SystemError) in
                if state.open[url] != nil || state.open[other] != nil { return false }
                let old = base(of: url)
                let new = base(of: other)
                guard var index = CacheIndex(of: old), index.url == url else { return false }
                index.url = other
                index.known.redirectTarget = nil
                // Bytes without an index are ignored, so an index never refers to bytes of another file.
                try StoredFile.remove(EpisodeFile.indexPath(new))
                try StoredFile.rename(EpisodeFile.bytesPath(old), to: EpisodeFile.bytesPath(new))
                do throws(SystemError) {
                    try StoredFile.replace(EpisodeFile.indexPath(new), with: index.bytes, isDurable: true)
                } catch {
                    try? StoredFile.rename(EpisodeFile.bytesPath(new), to: EpisodeFile.bytesPath(old))
                    throw error
                }
                try StoredFile.remove(EpisodeFile.framesPath(new))
                // Without places of frames they are counted again.
                try? StoredFile.rename(EpisodeFile.framesPath(old), to: EpisodeFile.framesPath(new))
                try StoredFile.remove(EpisodeFile.indexPath(old))
                return true
            }
        }
    }

    /// The pinned episodes with files. Reads every index.
    public func keptFiles() -> [KeptFile] {
        bases(".index").compactMap { base in
            guard let index = CacheIndex(of: base), index.isPinned,
                let status = try? FileStatus(path: EpisodeFile.bytesPath(base))
            else { return nil }
            return KeptFile(url: index.url, size: status.allocatedSize, isWhole: isWhole(index, status.size))
        }
    }

    /// The paths of episodes of which every byte is on disk, pinned or not, by URL. Reads every index.
    public func wholeFiles() -> [String: String] {
        Dictionary(bases(".index").compactMap(wholeFile)) { first, _ in first }
    }

    /// The path of an episode's file; nil unless every byte is on disk. Reads its index.
    public func wholeFile(url: String) -> String? {
        wholeFile(base(of: url)).flatMap { $0 == url ? $1 : nil }
    }

    /// The URL and the path.
    private func wholeFile(_ base: String) -> (String, String)? {
        let path = EpisodeFile.bytesPath(base)
        guard let index = CacheIndex(of: base), let status = try? FileStatus(path: path), isWhole(index, status.size)
        else { return nil }
        return (index.url, path)
    }

    private func isWhole(_ index: CacheIndex, _ size: Int64) -> Bool {
        var known = index.known
        if index.boot != boot { known.have = index.durable }
        known.have.truncate(at: size)
        return known.isWhole
    }
}

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
        for base in EpisodeFile.bases(in: directory, ".index") {
            episodes += 1
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
