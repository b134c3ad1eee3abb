internal import Glibc
internal import MediaPorts
internal import SystemCalls

/// Which bytes of an episode are kept in memory while the disk takes none, and when the disk is tried again: a value that
/// performs nothing.
struct SpareMemory: Equatable {
    /// What is kept.
    private(set) var window: MemoryWindow
    /// Why the disk takes nothing, and what to do; nil while it takes all.
    private(set) var shortage: String?
    /// When the disk is tried again; no meaning without a shortage.
    private var retryAt: Int64 = 0

    init(capacity: Int64) { window = MemoryWindow(capacity: capacity) }

    /// Whether bytes go to the disk now.
    func triesDisk(now: Int64) -> Bool { shortage == nil || now >= retryAt }

    /// Whether the disk is to be tried again, for what is kept here.
    func mayTryDisk(now: Int64) -> Bool { shortage != nil && now >= retryAt }

    /// The disk took nothing.
    mutating func diskRefused(_ shortage: String, until instant: Int64) {
        self.shortage = shortage
        retryAt = instant
    }

    /// The disk takes bytes, and has those that were kept here.
    mutating func diskTook() { self = SpareMemory(capacity: window.capacity) }

    /// Makes room for bytes that come: those before the wanted one go first, in larger pieces, for each of them has to be told.
    /// - Returns: what goes; nobody may find it at hand any more when bytes are written over it.
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

    /// Bytes were written after those that are kept.
    mutating func took(_ count: Int64) { window.range = window.range.lowerBound..<window.range.upperBound + count }

    /// What a disk that takes nothing means for people.
    static func shortage(_ error: SystemError) -> String {
        let rest = "until then episodes are kept in memory"
        return switch error.code {
        case ENOSPC, EDQUOT: "no space left on the disk of the episode cache; free some, \(rest)"
        case EROFS: "the disk of the episode cache is read-only; remount it for writing, \(rest)"
        default: "cannot write the episode cache (\(error.reason)); check its disk, \(rest)"
        }
    }
}
