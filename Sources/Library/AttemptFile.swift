internal import LibraryModel
internal import PodcastModel
internal import SystemCalls

/// The document that is being read, in a page of a file beside the library that is mapped into memory: mmap(2).
///
/// What is written there costs no system call and survives the process, however it ends. It does not survive a power cut,
/// which no document causes. A commit for each document would cost more than refreshing most feeds.
final class AttemptFile: AttemptRecorder {
    /// The feed's number, 0 for none, and 1 for an older page.
    private let page: MappedPage

    /// Nil if the file cannot be mapped; attempts are not remembered then.
    init?(path: String) {
        guard let page = try? MappedPage(path: path) else { return nil }
        self.page = page
    }

    var unfinished: DocumentAttempt? {
        page[0] == 0 ? nil : DocumentAttempt(feed: FeedID(page[0]), isOlderPage: page[1] != 0)
    }

    func begin(_ attempt: DocumentAttempt) {
        page[1] = attempt.isOlderPage ? 1 : 0
        page[0] = attempt.feed.rawValue
    }

    func end() { page[0] = 0 }
}
