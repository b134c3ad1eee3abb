public import PodcastModel
internal import SystemCalls

/// The document that is being parsed.
public struct DocumentAttempt: Equatable, Sendable {
    public var feed: FeedID
    public var isOlderPage: Bool

    public init(feed: FeedID, isOlderPage: Bool = false) {
        self.feed = feed
        self.isOlderPage = isOlderPage
    }
}

/// Records which document is being parsed, so that one that crashes the process is not parsed first in the next run.
/// For one thread.
public protocol AttemptRecorder: AnyObject {
    /// The document that was being parsed when the last process ended; nil if it ended normally.
    var unfinished: DocumentAttempt? { get }
    /// Must be cheap, because it is called for each piece of the document.
    func begin(_ attempt: DocumentAttempt)
    func end()
}

/// Records the document that is being parsed in a page of a file that is mapped into memory: mmap(2).
///
/// Writing to the page costs no system call and survives the end of the process, but not a power cut, which no document
/// causes. A commit for each document would cost more than refreshing most feeds. Each process locks a slot of the page; a slot
/// that is not empty and not locked was left by a process that died.
final class AttemptFile: AttemptRecorder {
    /// Maximum processes that parse documents at the same time; more processes record nothing.
    private static let slots = 64
    /// Each slot has the feed's id, or 0 if it is empty, and 1 for an older page.
    private let page: MappedPage
    private let locks: RangeLocks
    private var slot: Int?

    /// Nil if the file cannot be mapped; then attempts are not recorded.
    init?(path: String) {
        guard let page = try? MappedPage(path: path), let locks = try? RangeLocks(path: path) else { return nil }
        self.page = page
        self.locks = locks
    }

    var unfinished: DocumentAttempt? {
        for slot in 0..<Self.slots where page[2 * slot] != 0 && slot != self.slot && take(slot) { break }
        guard let slot, page[2 * slot] != 0 else { return nil }
        return DocumentAttempt(feed: FeedID(page[2 * slot]), isOlderPage: page[2 * slot + 1] != 0)
    }

    func begin(_ attempt: DocumentAttempt) {
        if slot == nil {
            for slot in 0..<Self.slots where page[2 * slot] == 0 && take(slot) { break }
        }
        guard let slot else { return }
        page[2 * slot + 1] = attempt.isOlderPage ? 1 : 0
        page[2 * slot] = attempt.feed.rawValue
    }

    func end() { if let slot { page[2 * slot] = 0 } }

    /// Locks a slot, unless another process has locked it.
    private func take(_ wanted: Int) -> Bool {
        guard (try? locks.tryLock(Int64(wanted))) == true else { return false }
        if let slot { locks.unlock(Int64(slot)) }
        slot = wanted
        return true
    }
}
