import MediaPorts
import Playback
import PodcastModel
import Reporting
import Synchronization

/// Lets tasks wait until a value matches. When the time limit of a test has cancelled it, its waits end, so that a wrong
/// expectation does not stop the whole run.
final class Watch<Value>: Sendable {
    private struct State {
        var waiters: [(matches: @Sendable (Value) -> Bool, resume: CheckedContinuation<Void, Never>)] = []
        var isCancelled = false
    }
    private let state = Mutex(State())

    /// Resumes the tasks that wait for this value.
    func see(_ value: Value) { resume { $0(value) } }

    /// - Parameter current: the value now.
    func wait(_ current: () -> Value, until matches: @escaping @Sendable (Value) -> Bool) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.waiters.append((matches, continuation)) }
                see(current())
            }
        } onCancel: {
            state.withLock { $0.isCancelled = true }
            resume { _ in true }
        }
    }

    private func resume(_ isMet: ((Value) -> Bool) -> Bool) {
        let ready = state.withLock { state in
            let all = state.waiters
            let isCancelled = state.isCancelled
            state.waiters = all.filter { !isCancelled && !isMet($0.matches) }
            return all.filter { isCancelled || isMet($0.matches) }
        }
        for waiter in ready { waiter.resume.resume() }
    }
}

/// What the fakes were asked, in order; tests wait for a line to appear.
final class Journal: Sendable {
    private let state = Mutex<[String]>([])
    private let watch = Watch<[String]>()

    var lines: [String] { state.withLock { $0 } }

    func add(_ line: String) {
        let lines = state.withLock { lines in
            lines.append(line)
            return lines
        }
        watch.see(lines)
    }

    /// Returns once the line was added `count` times.
    func reaches(_ line: String, count: Int = 1) async {
        await watch.wait({ lines }) { lines in lines.count { $0 == line } >= count }
    }

    func forget() { state.withLock { $0 = [] } }
}

final class FakeSource: ByteSource {
    let url: String
    let journal: Journal
    private let state = Mutex<(snapshot: ByteSourceSnapshot, handlers: [@Sendable (ByteSourceSnapshot) -> Void])>(
        (ByteSourceSnapshot(), []))

    init(_ url: String, _ journal: Journal) {
        self.url = url
        self.journal = journal
    }

    var descriptor: Int32 { -1 }
    var snapshot: ByteSourceSnapshot { state.withLock { $0.snapshot } }
    func want(from offset: Int64) { journal.add("want \(url) \(offset)") }
    func observe(_ handler: @escaping @Sendable (ByteSourceSnapshot) -> Void) {
        state.withLock { $0.handlers.append(handler) }
    }
    func suspend() { journal.add("suspend \(url)") }
    func close() {
        state.withLock { $0.handlers = [] }
        journal.add("close \(url)")
    }

    func tell(_ phase: ByteSourcePhase, rate: Double = 0) {
        let (snapshot, handlers) = state.withLock { state in
            state.snapshot.phase = phase
            state.snapshot.rate = rate
            return (state.snapshot, state.handlers)
        }
        for handler in handlers { handler(snapshot) }
    }
}

final class FakeOpener: MediaOpening {
    let journal: Journal
    private let sources = Mutex<[FakeSource]>([])
    let refusal = Mutex<MediaFailure?>(nil)
    /// Opening waits for it.
    let gate = Gate()
    init(_ journal: Journal) { self.journal = journal }
    var last: FakeSource { sources.withLock { $0[$0.count - 1] } }
    func open(_ url: String) async throws(MediaFailure) -> any ByteSource {
        journal.add("open \(url)")
        await gate.pass()
        if let failure = refusal.withLock({ $0 }) { throw failure }
        let source = FakeSource(url, journal)
        sources.withLock { $0.append(source) }
        return source
    }
}

final class FakePCM: PCMSource {
    let seconds = Mutex(0.0)
    func nextChunk() -> PCMChunk? { nil }
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int { 0 }
    var readinessDescriptor: Int32 { -1 }
    func prepareToWait() -> Bool { true }
    var bufferedSeconds: Double { seconds.withLock { $0 } }
    var isFilled: Bool { false }
}

final class FakeSession: DecoderSession {
    let journal: Journal
    let frames = FakePCM()
    let tell: @Sendable (DecoderEvent) -> Void
    init(_ journal: Journal, _ tell: @escaping @Sendable (DecoderEvent) -> Void) {
        self.journal = journal
        self.tell = tell
    }
    var pcm: any PCMSource { frames }
    func seek(to time: MediaTime, generation: UInt32, _ parameters: PlaybackParameters) {
        journal.add("decoder seek \(time) #\(generation)")
    }
    func stop() { journal.add("decoder stop") }
}

