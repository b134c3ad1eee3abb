internal import Glibc
internal import Synchronization
internal import SystemCalls

/// The files of one episode: its bytes at their own offsets, the index of the available ones, and the places of frames, which
/// decoders keep.
///
/// Bytes are written on the fetching thread; the index on the cache's thread, which may wait for the disk.
final class EpisodeFile: Sendable {
    let url: String
    /// The path of the files without suffix.
    let base: String
    private let data: FileDescriptor
    /// Why nothing can be written while this is open; nil if it can.
    private let obstacle: SystemError?
    private let facts: Mutex<Facts>

    private struct Facts {
        var durable = ByteRanges()
        var isPinned = false
        var isDiscarded = false
    }

    static func bytesPath(_ base: String) -> String { base + ".bytes" }
    static func indexPath(_ base: String) -> String { base + ".index" }
    static func framesPath(_ base: String) -> String { base + ".frames" }
    static func paths(_ base: String) -> [String] { [indexPath(base), bytesPath(base), framesPath(base)] }

    /// The paths, without suffix, of the files in a folder with a suffix of six characters.
    static func bases(in folder: String, _ suffix: String) -> [String] {
        ((try? StoredFile.names(in: folder)) ?? []).compactMap {
            $0.hasSuffix(suffix) ? folder + "/" + $0.dropLast(6) : nil
        }
    }

    static func remove(_ base: String) throws(SystemError) { for path in paths(base) { try StoredFile.remove(path) } }

    /// Opens or creates the files of an episode. If the disk is not writable, available bytes can be read.
    static func open(
        url: String, base: String, boot: String
    ) throws(SystemError) -> (file: EpisodeFile, known: FetchPlan.Knowledge) {
        let index = CacheIndex(of: base)
        let data: FileDescriptor
        var obstacle: SystemError?
        do throws(SystemError) {
            data = try FileDescriptor.openPrivate(bytesPath(base), O_RDWR)
        } catch let failure {
            obstacle = failure
            do throws(SystemError) { data = try FileDescriptor.open(bytesPath(base), O_RDONLY) } catch { throw failure }
        }
        let size = try FileStatus(of: data.raw).size
        var known = FetchPlan.Knowledge()
        var facts = Facts()
        if let index, index.url == url {
            facts = Facts(durable: index.durable, isPinned: index.isPinned)
            facts.durable.truncate(at: size)
            known = index.known
            if index.boot != boot { known.have = index.durable }
            known.have.truncate(at: size)
            try? StoredFile.touch(indexPath(base))
        } else if obstacle == nil {
            // Bytes without an index are of unknown origin; the name could be that of another URL.
            try StoredFile.truncate(data.raw, to: 0)
        }
        // Without bytes the version does not matter.
        if known.have.ranges.isEmpty {
            known = FetchPlan.Knowledge()
            if obstacle == nil { try? StoredFile.remove(framesPath(base)) }
        }
        return (EpisodeFile(url: url, base: base, data: data, obstacle: obstacle, facts), known)
    }

    private init(url: String, base: String, data: consuming FileDescriptor, obstacle: SystemError?, _ facts: Facts) {
        self.url = url
        self.base = base
        self.obstacle = obstacle
        self.data = data
        self.facts = Mutex(facts)
    }

    func openForReading() throws(SystemError) -> FileDescriptor {
        if obstacle != nil { return try data.duplicate() }
        return try FileDescriptor.open(EpisodeFile.bytesPath(base), O_RDONLY)
    }

    /// A descriptor of the places of frames; nil if they cannot be kept.
    func openFrames() -> FileDescriptor? {
        facts.withLock { facts in
            if obstacle != nil || facts.isDiscarded { return nil }
            return try? FileDescriptor.openPrivate(EpisodeFile.framesPath(base), O_RDWR)
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) {
        if let obstacle { throw obstacle }
        try StoredFile.write(data.raw, at: offset, bytes)
    }

    func read(at offset: Int64, count: Int) throws(SystemError) -> [UInt8] {
        try StoredFile.read(data.raw, at: offset, count: count)
    }

    /// Gives disk space back, if the file system can do that.
    func free(except kept: Range<Int64>) {
        try? StoredFile.truncate(data.raw, to: kept.upperBound)
        try? StoredFile.free(data.raw, upTo: kept.lowerBound)
    }

    /// The last user has left. Without a name, the file would need its space until a decoder ends that has it open.
    func becomeUnused() { if facts.withLock({ $0.isDiscarded }) { free(except: 0..<0) } }

    var isPinned: Bool { facts.withLock { $0.isPinned } }

    func setPinned(_ isPinned: Bool) { facts.withLock { $0.isPinned = isPinned } }

    /// Removes the names; the bytes stay while they are open.
    func discard() {
        facts.withLock { facts in
            facts.isDiscarded = true
            // If they cannot be removed, the next use finds another version.
            for path in EpisodeFile.paths(base) { try? StoredFile.remove(path) }
        }
    }

    /// Writes the index; on the worker.
    /// - Parameter isDurable: syncs bytes and index, so that the bytes count after a power cut.
    func save(_ known: FetchPlan.Knowledge, boot: String, isDurable: Bool) throws(SystemError) {
        if known.have.ranges.isEmpty || obstacle != nil { return }
        if isDurable { try StoredFile.synchronize(data.raw) }
        // Under the lock: after `discard` the name may belong to another episode.
        try facts.withLock { (facts) throws(SystemError) in
            if facts.isDiscarded { return }
            if isDurable { facts.durable = known.have }
            let index = CacheIndex(url: url, known: known, durable: facts.durable, boot: boot, isPinned: facts.isPinned)
            try StoredFile.replace(EpisodeFile.indexPath(base), with: index.bytes, isDurable: isDurable)
        }
    }
}
