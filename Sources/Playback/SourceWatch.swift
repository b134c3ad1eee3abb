internal import MediaPorts
internal import Synchronization

/// Passes on what the player needs to know of a source: not each time that bytes arrive.
final class SourceWatch: Sendable {
    private struct News: Equatable {
        var phase = ByteSourcePhase.idle
        /// Set once the server states no length and sends the file only from its beginning: whether it says that it sends a
        /// live stream.
        var isLive: Bool?
    }

    private let last = Mutex(News())
    private let report: @Sendable (ByteSourcePhase, _ isLive: Bool?) -> Void

    init(_ report: @escaping @Sendable (ByteSourcePhase, _ isLive: Bool?) -> Void) { self.report = report }

    func look(at snapshot: ByteSourceSnapshot) {
        var news = News(phase: snapshot.phase)
        if snapshot.isLive {
            news.isLive = true
        } else if snapshot.phase == .receiving, snapshot.length == nil, !snapshot.isSeekable {
            news.isLive = false
        }
        if last.withLock({ exchange(&$0, with: news) }) != news { report(news.phase, news.isLive) }
    }
}