final class FakeDecoders: DecoderStarting {
    let journal: Journal
    private let sessions = Mutex<[FakeSession]>([])
    let refusal = Mutex<MediaFailure?>(nil)
    init(_ journal: Journal) { self.journal = journal }
    var last: FakeSession { sessions.withLock { $0[$0.count - 1] } }
    func start(
        _ source: any ByteSource, at time: MediaTime, generation: UInt32, _ parameters: PlaybackParameters,
        events: @escaping @Sendable (DecoderEvent) -> Void
    ) throws(MediaFailure) -> any DecoderSession {
        // The last step, because a test that reads the line then takes `last`.
        defer { journal.add("decoder start \(time) #\(generation)") }
        if let failure = refusal.withLock({ $0 }) { throw failure }
        // As a real session does; the player must not need the source's only place for an observer.
        source.observe { _ in }
        let session = FakeSession(journal, events)
        sessions.withLock { $0.append(session) }
        return session
    }
}

final class FakeRenderer: AudioRendering {
    let journal: Journal
    private let handler = Mutex<(@Sendable (RendererEvent) -> Void)?>(nil)
    let head = Mutex(Playhead(generation: 0, position: .zero, instant: Instant(nanoseconds: 0), speed: 0))
    init(_ journal: Journal) { self.journal = journal }
    func play(_ source: any PCMSource, generation: UInt32, prebuffer: Duration, rebuffer: Duration) {
        journal.add("render #\(generation) \(prebuffer / .seconds(1))/\(rebuffer / .seconds(1))")
    }
    func continueWithGeneration(_ generation: UInt32) { switchGeneration(generation) }
    func switchGeneration(_ generation: UInt32) { journal.add("render switch #\(generation)") }
    func setPaused(_ paused: Bool) { journal.add(paused ? "hold" : "go on") }
    func stop() { journal.add("silence") }
    func setGain(_ gain: Float) { journal.add("gain \(gain)") }
    var playhead: Playhead { head.withLock { $0 } }
    func observe(_ handler: (@Sendable (RendererEvent) -> Void)?) { self.handler.withLock { $0 = handler } }
    func tell(_ event: RendererEvent) { handler.withLock { $0 }?(event) }
    func hear(
        _ position: MediaTime, generation: UInt32, at instant: Instant = Instant(nanoseconds: 0), speed: Double = 1
    ) {
        head.withLock { $0 = Playhead(generation: generation, position: position, instant: instant, speed: speed) }
    }
}

/// A library and a queue of `first` and `second`.
final class FakeLibrary: PlaybackStore, PlayQueue {
    struct Fault: Error, CustomStringConvertible {
        var description: String { "disk full" }
    }
    let journal: Journal
    let entries = Mutex([first, second])
    let isBroken = Mutex(false)
    /// What the player wants recorded.
    let followed = Mutex<SoundingEpisode?>(nil)
    /// While closed, saving does not come to its end.
    let gate = Gate()
    /// While closed, no episode's media is found.
    let lookUps = Gate()
    /// Volumes of the feeds, by episode.
    let volumes = Mutex<[EpisodeID: Int]>([:])
    init(_ journal: Journal) { self.journal = journal }

    func media(of episode: EpisodeID) async throws -> PlaybackMedia {
        journal.add("media \(episode)")
        await lookUps.pass()
        var media: PlaybackMedia
        switch episode {
        case first.episode: media = firstMedia
        case second.episode: media = secondMedia
        default: throw MediaFailure(.notFound, "no such episode")
        }
        media.volume = volumes.withLock { $0[episode] }
        return media
    }
    func savePosition(_ position: MediaTime, of episode: EpisodeID, isHeard: Bool) async throws {
        journal.add("saving \(episode) \(position)")
        await gate.pass()
        if isBroken.withLock({ $0 }) { throw Fault() }
        journal.add("saved \(episode) \(position)")
    }
    func follow(_ sounding: SoundingEpisode?, every interval: Duration) {
        followed.withLock { $0 = sounding }
        journal.add(sounding.map { "follow \($0.episode) every \(interval.inSeconds)" } ?? "follow nothing")
    }
    func finish(_ entry: QueueEntry, heard: MediaTime?) async throws {
        journal.add("played \(entry.episode)" + (heard.map { " after \($0)" } ?? ""))
    }
    func discard(_ entry: QueueEntry, isWithdrawn: Bool) async throws { journal.add("discarded \(entry.episode)") }
    func forgetMeasurements(of episode: EpisodeID) async throws { journal.add("forgot measurements of \(episode)") }
    func setMeasuredDuration(_ duration: MediaTime, of episode: EpisodeID) async throws {
        journal.add("measured \(episode) \(duration)")
    }
    func currentEntry() async throws -> QueueEntry? { entries.withLock { $0.first } }
    func entry(after entry: EntryID?) async throws -> QueueEntry? { neighbour(of: entry, 1) }
    func entry(before entry: EntryID?) async throws -> QueueEntry? { neighbour(of: entry, -1) }
    func setCurrentEntry(_ entry: QueueEntry) async throws { journal.add("current \(entry.id)") }

