internal import Glibc
internal import LibraryModel
internal import PodcastModel

/// The document that is being read, in a page of a file beside the library that is mapped into memory: mmap(2).
///
/// What is written there costs no system call and survives the process, however it ends. It does not survive a power cut,
/// which no document causes. A commit for each document would cost more than refreshing most feeds.
final class AttemptFile: AttemptRecorder {
    private static let bytes = 4_096

    private let feed: UnsafeMutablePointer<Int64>
    private var isOlderPage: UnsafeMutablePointer<Int64> { feed + 1 }

    /// Nil when the file cannot be had: attempts are not remembered then.
    init?(path: String) {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return nil }
        defer { close(file) }
        // Without a block of its own a write to the memory would end the process on a full disk.
        guard posix_fallocate(file, 0, off_t(Self.bytes)) == 0,
            let memory = mmap(nil, Self.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), memory != MAP_FAILED
        else { return nil }
        feed = memory.bindMemory(to: Int64.self, capacity: Self.bytes / 8)
    }

    deinit { munmap(feed, Self.bytes) }

    var unfinished: DocumentAttempt? {
        feed.pointee == 0 ? nil : DocumentAttempt(feed: FeedID(feed.pointee), isOlderPage: isOlderPage.pointee != 0)
    }

    func begin(_ attempt: DocumentAttempt) {
        isOlderPage.pointee = attempt.isOlderPage ? 1 : 0
        feed.pointee = attempt.feed.rawValue
    }

    func end() { feed.pointee = 0 }
}
