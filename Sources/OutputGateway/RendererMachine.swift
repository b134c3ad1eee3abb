internal import PodcastModel

/// State machine of a UPnP renderer: a value without I/O. `UPnPRenderer` gives it events and performs its actions.
///
///     empty ──load──> loading ──answer of Play──> approaching ──position reached──> settled
///       ▲                ▲                          ▲    └──paused, stopped──────────▲  │ ▲
///       │                │                          └──────────────seek──────────────┼──┤ │
///       │                └── the position stands still: stop, set the file again ────┼──┤ └─── the file is still set
///       └─────────── stop, another file is played ───────────────────────────────────┘──┴──> stopped
///
/// Calls are made one after another; the next one waits for the answer of the previous one.
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
        case answer(Answer, to: Call)
        /// The call without an answer is given up, so that the next one is made.
        case overdue
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
        case loading(RemoteItem, Target)
        /// Until the file plays from the target.
        case approaching(RemoteItem, Target, isPlaying: Bool)
        /// - Parameter progress: nil while the file does not play.
        case settled(RemoteItem, progress: Progress?)
        /// Until the renderer has answered whether the file is still set.
        case stopped(RemoteItem)
    }

    /// The position that was reported last, and since when it is the same.
    private struct Progress: Equatable {
        var position: MediaTime?
        var since: Instant
        /// Whether another one was reported before.
        var moves = false

        func stands(at now: Instant) -> Bool { now - since > RendererMachine.standstill }

        func following(_ new: MediaTime?, at now: Instant) -> Progress {
            new == position ? self : Progress(position: new, since: now, moves: position != nil)
        }
    }

    /// Where a file starts, or a seek leads.
    private struct Target: Equatable {
        var position: MediaTime
        let limit: Instant
        /// Renderers that have no bytes yet ignore or refuse a seek, so it is repeated until the position shows that it had an effect.
        var seeksLeft = 8
        var progress: Progress?

        init(_ position: MediaTime, at now: Instant) {
            self.position = position
            limit = now + RendererMachine.startTime
        }
    }

    private static let (pollTime, startPollTime) = (Duration.seconds(1), Duration.milliseconds(400))
    /// How long a renderer may take until it plays.
    private static let startTime = Duration.seconds(20)
    private static let mostMissing = 4
    /// A position that stands still for longer while the renderer says that it plays is a fault: some renderers say so whatever happens
    /// to their decoder.
    private static let standstill = Duration.seconds(8)
    /// Restarts without a movement of the position.
    private static let mostRestarts = 2
    private static let subscriptionTime = Duration.seconds(150)

    private var state = State.empty
    /// The time of the last event.
    private var now: Instant
    private var current: Call?
    private var waiting: [Call] = []
    /// Answers in a row that did not come.
    private var missing = 0
    private var restartsLeft = mostRestarts
    /// Whether the renderer has ever reported another position than the previous one; some always report zero.
    private var reportsMovement = false
    private var nextPoll: Instant
    private var nextSubscription: Instant
    private var actions: [Action] = []

    init(at now: Instant) {
        self.now = now
        nextPoll = now
        nextSubscription = now
    }

    /// Whether orders have not taken effect yet.
    var isBusy: Bool { current != nil || !waiting.isEmpty }

    /// When a tick is needed at the latest. Without a file the renderer is asked for its volume once, and when its events say so.
    var deadline: Instant { min(nextSubscription, isBusy ? .distantFuture : nextPoll) }

    mutating func handle(_ event: Event, at now: Instant) -> [Action] {
        self.now = now
        switch event {
        case .load(let item, let position): load(item, from: position)
        case .order(let order): obey(order)
        case .answer(let answer, let call): receive(answer, to: call)
        case .overdue: current = nil
        case .notice: nextPoll = now
        case .tick: tick()
        }
        if current == nil, !waiting.isEmpty {
            let call = waiting.removeFirst()
            current = call
            actions.append(.call(call))
        }
        return exchange(&actions, with: [])
    }

    // MARK: orders

    private mutating func load(_ item: RemoteItem, from position: MediaTime) {
        waiting.removeAll(where: \.concernsFile)
        // Renderers that are given another file while they start or seek may keep the previous one, or hang.
        if state != .empty { waiting.append(.order(.stop)) }
        waiting += [.setFile(item), .begin(url: item.url)]
        state = .loading(item, Target(position, at: now))
    }

    private mutating func obey(_ order: RemoteOrder) {
        switch order {
        case .play, .setVolume: break
        case .pause: if case .settled(let item, _) = state { state = .settled(item, progress: nil) }
        case .seek(let position): guard seek(to: position) else { return }
        case .stop:
            // The file of another control point plays on.
            guard state != .empty else { return }
            state = .empty
            waiting = []
        }
        waiting.append(.order(order))
    }

    /// - Returns: false if the seek is made later, or never.
    private mutating func seek(to position: MediaTime) -> Bool {
        switch state {
        case .empty: break
        case .loading(let item, var target):
            target.position = position
            state = .loading(item, target)
        case .approaching(let item, var target, let isPlaying):
            target.position = position
            state = .approaching(item, target, isPlaying: isPlaying)
        case .settled(let item, let progress):
            if progress != nil { state = .approaching(item, Target(position, at: now), isPlaying: true) }
            return true
        case .stopped: return true
        }
        return false
    }

    // MARK: answers

    private mutating func receive(_ answer: Answer, to call: Call) {
        guard call == current else { return }
        current = nil
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
        case .getPosition:
            switch answer {
            case .position(let position, let url): follow(position, of: url)
            case .refused: follow(nil, of: nil)
            case .done, .state, .volume, .missing: break
            }
        case .getVolume:
            // While a new volume waits to be sent, the answer is the former volume.
            if case .volume(let percent) = answer, !waiting.contains(where: \.setsVolume) {
                report(.volume(min(max(percent, 0), 100)))
            }
        }
    }

    /// Without `SetAVTransportURI` and `Play` the file is not played.
    private mutating func begin(_ url: String, _ answer: Answer, isPlayed: Bool) {
        guard case .loading(let item, let target) = state, item.url == url else { return }
        switch answer {
        case .refused(let reason): fail(item, reason)
        case .done, .state, .position, .volume, .missing:
            if isPlayed { state = .approaching(item, target, isPlaying: false) }
        }
    }

    private mutating func fail(_ item: RemoteItem, _ reason: String?) {
        state = .settled(item, progress: nil)
        waiting = []
        report(.failed("it does not play the file" + (reason.map { ": \($0)" } ?? "")))
    }

    private mutating func follow(_ found: RemoteReport.State) {
        switch (state, found) {
        case (.empty, _), (.loading, _): break
        case (.approaching(let item, let target, _), .playing):
            state = .approaching(item, target, isPlaying: true)
        case (.approaching(let item, let target, _), .loading):
            state = .approaching(item, target, isPlaying: false)
            report(.state(.loading))
        case (.approaching(_, _, isPlaying: false), .paused): report(.state(.paused))
        case (.approaching(_, _, isPlaying: false), .stopped): report(.state(.loading))
        // It was not yet at its target.
        case (.approaching(let item, _, isPlaying: true), .stopped), (.settled(let item, _), .stopped),
            (.stopped(let item), .stopped):
            state = .stopped(item)
        case (.approaching(let item, _, isPlaying: true), .paused), (.settled(let item, _), .paused),
            (.settled(let item, _), .loading), (.stopped(let item), .paused), (.stopped(let item), .loading):
            state = .settled(item, progress: nil)
            report(.state(found))
        case (.settled(let item, let progress), .playing):
            state = .settled(item, progress: progress ?? Progress(since: now))
            report(.state(.playing))
        case (.stopped(let item), .playing):
            state = .settled(item, progress: Progress(since: now))
            report(.state(.playing))
        }
    }

    private mutating func follow(_ position: MediaTime?, of file: String?) {
        switch state {
        case .empty, .loading, .approaching(_, _, isPlaying: false): break
        case .approaching(let item, var target, isPlaying: true):
            let progress = target.progress?.following(position, at: now) ?? Progress(position: position, since: now)
            let isThere = target.position - MediaTime(seconds: 2) <= position ?? .zero
            let isIdle = position != nil && !progress.moves && restartsLeft > 0
            if isThere || target.seeksLeft == 0 && !isIdle {
                state = .settled(item, progress: Progress(position: position, since: now))
                return report(.state(.playing))
            }
            let seeks = target.seeksLeft > 0
            // A renderer without positions gets one seek.
            target.seeksLeft = position == nil ? 0 : max(0, target.seeksLeft - 1)
            target.progress = progress
            state = .approaching(item, target, isPlaying: true)
            if seeks {
                waiting.append(.order(.seek(target.position)))
            } else if progress.stands(at: now) {
                restart(item, from: target.position)
            }
        case .settled(let item, let progress):
            // Another control point plays something else.
            if let file, file.hasPrefix("http"), file != item.url {
                state = .empty
                report(.state(.stopped))
            } else if let position {
                if let progress { move(item, progress, to: position) }
                report(.position(position))
            }
        case .stopped(let item):
            state = .settled(item, progress: nil)
            guard file == "" else { return report(.state(.stopped)) }
            report(.cleared)
            // The user has not set the volume that a renderer has after its restart.
            waiting.removeAll { $0 == .getVolume }
        }
    }

    /// Starts the file again if the renderer says that it plays, and its position stands still.
    private mutating func move(_ item: RemoteItem, _ before: Progress, to position: MediaTime) {
        let progress = before.following(position, at: now)
        state = .settled(item, progress: progress)
        if progress != before, progress.moves {
            restartsLeft = Self.mostRestarts
            reportsMovement = true
        }
        guard progress.stands(at: now) else { return }
        if restartsLeft > 0 {
            restart(item, from: position)
        } else if reportsMovement {
            fail(item, "its position stands still")
        }
    }

    private mutating func restart(_ item: RemoteItem, from position: MediaTime) {
        restartsLeft -= 1
        report(.stalled)
        load(item, from: position)
    }

    private mutating func report(_ report: RemoteReport) { actions.append(.report(report)) }

    // MARK: time

    private mutating func tick() {
        if nextSubscription <= now {
            nextSubscription = now + Self.subscriptionTime
            actions.append(.subscribe)
        }
        switch state {
        case .loading(let item, let target), .approaching(let item, let target, _):
            if target.limit < now { fail(item, nil) }
        case .empty, .settled, .stopped: break
        }
        guard !isBusy, deadline <= now else { return }
        nextPoll = state == .empty ? .distantFuture : now + Self.pollTime
        if state != .empty { waiting += [.getState, .getPosition] }
        waiting.append(.getVolume)
    }
}

extension RendererMachine.Call {
    fileprivate var setsVolume: Bool { if case .order(.setVolume) = self { true } else { false } }

    /// Whether the call makes no sense once another file is loaded.
    fileprivate var concernsFile: Bool {
        switch self {
        case .order(.setVolume), .getVolume: false
        case .setFile, .begin, .order(.play), .order(.pause), .order(.stop), .order(.seek), .getState, .getPosition:
            true
        }
    }
}
