internal import Glibc
internal import MediaPorts
internal import Synchronization
internal import SystemCalls

/// The two files of one episode: its bytes at their own offsets, and the index that says which of them are there. Beside them a
/// piece of memory for bytes that the disk does not take.
///
/// Bytes are written on the thread that fetches; the index on the store's worker, which may wait for the disk.
final class EpisodeFile: Sendable {
    let url: String
    /// The path of both files without what tells them apart.
    let base: String
    /// What is in it `SpareMemory` knows.
    let memory: MemoryFile
    private let data: FileDescriptor
    /// Why nothing can be written for as long as this is open; nil when it can.
    private let obstacle: SystemError?
    private let facts: Mutex<Facts>

    private struct Facts {
        var durable: ByteRanges
        var isPinned: Bool
        var isDiscarded = false
    }

    static func bytesPath(_ base: String) -> String { base + ".bytes" }
    static func indexPath(_ base: String) -> String { base + ".index" }

    /// Opens the files of an episode, or begins them. Where the disk lets nothing begin, what is there can be read, and
    /// what comes is kept in memory.
    ///
    /// - Parameter memoryCapacity: bytes that may be kept in memory.
    /// - Returns: the file and what is known of the episode.
    static func open(
        url: String, base: String, boot: String, memoryCapacity: Int64
    ) throws(SystemError) -> (file: EpisodeFile, known: FetchPlan.Knowledge) {
        let memory = try MemoryFile(name: "podcast-episode", capacity: memoryCapacity)
        let index = (try? StoredFile.contents(of: indexPath(base), limit: 1 << 20)).flatMap(CacheIndex.init)
        let data: FileDescriptor
        var obstacle: SystemError?
        do throws(SystemError) {
            data = try FileDescriptor.openPrivate(bytesPath(base), O_RDWR)
        } catch {
            obstacle = error
            if let readable = readable(bytesPath(base)) { data = readable } else { data = try memory.openForReading() }
        }
        let size = try FileStatus(of: data.raw).size
        guard let index, index.url == url else {
            // Bytes without an index are of unknown origin; the name could be that of another URL.
            if obstacle == nil { try StoredFile.truncate(data.raw, to: 0) }
            let file = EpisodeFile(
                url: url, base: base, data: data, memory: memory, obstacle: obstacle, durable: ByteRanges(),
                isPinned: false)
            return (file, FetchPlan.Knowledge())
        }
        var known = index.known
        if index.boot != boot { known.have = index.durable }
        known.have.truncate(at: size)
        // Without bytes there is no version to keep to.
        if known.have.ranges.isEmpty { known = FetchPlan.Knowledge() }
        var durable = index.durable
        durable.truncate(at: size)
        try? StoredFile.touch(indexPath(base))
        let file = EpisodeFile(
            url: url, base: base, data: data, memory: memory, obstacle: obstacle, durable: durable,
            isPinned: index.isPinned)
        return (file, known)
    }

    private init(
        url: String, base: String, data: consuming FileDescriptor, memory: MemoryFile, obstacle: SystemError?,
        durable: ByteRanges, isPinned: Bool
    ) {
        self.url = url
        self.base = base
        self.data = data
        self.memory = memory
        self.obstacle = obstacle
        facts = Mutex(Facts(durable: durable, isPinned: isPinned))
    }

    private static func readable(_ path: String) -> FileDescriptor? { try? FileDescriptor.open(path, O_RDONLY) }

    /// Whether there is a file to write to, whatever the disk says of it now.
    var canBeWritten: Bool { obstacle == nil }

    /// Another descriptor of the bytes, for reading only.
    func openForReading() throws(SystemError) -> FileDescriptor {
        if obstacle != nil { return try data.duplicate() }
        return try FileDescriptor.open(EpisodeFile.bytesPath(base), O_RDONLY)
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) {
        if let obstacle { throw obstacle }
        try StoredFile.write(data.raw, at: offset, bytes)
    }

    func read(at offset: Int64, count: Int) throws(SystemError) -> [UInt8] {
        try StoredFile.read(data.raw, at: offset, count: count)
    }

    var isPinned: Bool { facts.withLock { $0.isPinned } }

    func setPinned(_ isPinned: Bool) { facts.withLock { $0.isPinned = isPinned } }

    /// Takes the names away; the bytes stay as long as somebody has them open.
    func discard() {
        facts.withLock { facts in
            facts.isDiscarded = true
            // What cannot be removed is found to be of another version when it is used next.
            try? StoredFile.remove(EpisodeFile.indexPath(base))
            try? StoredFile.remove(EpisodeFile.bytesPath(base))
        }
    }

    /// Writes the index. On the worker.
    /// - Parameter isDurable: waits for the disk, so that the bytes count after a power cut too.
    func save(_ known: FetchPlan.Knowledge, boot: String, isDurable: Bool) throws(SystemError) {
        if known.have.ranges.isEmpty || obstacle != nil { return }
        if isDurable { try StoredFile.synchronize(data.raw) }
        // Under the lock, so that no index appears after `discard`, under a name that may be another's by then.
        try facts.withLock { (facts) throws(SystemError) in
            if facts.isDiscarded { return }
            if isDurable { facts.durable = known.have }
            let index = CacheIndex(
                url: url, known: known, durable: facts.durable, boot: boot, isPinned: facts.isPinned)
            try StoredFile.replace(EpisodeFile.indexPath(base), with: index.bytes, isDurable: isDurable)
        }
    }
}
