internal import DecoderProtocol
internal import MediaPorts
internal import PodcastModel
internal import SystemCalls

/// State machine of a session: decides what to do about its decoder process. Actions are performed in order.
struct Supervision {
    enum Input: Equatable {
        case started
        case startFailed(String)
        case message(DecoderMessage)
        /// The decoder has work: the reader woke it or found nothing to read. `inputOffset`: its place in the source, if valid.
        case workBegan(inputOffset: Int64?)
        case seekRequested(to: MediaTime, generation: UInt32, PlaybackParameters = .neutral)
        case sourceChanged(Source)
        case deadline(Check)
        /// The ring or a message contained impossible values.
        case invalidData(String)
        /// The decoder closed its socket: it is exiting, or no longer accepts messages.
        case hungUp
        /// The process has exited and was reaped. `extent` is nil if its progress is unknown.
        case ended(ProcessEnd, extent: DecodedExtent?)
        case stopRequested
    }

    struct Source: Equatable {
        /// Whether bytes are available where the decoder waits, or the file is known to end there.
        var canProceed: Bool
        var failure: MediaFailure?
    }

    /// State of the decoder at a deadline.
    struct Check: Equatable {
        /// Why the decoder sleeps; nil while it works.
        var waitReason: RingWriter.WaitReason?
        /// Whether too little is decoded for the decoder to sleep because the ring is full.
        var isRingLow = false
        /// Whether the bytes that it waits for are available.
        var hasAwaitedBytes = false
        /// Whether frames were decoded, or bytes of the source read, since the deadline was set.
        var hasDecoded = false
        var hasRead = false
    }

    enum Action: Equatable {
        case emit(DecoderEvent)
        case send(HostMessage)
        /// Ask the source for bytes; `isAwaited` when the decoder sleeps until they come.
        case want(Int64, isAwaited: Bool)
        /// The decoder no longer waits for bytes.
        case stopAwaiting
        /// Check the decoder after this time, unless another deadline is set; nil removes the deadline.
        case setDeadline(Duration?)
        /// The same, but an existing deadline stays: messages from the decoder do not extend the wait.
        case keepDeadline(Duration)
        case kill
        /// Start another process that begins at this time.
        case start(DecoderKind, at: MediaTime, generation: UInt32, PlaybackParameters = .neutral)
        case finish
    }

    private enum Phase {
        case running
        /// The decoder closed its socket; `ended` follows. At the deadline the process is killed.
        case hungUp(isKilled: Bool)
        /// The process was killed; `ended` follows.
        case killed(reason: String)
        /// The process was killed because the file is not for it; `ended` follows.
        case rejected
        /// The process exited after decoding the whole generation, so no process is needed until the next seek.
        case resting(reason: String, reached: MediaTime)
        case over
    }

    private enum Need {
        case nothing, bytes
        /// `lookAgain` was sent, because the bytes are available.
        case announcedBytes
    }

    private let hangLimit: Duration
    private var phase = Phase.running
    /// The running decoder, and those that were not tried yet.
    private var decoders: ArraySlice<DecoderKind>
    private var decoder: DecoderKind
    /// What the file looked like to decoders that rejected it.
    private var appearance: String?
    private var position: MediaTime
    private var generation: UInt32
    private var parameters: PlaybackParameters
    /// The generation whose `positioned` was emitted.
    private var positionedGeneration: UInt32?
    /// The generation whose `reachedEnd` was emitted.
    private var endedGeneration: UInt32?
    private var need = Need.nothing
    /// Successive deadlines without new frames.
    private var fruitlessChecks = 0
    /// Requests for bytes since the last new frames.
    private var requests = 0
    /// Whether the current process has sent a message.
    private var hasAnswered = false
    /// Where the current process was started after a fault.
    private var restartedAt: MediaTime?

    /// - Parameter decoders: at least one, in the order in which they are tried; the first one runs.
    init(
        _ decoders: [DecoderKind], at time: MediaTime, generation: UInt32,
        _ parameters: PlaybackParameters = .neutral, hangLimit: Duration
    ) {
        decoder = decoders[0]
        self.decoders = decoders.dropFirst()
        position = time
        self.generation = generation
        self.parameters = parameters
        self.hangLimit = hangLimit
    }

    /// Starts the decoder at the present position; the first action of a session.
    var start: Action { .start(decoder, at: position, generation: generation, parameters) }

