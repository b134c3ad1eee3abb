internal import Glibc
internal import MediaPorts
internal import PodcastModel
internal import SystemCalls

/// Which bytes of an episode are kept in memory while the disk accepts none, and when the disk is retried: a value without I/O.
struct SpareMemory: Equatable {
    /// The bytes in memory.
    private(set) var window: MemoryWindow
    /// Why the disk accepts nothing, and what to do; nil while it works.
    private(set) var shortage: String?
    /// When the disk is retried; meaningless without a shortage.
    private var retryAt = Instant.distantPast

    init(capacity: Int64) { window = MemoryWindow(capacity: capacity) }

    /// Whether to write new bytes to the disk now.
    func triesDisk(now: Instant) -> Bool { shortage == nil || now >= retryAt }

    /// Whether to retry the disk with the bytes in memory.
    func mayTryDisk(now: Instant) -> Bool { shortage != nil && now >= retryAt }

    mutating func diskRefused(_ shortage: String, until instant: Instant) {
        self.shortage = shortage
        retryAt = instant
    }

    /// The disk accepts bytes, and has those that were in memory.
    mutating func diskTook() { self = SpareMemory(capacity: window.capacity) }

    /// Makes room for new bytes. Bytes before the wanted one are dropped first, in large pieces, because users are notified of
    /// each.
    /// - Returns: the dropped bytes; users must know that they are gone before they are overwritten.
    mutating func makeRoom(for count: Int64, at offset: Int64, wanted: Int64) -> Range<Int64> {
        let range = window.range
        guard range.upperBound == offset, !range.isEmpty else {
            window.range = offset..<offset
            return range
        }
        let excess = window.count + count - window.capacity
        guard excess > 0 else { return range.lowerBound..<range.lowerBound }
        let heard = min(max(wanted - range.lowerBound, 0), window.capacity / 8)
        let start = min(range.upperBound, range.lowerBound + max(excess, heard))
        window.range = start..<range.upperBound
        return range.lowerBound..<start
    }

    /// Bytes were written after those in memory.
    mutating func took(_ count: Int64) { window.range = window.range.lowerBound..<window.range.upperBound + count }

    static func shortage(_ error: SystemError) -> String {
        let rest = "until then episodes are kept in memory"
        return switch error.code {
        case ENOSPC, EDQUOT: "no space left on the disk of the episode cache; free some, \(rest)"
        case EROFS: "the disk of the episode cache is read-only; remount it for writing, \(rest)"
        default: "cannot write the episode cache (\(error.reason)); check its disk, \(rest)"
        }
    }
}
