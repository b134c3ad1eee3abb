internal import MediaPorts
internal import Synchronization

/// Passes on what the player needs to know of a source: not each time that bytes arrive.
final class SourceWatch: Sendable {
    private struct News: Equatable {
        var phase = ByteSourcePhase.idle
        /// Whether the server says that it sends a live stream; nil unless it sends no length and only from the beginning.
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

/// Events of a decoder, which may start before its entry plays: they are held until the entry's session has a number.
final class HeldEvents: Sendable {
    private enum State {
        case holding([DecoderEvent])
        case passing(session: UInt32)
    }

    private let state = Mutex(State.holding([]))
    private let pass: @Sendable (_ session: UInt32, DecoderEvent) -> Void

    init(_ pass: @escaping @Sendable (_ session: UInt32, DecoderEvent) -> Void) { self.pass = pass }

    /// Holds an event, or passes it on. Any thread.
    func add(_ event: DecoderEvent) {
        state.withLock { state in
            switch state {
            case .holding(let events): state = .holding(events + [event])
            case .passing(let session): pass(session, event)
            }
        }
    }

    /// Whether the decoder has given up.
    var hasFailed: Bool {
        state.withLock { state in
            guard case .holding(let events) = state else { return false }
            return events.contains { if case .failed = $0 { true } else { false } }
        }
    }

    /// Passes on what is held, and everything that follows.
    func release(to session: UInt32) {
        state.withLock { state in
            if case .holding(let events) = state { for event in events { pass(session, event) } }
            state = .passing(session: session)
        }
    }
}
