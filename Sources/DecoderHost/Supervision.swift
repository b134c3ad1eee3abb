internal import DecoderProtocol
internal import MediaPorts
internal import PodcastModel

/// What a session does about its decoder process: a value that performs nothing. An input goes in, actions come out, to be
/// carried out in order. Instants are nanoseconds of the monotonic clock.
struct Supervision {
    /// What happened.
    enum Input: Equatable {
        /// The process was started.
        case started
        case startFailed(String)
        case message(DecoderMessage)
        /// The reader woke the decoder, or found nothing to read, so the decoder has work; where it reads in the source, if that
        /// can be.
        case workBegan(inputOffset: Int64?)
        case seekRequested(to: MediaTime, generation: UInt32)
        case sourceChanged(Source)
        /// The deadline came.
        case deadline(Look)
        /// The ring or a message held what cannot be.
        case nonsense(String)
        /// Its end of the socket is closed: it is ending, or cannot be spoken to any more.
        case hungUp
        /// The process has ended and was reaped: how, and how far it got, if that can be known.
        case ended(how: String, extent: DecodedExtent?)
        case stopRequested
    }

    /// What matters of a source to a decoder that waits for it.
    struct Source: Equatable {
        /// Whether bytes are at hand where the decoder waits, or the file is known to end there.
        var canProceed: Bool
        var failure: MediaFailure?
    }

    /// What is seen of a decoder at a deadline.
    struct Look: Equatable {
        /// Why it sleeps; nil while it works.
        var waitReason: RingWriter.WaitReason?
        /// Whether so little is decoded that it must not sleep for want of room.
        var isRingLow = false
        /// Whether the bytes that it waits for are at hand.
        var hasAwaitedBytes = false
        /// Whether frames, or bytes of the source, are done since the deadline was set.
        var hasDecoded = false
        var hasRead = false
    }

    /// What to do.
    enum Action: Equatable {
        case emit(DecoderEvent)
        case send(HostMessage)
        /// Ask the source for bytes; `isAwaited` when the decoder sleeps until they come.
        case want(Int64, isAwaited: Bool)
        /// It does not sleep for bytes any more.
        case stopAwaiting
        /// Look at the decoder again after so many nanoseconds, unless another deadline is set; nil takes it away.
        case setDeadline(Int64?)
        /// The same, but a deadline that is set already stays: what a decoder says is not a reason to wait longer for it.
        case keepDeadline(Int64)
        case kill
        /// Start another process, which begins there.
        case start(at: MediaTime, generation: UInt32)
        /// Nothing more follows.
        case finish
    }

    private enum Phase {
        case running
        /// It closed its socket; the next is `ended`, at the deadline with our help.
        case hungUp(isKilled: Bool)
        /// It was killed because of this; the next is `ended`.
        case killed(reason: String)
        /// It ended by itself after all of this generation was in the ring, so no process is needed before the next seek.
        case resting(reason: String, reached: MediaTime)
        case over
    }

    private let hangLimit: Int64
    private var phase = Phase.running
    private var position: MediaTime
    private var generation: UInt32
    /// The generation whose `positioned` was told.
    private var toldGeneration: UInt32?
    /// The generation whose `reachedEnd` was told.
    private var endedGeneration: UInt32?
    private var awaited: Int64?
    /// Whether it was told that those bytes are at hand.
    private var toldOfBytes = false
    /// Deadlines at which bytes were read and nothing was decoded, and how often bytes were asked for, since frames came.
    private var searchingLooks = 0
    private var requests = 0
    /// Where the process that runs now was started in place of a broken one.
    private var restartedAt: MediaTime?

    /// A session that begins at a time.
    init(at time: MediaTime, generation: UInt32, hangLimit: Int64) {
        position = time
        self.generation = generation
        self.hangLimit = hangLimit
    }

