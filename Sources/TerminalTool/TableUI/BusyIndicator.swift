internal import PodcastModel

/// When a line such as "Buffering audio 40 %" is shown: not for work that takes a moment, and long enough not to flicker.
struct BusyIndicator: Equatable {
    enum State: Equatable {
        case idle
        /// Work has been in progress since this time, which is too short for the line.
        case waiting(since: Instant)
        /// The line has been shown since this time.
        case showing(since: Instant)
        /// The work has ended; the line stays visible until this time, so that a person can read it.
        case lingering(until: Instant)
    }

    /// Shorter work is not shown.
    static let delay = Duration.milliseconds(150)
    /// The line stays at least this long.
    static let shortest = Duration.milliseconds(500)

    private(set) var state = State.idle

    var isShown: Bool {
        switch state {
        case .idle, .waiting: false
        case .showing, .lingering: true
        }
    }

    /// When `advance` must be called next; nil for never.
    var deadline: Instant? {
        switch state {
        case .idle, .showing: nil
        case .waiting(let since): since + Self.delay
        case .lingering(let until): until
        }
    }

    /// Updates the state. Returns whether the line appeared or disappeared.
    @discardableResult
    mutating func advance(isBusy: Bool, now: Instant) -> Bool {
        let wasShown = isShown
        switch (state, isBusy) {
        case (.idle, true): state = .waiting(since: now)
        case (.idle, false), (.showing, true): break
        case (.waiting, false): state = .idle
        case (.waiting(let since), true): if now - since >= Self.delay { state = .showing(since: now) }
        case (.showing(let since), false):
            let end = since + Self.shortest
            state = now >= end ? .idle : .lingering(until: end)
        case (.lingering(let until), true): state = .showing(since: until + (.zero - Self.shortest))
        case (.lingering(let until), false): if now >= until { state = .idle }
        }
        return isShown != wasShown
    }
}
