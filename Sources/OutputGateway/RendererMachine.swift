internal import PodcastModel

/// State machine of a UPnP renderer: a value without I/O. `UPnPRenderer` gives it events and performs its actions.
///
///     empty ──load──> loading ──answer of Play──> approaching ──position reached──> settled
///       ▲                                           ▲    └──paused, stopped──────────▲  │
///       │                                           └──────────────seek──────────────┼──┤
///       └─────────── stop, another file is played (settled) ─────────────────────────┘──┘
///
/// Calls are made one after another; the next one waits for the answer of the one before.
struct RendererMachine {
    enum Call: Equatable {
        case setFile(RemoteItem)
        /// Plays the file that was set.
        case begin(url: String)
        case order(RemoteOrder)
        case getState, getPosition, getVolume
    }

    enum Answer: Equatable {
        case done
        case state(RemoteReport.State)
        case position(MediaTime?, url: String?)
        case volume(Int)
        case refused(String)
        /// There was no answer in time.
        case missing
    }

    enum Event: Equatable {
        case load(RemoteItem, from: MediaTime)
        case order(RemoteOrder)
        case answer(Answer)
        /// The renderer has sent an event, which says only that there is something to ask for.
        case notice
        case tick
    }

    enum Action: Equatable {
        case call(Call)
        case subscribe
        case report(RemoteReport)
    }

    private enum State: Equatable {
        /// No file of ours.
        case empty
        /// The renderer has not answered yet that it plays the file: until then other answers may concern the previous one.
        case loading(url: String, Target)
        /// Until the file plays from the target.
        case approaching(url: String, Target, isPlaying: Bool)
        case settled(url: String, isPlaying: Bool)
    }

    /// Where a file starts, or a seek leads.
    private struct Target: Equatable {
        var position: MediaTime
        let limit: Instant
        /// Renderers that have no bytes yet ignore or refuse a seek, so it is repeated until the position shows that it had an effect.
        var seeksLeft = 8

        init(_ position: MediaTime, at now: Instant) {
            self.position = position
            limit = now + RendererMachine.startTime
        }
    }

    private static let (pollTime, startPollTime) = (Duration.seconds(1), Duration.milliseconds(400))
    /// How long a renderer may take until it plays.
    private static let startTime = Duration.seconds(20)
    private static let mostMissing = 4
    private static let subscriptionTime = Duration.seconds(150)

    private var state = State.empty
    private var current: Call?
    private var waiting: [Call] = []
    /// Answers in a row that did not come.
    private var missing = 0
    private var nextPoll: Instant
    private var nextSubscription: Instant
    private var actions: [Action] = []

    init(at now: Instant) {
        nextPoll = now
        nextSubscription = now
    }

    /// Whether orders have not taken effect yet.
    var isBusy: Bool { current != nil || !waiting.isEmpty }

    /// When a tick is needed at the latest. Without a file the renderer is asked for its volume once, and when its events say so.
    var deadline: Instant { min(nextSubscription, isBusy ? .distantFuture : nextPoll) }

    mutating func handle(_ event: Event, at now: Instant) -> [Action] {
        switch event {
        case .load(let item, let position):
            state = .loading(url: item.url, Target(position, at: now))
            waiting += [.setFile(item), .begin(url: item.url)]
        case .order(let order): obey(order, at: now)
        case .answer(let answer): receive(answer, at: now)
        case .notice: nextPoll = now
        case .tick: tick(at: now)
        }
        if current == nil, !waiting.isEmpty {
            let call = waiting.removeFirst()
            current = call
            actions.append(.call(call))
        }
        return exchange(&actions, with: [])
    }

    // MARK: orders

    private mutating func obey(_ order: RemoteOrder, at now: Instant) {
        switch order {
        case .play, .setVolume: break
        case .pause: if case .settled(let url, _) = state { state = .settled(url: url, isPlaying: false) }
        case .seek(let position): guard seek(to: position, at: now) else { return }
        case .stop:
            // The file of another control point plays on.
            guard state != .empty else { return }
            state = .empty
            waiting = []
        }
        waiting.append(.order(order))
    }