    private func neighbour(of entry: EntryID?, _ step: Int) -> QueueEntry? {
        entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.id == entry }) else { return entries.first }
            return entries.indices.contains(index + step) ? entries[index + step] : nil
        }
    }
}

/// Lets through or holds back.
final class Gate: Sendable {
    private let state = Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((true, []))
    func close() { state.withLock { $0.isOpen = false } }
    func open() {
        let waiting = state.withLock { state in
            defer { state = (true, []) }
            return state.waiting
        }
        for one in waiting { one.resume() }
    }
    func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }
}

/// A clock that a test moves.
final class FakeClock: TimerClock {
    struct Timer: ScheduledTimer {
        let id: UInt64
        let clock: FakeClock
        func cancel() { clock.cancel(id) }
    }
    private struct State {
        var now = Instant(nanoseconds: 0)
        var nextID: UInt64 = 1
        var due: [(id: UInt64, time: Instant, action: @Sendable () -> Void)] = []
    }
    private let state = Mutex(State())
    var now: Instant { state.withLock { $0.now } }
    /// Timers that run.
    var pending: Int { state.withLock { $0.due.count } }

    func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any ScheduledTimer {
        let id = state.withLock { state in
            defer { state.nextID += 1 }
            state.due.append((state.nextID, state.now + delay, action))
            return state.nextID
        }
        return Timer(id: id, clock: self)
    }

    fileprivate func cancel(_ id: UInt64) { state.withLock { state in state.due.removeAll { $0.id == id } } }

    func advance(by seconds: Double) {
        let due = state.withLock { state in
            state.now = state.now + .seconds(seconds)
            let now = state.now
            let due = state.due.filter { $0.time <= now }
            state.due.removeAll { $0.time <= now }
            return due
        }
        for timer in due { timer.action() }
    }
}

/// A player among fakes.
final class Stage: Sendable {
    let journal = Journal()
    let opener: FakeOpener
    let decoders: FakeDecoders
    let renderer: FakeRenderer
    let library: FakeLibrary
    let clock = FakeClock()
    let activities = ActivityBoard { Timestamp(seconds: 0) }
    let player: Player
    private let watch = Watch<PlayerStatus>()

    init(settings: PlaybackSettings = PlaybackSettings()) {
        opener = FakeOpener(journal)
        decoders = FakeDecoders(journal)
        renderer = FakeRenderer(journal)
        library = FakeLibrary(journal)
        player = Player(
            opener: opener, decoders: decoders, renderer: renderer, store: library, queue: library,
            activities: activities, clock: clock, settings: settings)
        player.observe { [weak self] in if let self { watch.see(player.status) } }
    }

    /// Returns once the player's status is as wanted.
    func shows(_ matches: @escaping @Sendable (PlayerStatus) -> Bool) async {
        await watch.wait({ player.status }, until: matches)
    }

    func shows(_ kind: PlayerState) async { await shows { $0.state == kind } }

    /// Plays `first` until it sounds at 1:40.
    func playFirst() async throws {
        try await player.play(first)
        for line in ["current 1", "render #1 0.2/3.0"] { await journal.reaches(line) }
        decoders.last.tell(.opened(mp3))
        renderer.hear(seconds(100), generation: 1, at: clock.now)
        renderer.tell(.started(generation: 1))
        await shows(.playing)
    }
    /// Plays `first`, of which everything is decoded, until what is prepared thereafter has come so far.
    func playFirst(decodedUntil line: String) async throws {
        try await playFirst()
        decoders.last.tell(.reachedEnd(generation: 1, duration: seconds(3590)))
        await journal.reaches(line)
    }
}