    mutating func handle(_ input: Input) -> [Action] {
        switch (phase, input) {
        case (.over, _): return []
        case (.running, _): return handleRunning(input)
        case (_, .seekRequested(let time, let generation, let parameters)):
            begin(at: time, generation: generation, parameters)
            guard case .resting(let reason, _) = phase else { return [] }
            return restart(reason, at: position)
        case (.hungUp, .stopRequested): return [.kill] + finish()
        case (_, .stopRequested): return finish()
        case (.killed(let reason), .ended(_, let extent)): return replace(reason, extent)
        case (.rejected, .ended):
            phase = .running
            return [start]
        case (.hungUp(let isKilled), .ended(let end, let extent)):
            phase = .running
            return isKilled ? ended("the decoder closed its connection", extent) : exited(end, extent)
        case (.hungUp, .deadline):
            phase = .hungUp(isKilled: true)
            return [.setDeadline(nil), .kill]
        case (.resting(_, let reached), .invalidData(let place)):
            // The ring seemed complete, but is not.
            return replace(Self.invalidData(place), reached: reached)
        case (.killed, _), (.rejected, _), (.hungUp, _), (.resting, _): return []
        }
    }

    private mutating func handleRunning(_ input: Input) -> [Action] {
        switch input {
        case .started:
            hasAnswered = false
            return [.setDeadline(hangLimit * 2)]
        case .startFailed(let reason):
            return fail(MediaFailure(.decoder, "\(decoder.executable) cannot be started: \(reason)"))
        case .message(let message): return handle(message)
        case .workBegan(let offset):
            return (offset.map { [.want($0, isAwaited: false)] } ?? []) + [.setDeadline(hangLimit)]
        case .seekRequested(let time, let generation, let parameters):
            begin(at: time, generation: generation, parameters)
            let seek = HostMessage.seek(to: time, generation: generation, parameters)
            return [.stopAwaiting, .send(seek), .setDeadline(hangLimit)]
        case .sourceChanged(let source): return sourceChanged(source)
        case .deadline(let check): return evaluate(check)
        case .invalidData(let place): return kill(Self.invalidData(place))
        case .hungUp:
            phase = .hungUp(isKilled: false)
            need = .nothing
            return [.setDeadline(Self.exitGrace)]
        case .ended(let end, let extent): return exited(end, extent)
        case .stopRequested: return [.kill] + finish()
        }
    }

    /// A program that exits before its first message lacks a library or cannot enter its sandbox; the file is not the cause.
    private mutating func exited(_ end: ProcessEnd, _ extent: DecodedExtent?) -> [Action] {
        if !hasAnswered, case .exited = end.status {
            return fail(MediaFailure(.decoder, "\(decoder.executable) exited at once (\(end)); reinstall it"))
        }
        return ended("the decoder exited unexpectedly (\(end))", extent)
    }

    private mutating func handle(_ message: DecoderMessage) -> [Action] {
        hasAnswered = true
        switch message {
        case .opened(let info): return [.emit(.opened(info))]
        case .wanting(let generation, let offset):
            // A wait from before the last seek no longer matters: the decoder reports again what it misses there.
            guard generation == self.generation else { return [] }
            requests += 1
            guard requests <= Self.maximumRequests else { return kill(Self.hung) }
            need = .bytes
            return [.emit(.waitingForBytes(offset: offset)), .want(offset, isAwaited: true)]
        case .proceeding(let generation):
            guard generation == self.generation, need != .nothing else { return [] }
            need = .nothing
            return [.stopAwaiting, .emit(.decoding), .keepDeadline(hangLimit)]
        case .positioned(let generation, let time):
            guard generation == self.generation, positionedGeneration != generation else { return [] }
            positionedGeneration = generation
            return [.emit(.positioned(generation: generation, at: time))]
        case .ended(let generation, let duration):
            guard generation == self.generation else { return [] }
            endedGeneration = generation
            return [.emit(.reachedEnd(generation: generation, duration: duration))]
        case .notAudio(let looksLike): return reject(looksLike)
        case .failed(let message): return [.kill] + fail(MediaFailure(.damaged, "cannot decode the file: \(message)"))
        }
    }

    /// The file is not for the running decoder: the next one tries it.
    private mutating func reject(_ looksLike: String?) -> [Action] {
        appearance = looksLike ?? appearance
        guard let next = decoders.popFirst() else {
            return [.kill] + fail(MediaFailure(.notAudio, "cannot play \(appearance ?? "this file")"))
        }
        decoder = next
        phase = .rejected
        need = .nothing
        resetChecks()
        return [.stopAwaiting, .setDeadline(nil), .kill]
    }