    /// - Returns: false if the seek is made later, or never.
    private mutating func seek(to position: MediaTime, at now: Instant) -> Bool {
        switch state {
        case .empty: break
        case .loading(let url, var target):
            target.position = position
            state = .loading(url: url, target)
        case .approaching(let url, var target, let isPlaying):
            target.position = position
            state = .approaching(url: url, target, isPlaying: isPlaying)
        case .settled(let url, let isPlaying):
            if isPlaying { state = .approaching(url: url, Target(position, at: now), isPlaying: true) }
            return true
        }
        return false
    }

    // MARK: answers

    private mutating func receive(_ answer: Answer, at now: Instant) {
        guard let call = current.take() else { return }
        missing = answer == .missing ? missing + 1 : 0
        if missing == Self.mostMissing { report(.lost) }
        switch call {
        case .setFile(let item): begin(item.url, answer, isPlayed: false)
        case .begin(let url):
            nextPoll = now
            begin(url, answer, isPlayed: true)
        case .order(.play), .order(.pause), .order(.stop): nextPoll = now
        case .order(.seek): nextPoll = min(nextPoll, now + Self.startPollTime)
        case .order(.setVolume): break
        case .getState: if case .state(let found) = answer { follow(found) }
        case .getPosition: if case .position(let position, let url) = answer { follow(position, of: url, at: now) }
        case .getVolume: if case .volume(let percent) = answer { report(.volume(min(max(percent, 0), 100))) }
        }
    }

    /// Without `SetAVTransportURI` and `Play` the file is not played.
    private mutating func begin(_ url: String, _ answer: Answer, isPlayed: Bool) {
        guard case .loading(url, let target) = state else { return }
        switch answer {
        case .refused(let reason): fail(url, reason)
        case .done, .state, .position, .volume, .missing:
            if isPlayed { state = .approaching(url: url, target, isPlaying: false) }
        }
    }

    private mutating func fail(_ url: String, _ reason: String?) {
        state = .settled(url: url, isPlaying: false)
        waiting = []
        report(.failed("it does not play the file" + (reason.map { ": \($0)" } ?? "")))
    }

    private mutating func follow(_ found: RemoteReport.State) {
        switch (state, found) {
        case (.empty, _), (.loading, _): break
        case (.approaching(let url, let target, _), .playing):
            state = .approaching(url: url, target, isPlaying: true)
        case (.approaching(let url, let target, _), .loading):
            state = .approaching(url: url, target, isPlaying: false)
            report(.state(.loading))
        case (.approaching(let url, _, isPlaying: true), .paused),
            (.approaching(let url, _, isPlaying: true), .stopped):
            // Before it was where it should be.
            state = .settled(url: url, isPlaying: false)
            report(.state(found))
        case (.approaching(_, _, isPlaying: false), .paused): report(.state(.paused))
        case (.approaching(_, _, isPlaying: false), .stopped): report(.state(.loading))
        case (.settled(let url, _), _):
            state = .settled(url: url, isPlaying: found == .playing)
            report(.state(found))
        }
    }

    private mutating func follow(_ position: MediaTime?, of file: String?, at now: Instant) {
        switch state {
        case .empty, .loading, .approaching(_, _, isPlaying: false): break
        case .approaching(let url, var target, isPlaying: true):
            guard target.seeksLeft > 0, target.position - MediaTime(seconds: 2) > position ?? .zero else {
                state = .settled(url: url, isPlaying: true)
                return report(.state(.playing))
            }
            // A renderer without positions gets one seek.
            target.seeksLeft = position == nil ? 0 : target.seeksLeft - 1
            state = .approaching(url: url, target, isPlaying: true)
            waiting.append(.order(.seek(target.position)))
        case .settled(let url, _):
            // Another control point plays something else.
            if let file, file.hasPrefix("http"), file != url {
                state = .empty
                report(.state(.stopped))
            } else if let position {
                report(.position(position))
            }
        }
    }

    private mutating func report(_ report: RemoteReport) { actions.append(.report(report)) }

    // MARK: time

    private mutating func tick(at now: Instant) {
        if nextSubscription <= now {
            nextSubscription = now + Self.subscriptionTime
            actions.append(.subscribe)
        }
        switch state {
        case .loading(let url, let target), .approaching(let url, let target, _):
            if target.limit < now { fail(url, nil) }
        case .empty, .settled: break
        }
        guard !isBusy, deadline <= now else { return }
        nextPoll = state == .empty ? .distantFuture : now + Self.pollTime
        waiting.append(.getVolume)
        if state != .empty { waiting += [.getState, .getPosition] }
    }
}