    mutating func handle(_ input: Input) -> [Action] {
        switch phase {
        case .over: return []
        case .killed(let reason):
            switch input {
            case .ended(_, let extent): return replace(reason, extent)
            case .seekRequested(let time, let generation):
                begin(at: time, generation: generation)
                return []
            case .stopRequested: return finish()
            case .started, .startFailed, .message, .workBegan, .sourceChanged, .deadline, .nonsense, .hungUp: return []
            }
        case .hungUp(let isKilled):
            switch input {
            case .ended(let how, let extent):
                phase = .running
                let reason = isKilled ? "the decoder closed its connection" : Self.endedByItself(how)
                return ended(reason, extent)
            case .deadline:
                phase = .hungUp(isKilled: true)
                return [.setDeadline(nil), .kill]
            case .seekRequested(let time, let generation):
                begin(at: time, generation: generation)
                return []
            case .stopRequested: return [.kill] + finish()
            case .started, .startFailed, .message, .workBegan, .sourceChanged, .nonsense, .hungUp: return []
            }
        case .resting(let reason, let reached):
            switch input {
            case .seekRequested(let time, let generation):
                begin(at: time, generation: generation)
                return restart(reason, at: position)
            case .nonsense(let what):
                // What seemed complete is not.
                return replace(Self.nonsense(what), reached: reached)
            case .stopRequested: return finish()
            case .started, .startFailed, .message, .workBegan, .sourceChanged, .deadline, .ended, .hungUp: return []
            }
        case .running:
            switch input {
            case .started: return watch(after: 2 * hangLimit)
            case .startFailed(let reason):
                return fail(MediaFailure(.internal, "the decoder cannot be started: \(reason)"))
            case .message(let message): return handle(message)
            case .workBegan(let offset):
                return (offset.map { [.want($0, isAwaited: false)] } ?? []) + watch(after: hangLimit)
            case .seekRequested(let time, let generation):
                begin(at: time, generation: generation)
                return [.stopAwaiting, .send(.seek(to: time, generation: generation))] + watch(after: hangLimit)
            case .sourceChanged(let source): return sourceChanged(source)
            case .deadline(let look): return judge(look)
            case .nonsense(let what): return kill(Self.nonsense(what))
            case .hungUp:
                phase = .hungUp(isKilled: false)
                awaited = nil
                return watch(after: Self.farewell)
            case .ended(let how, let extent): return ended(Self.endedByItself(how), extent)
            case .stopRequested: return [.kill] + finish()
            }
        }
    }

    private mutating func handle(_ message: DecoderMessage) -> [Action] {
        switch message {
        case .opened(let info):
            return [.emit(.opened(info))]
        case .wanting(let generation, let offset):
            // What it waited for before it took up a seek is of no interest: it says anew what it misses there.
            guard generation == self.generation else { return [] }
            requests += 1
            guard requests <= Self.mostRequests else { return kill(Self.hung) }
            awaited = offset
            toldOfBytes = false
            return [.emit(.waitingForBytes(offset: offset)), .want(offset, isAwaited: true)]
        case .proceeding(let generation):
            guard generation == self.generation, awaited != nil else { return [] }
            awaited = nil
            return [.stopAwaiting, .emit(.decoding), .keepDeadline(hangLimit)]
        case .positioned(let generation, let time):
            guard generation == self.generation, toldGeneration != generation else { return [] }
            toldGeneration = generation
            return [.emit(.positioned(generation: generation, at: time))]
        case .ended(let generation, let duration):
            guard generation == self.generation else { return [] }
            endedGeneration = generation
            return [.emit(.reachedEnd(generation: generation, duration: duration))]
        case .notAudio(let looksLike):
            let hint = looksLike.map { ": it looks like \($0)" } ?? ""
            return [.kill] + fail(MediaFailure(.notAudio, "the file is no MPEG audio\(hint)"))
        case .failed(let words):
            return [.kill] + fail(MediaFailure(.damaged, "the file cannot be decoded: \(words)"))
        }
    }

    private mutating func begin(at time: MediaTime, generation: UInt32) {
        position = time
        self.generation = generation
        awaited = nil
        noteFrames()
        // Somewhere else is another chance.
        restartedAt = nil
    }

    private mutating func sourceChanged(_ source: Source) -> [Action] {
        guard awaited != nil else { return [] }
        if source.canProceed {
            toldOfBytes = true
            return [.send(.lookAgain), .keepDeadline(hangLimit)]
        }
        if let failure = source.failure { return [.kill] + fail(failure) }
        return []
    }