    private mutating func begin(at time: MediaTime, generation: UInt32, _ parameters: PlaybackParameters) {
        position = time
        self.parameters = parameters
        self.generation = generation
        need = .nothing
        resetChecks()
        // A fault at another place counts as the first.
        restartedAt = nil
    }

    private mutating func sourceChanged(_ source: Source) -> [Action] {
        guard need != .nothing else { return [] }
        if source.canProceed {
            need = .announcedBytes
            return [.send(.lookAgain), .keepDeadline(hangLimit)]
        }
        if let failure = source.failure { return [.kill] + fail(failure) }
        return []
    }

    /// Only frames prove that a decoder works. Bytes read count for a limited time: before the first frame, and while the decoder
    /// counts MPEG frames up to a place, there is no other progress. Messages prove nothing.
    private mutating func evaluate(_ check: Check) -> [Action] {
        if check.hasDecoded { resetChecks() }
        if mayKeepSleeping(check) { return [.setDeadline(nil)] }
        if check.hasDecoded { return [.setDeadline(hangLimit)] }
        fruitlessChecks += 1
        let isReading = check.hasRead && fruitlessChecks <= Self.maximumFruitlessChecks
        return isReading ? [.setDeadline(hangLimit)] : kill(Self.hung)
    }

    private func mayKeepSleeping(_ check: Check) -> Bool {
        switch (check.waitReason, need) {
        case (nil, _), (.bytes?, .nothing): false
        case (.room?, _): !check.isRingLow
        case (.bytes?, .bytes): true
        case (.bytes?, .announcedBytes): !check.hasAwaitedBytes
        case (.message?, _): endedGeneration == generation
        }
    }

    private mutating func resetChecks() {
        fruitlessChecks = 0
        requests = 0
    }

    private mutating func kill(_ reason: String) -> [Action] {
        phase = .killed(reason: reason)
        return [.setDeadline(nil), .kill]
    }

    private mutating func ended(_ reason: String, _ extent: DecodedExtent?) -> [Action] {
        guard let extent, extent.generation == generation, extent.isComplete else { return replace(reason, extent) }
        phase = .resting(reason: reason, reached: max(extent.lastTime, position))
        need = .nothing
        guard endedGeneration != generation else { return [.setDeadline(nil)] }
        // The decoder exited between the last frame and its `ended` message.
        endedGeneration = generation
        return [.setDeadline(nil), .emit(.reachedEnd(generation: generation, duration: nil))]
    }

    private mutating func replace(_ reason: String, _ extent: DecodedExtent?) -> [Action] {
        guard let extent, extent.generation == generation else {
            // The decoder died before starting the seek, so the target is not suspect.
            return replace(reason, reached: position, next: position)
        }
        return replace(reason, reached: max(extent.lastTime, position))
    }

    private mutating func replace(_ reason: String, reached: MediaTime, next: MediaTime? = nil) -> [Action] {
        let isFarFromLastFault = restartedAt.map { reached - $0 >= Self.faultWindow } ?? true
        guard isFarFromLastFault else {
            return fail(MediaFailure(.damaged, "cannot decode the file: \(reason), twice"))
        }
        return restart(reason, at: next ?? reached + Self.skipAfterFault)
    }

    private mutating func restart(_ reason: String, at next: MediaTime) -> [Action] {
        phase = .running
        position = next
        restartedAt = next
        need = .nothing
        resetChecks()
        return [.emit(.restarted(reason: reason)), start]
    }

    private mutating func fail(_ failure: MediaFailure) -> [Action] { [.emit(.failed(failure))] + finish() }

    private mutating func finish() -> [Action] {
        phase = .over
        return [.setDeadline(nil), .finish]
    }

    private static let hung = "the decoder stopped responding"

    private static func invalidData(_ place: String) -> String { "the decoder sent invalid data (\(place))" }

    /// The socket closes slightly before the process exits. Wait this long for the exit status.
    private static let exitGrace = Duration.milliseconds(100)
    /// Deadlines with bytes read but no frame: a minute, in which a slow machine counts the MPEG frames of a day's recording.
    private static let maximumFruitlessChecks = 30
    /// A decoder gives up after 16 MiB without audio, which are 12,000 packets of a slow network.
    private static let maximumRequests = 20_000
    /// Length of audio that is skipped after a fault.
    private static let skipAfterFault = MediaTime(milliseconds: 1000)
    /// After this much successful decoding the restart counter is reset.
    private static let faultWindow = MediaTime(milliseconds: 60_000)
}
