public import MediaPorts
internal import SystemCalls

/// Episodes that are kept as a whole.
extension EpisodeCache {
    /// An episode that is pinned, as its files on disk tell.
    public struct KeptFile: Equatable, Sendable {
        /// The URL under which it is opened.
        public var url: String
        /// Bytes that it takes on the disk.
        public var size: Int64
        /// Whether every byte of it is there.
        public var isWhole: Bool

        /// An episode as a test wants it.
        public init(url: String, size: Int64, isWhole: Bool) {
            self.url = url
            self.size = size
            self.isWhole = isWhole
        }
    }

    /// Bytes on disk beyond which the least recently used episodes go.
    public var sizeLimit: Int64 { store.sizeLimit }

    /// A source like that of `open`, whose wants stand behind those of all other sources of the URL: who keeps an
    /// episode leaves the connection to who listens to it.
    /// - Throws: `MediaFailure`: another scheme, or the folder cannot be used.
    public func openPatiently(_ url: String) throws(MediaFailure) -> any ByteSource {
        try opening(url) { () throws(SystemError) in try store.open(url, isPatient: true) }
    }

    /// The pinned episodes of which anything is on the disk. Reads every index there.
    public func keptFiles() -> [KeptFile] { store.keptFiles() }

    /// Takes an episode's files away, pinned or not; who has it open reads on, and the next `open` begins anew.
    /// Reads and writes the disk.
    public func remove(url: String) throws(MediaFailure) {
        try opening(url) { () throws(SystemError) in try store.remove(url: url) }
    }

    /// Gives an episode's files to another URL of the same recording, with its pin; what was there of that URL goes.
    /// Reads and writes the disk.
    /// - Returns: whether it was done: not while somebody has one of the two open, or when nothing is there.
    public func move(_ url: String, to other: String) throws(MediaFailure) -> Bool {
        try opening(other) { () throws(SystemError) in try store.move(url, to: other) }
    }

    /// Calls back on a thread of the cache once what is known so far of the episodes is on disk. Never called after
    /// `finish`.
    public func whenSaved(_ action: @escaping @Sendable () -> Void) { store.onWorker(action) }
}

extension CacheStore {
    func keptFiles() -> [EpisodeCache.KeptFile] {
        ((try? StoredFile.names(in: folder)) ?? []).compactMap { name in
            guard name.hasSuffix(".index") else { return nil }
            let base = folder + "/" + name.dropLast(6)
            guard
                let index = (try? StoredFile.contents(of: EpisodeFile.indexPath(base), limit: 1 << 20))
                    .flatMap(CacheIndex.init), index.isPinned,
                let status = try? FileStatus(path: EpisodeFile.bytesPath(base))
            else { return nil }
            var have = index.boot == boot ? index.known.have : index.durable
            have.truncate(at: status.size)
            return EpisodeCache.KeptFile(
                url: index.url, size: status.allocatedSize,
                isWhole: index.known.length.map { have.end(from: 0) >= $0 } ?? false)
        }
    }

    func remove(url: String) throws(SystemError) {
        let source = try open(url)
        discard(source.episode)
        source.close()
    }
}