    /// Frames show that a decoder works. Bytes that it says it read do so for a while: before the first frame, and where it
    /// counts MPEG frames up to a place, nothing else is seen of it. Messages show nothing.
    private mutating func judge(_ look: Look) -> [Action] {
        if look.hasDecoded { noteFrames() }
        if sleepsRightly(look) { return [.setDeadline(nil)] }
        if look.hasDecoded { return watch(after: hangLimit) }
        searchingLooks += 1
        return look.hasRead && searchingLooks <= Self.mostSearchingLooks ? watch(after: hangLimit) : kill(Self.hung)
    }

    private func sleepsRightly(_ look: Look) -> Bool {
        switch look.waitReason {
        case nil: false
        case .room: !look.isRingLow
        case .bytes: awaited != nil && !(toldOfBytes && look.hasAwaitedBytes)
        case .message: endedGeneration == generation
        }
    }

    private mutating func noteFrames() {
        searchingLooks = 0
        requests = 0
    }

    private func watch(after delay: Int64) -> [Action] { [.setDeadline(delay)] }

    private mutating func kill(_ reason: String) -> [Action] {
        phase = .killed(reason: reason)
        return [.setDeadline(nil), .kill]
    }

    private mutating func ended(_ reason: String, _ extent: DecodedExtent?) -> [Action] {
        guard let extent, extent.generation == generation, extent.isComplete else { return replace(reason, extent) }
        phase = .resting(reason: reason, reached: max(extent.lastTime, position))
        awaited = nil
        guard endedGeneration != generation else { return [.setDeadline(nil)] }
        // It ended between the last frame and the word about it.
        endedGeneration = generation
        return [.setDeadline(nil), .emit(.reachedEnd(generation: generation, duration: nil))]
    }

    private mutating func replace(_ reason: String, _ extent: DecodedExtent?) -> [Action] {
        guard let extent, extent.generation == generation else {
            // It ended before it took up the last seek: no spot there is bad yet.
            return replace(reason, reached: position, next: position)
        }
        return replace(reason, reached: max(extent.lastTime, position))
    }

    private mutating func replace(_ reason: String, reached: MediaTime, next: MediaTime? = nil) -> [Action] {
        let isFarFromLastFault = restartedAt.map { reached - $0 >= Self.forgiveness } ?? true
        guard isFarFromLastFault else {
            return fail(MediaFailure(.damaged, "the file cannot be decoded: \(reason), twice"))
        }
        return restart(reason, at: next ?? reached + Self.badSpot)
    }

    private mutating func restart(_ reason: String, at next: MediaTime) -> [Action] {
        phase = .running
        position = next
        restartedAt = next
        awaited = nil
        noteFrames()
        return [.emit(.restarted(reason: reason)), .start(at: next, generation: generation)]
    }

    private mutating func fail(_ failure: MediaFailure) -> [Action] {
        [.emit(.failed(failure))] + finish()
    }

    private mutating func finish() -> [Action] {
        phase = .over
        return [.setDeadline(nil), .finish]
    }

    private static let hung = "the decoder hung"

    private static func endedByItself(_ how: String) -> String { "the decoder ended by itself (\(how))" }

    private static func nonsense(_ what: String) -> String { "the decoder sent nonsense (\(what))" }

    /// A process that ends closes its socket a moment before it is gone: so long, in nanoseconds, it has to do so.
    private static let farewell: Int64 = 100_000_000
    /// As many limits as a decoder may read without a frame: a minute, in which a slow machine counts the frames of a day.
    private static let mostSearchingLooks = 30
    /// The 16 MiB without audio after which a decoder gives a file up are 12,000 packets of a slow network.
    private static let mostRequests = 20_000
    /// How much is passed over after a fault.
    private static let badSpot = MediaTime(milliseconds: 1000)
    /// After so much was decoded again a fault is a new one, not the old one again.
    private static let forgiveness = MediaTime(milliseconds: 60_000)
}
