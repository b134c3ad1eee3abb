public import MediaPorts
internal import SystemCalls

/// Episodes that are kept as a whole.
extension EpisodeCache {
    /// An episode that is pinned, as its files on disk tell.
    public struct KeptFile: Equatable, Sendable {
        /// The URL under which it is opened.
        public var url: String
        /// Bytes on disk.
        public var size: Int64
        /// Whether every byte is available.
        public var isWhole: Bool
    }

    /// Bytes on disk above which the least recently used episodes are removed.
    public var sizeLimit: Int64 { store.sizeLimit }

    /// A source of an `http` or `https` URL.
    /// - Throws: `MediaFailure` for another scheme, or if the folder cannot be used.
    public func open(_ url: String, priority: FetchPriority) throws(MediaFailure) -> any ByteSource {
        try opening(url) { () throws(SystemError) in try store.open(url, priority) }
    }

    /// The pinned episodes with files. Reads every index.
    public func keptFiles() -> [KeptFile] { store.keptFiles() }

    /// The paths of episodes of which every byte is on disk, pinned or not, by URL. Reads every index.
    public func wholeFiles() -> [String: String] { store.wholeFiles() }

    /// The path of an episode's file; nil unless every byte is on disk. Reads its index.
    public func wholeFile(url: String) -> String? { store.wholeFile(base: store.base(of: url), url: url)?.path }

    /// Deletes an episode's files, pinned or not. Users that have it open can still read; the next `open` starts over. Reads and
    /// writes the disk.
    public func remove(url: String) throws(MediaFailure) {
        try opening(url) { () throws(SystemError) in try store.remove(url: url) }
    }

    /// Assigns an episode's files and its pin to another URL of the same recording; files of that URL are deleted. Reads and
    /// writes the disk.
    /// - Returns: false if one of the two is open, or there are no files.
    public func move(_ url: String, to other: String) throws(MediaFailure) -> Bool {
        try opening(other) { () throws(SystemError) in try store.move(url, to: other) }
    }

    /// Calls back on the cache's thread after the indexes queued so far are on disk. Never called after `finish`.
    public func whenSaved(_ action: @escaping @Sendable () -> Void) { store.onWorker(action) }
}

extension CacheStore {
    /// The paths of the files of all episodes with an index, without suffix.
    private var bases: [String] {
        ((try? StoredFile.names(in: folder)) ?? []).compactMap {
            $0.hasSuffix(".index") ? folder + "/" + $0.dropLast(6) : nil
        }
    }

    private func index(_ base: String) -> CacheIndex? {
        (try? StoredFile.contents(of: EpisodeFile.indexPath(base), limit: 1 << 20)).flatMap(CacheIndex.init)
    }

    private func isWhole(_ index: CacheIndex, _ size: Int64) -> Bool {
        var have = index.boot == boot ? index.known.have : index.durable
        have.truncate(at: size)
        return index.known.length.map { have.end(from: 0) >= $0 } ?? false
    }

    func keptFiles() -> [EpisodeCache.KeptFile] {
        bases.compactMap { base in
            guard let index = index(base), index.isPinned,
                let status = try? FileStatus(path: EpisodeFile.bytesPath(base))
            else { return nil }
            return EpisodeCache.KeptFile(
                url: index.url, size: status.allocatedSize, isWhole: isWhole(index, status.size))
        }
    }

    func wholeFiles() -> [String: String] {
        let files = bases.compactMap { wholeFile(base: $0) }
        return Dictionary(files.map { ($0.url, $0.path) }) { first, _ in first }
    }

    /// - Parameter url: nil for any.
    func wholeFile(base: String, url: String? = nil) -> (url: String, path: String)? {
        let path = EpisodeFile.bytesPath(base)
        guard let index = index(base), index.url == url ?? index.url,
            let status = try? FileStatus(path: path), isWhole(index, status.size)
        else { return nil }
        return (index.url, path)
    }

    func remove(url: String) throws(SystemError) {
        let source = try open(url)
        discard(source.episode)
        source.close()
    }
}
