internal import DecoderProtocol
internal import MediaPorts
internal import PodcastModel

/// State machine of a decoder process, without decoder, ring, socket or file; `DecodeService` performs its actions.
///
///          begin            bytes missing
///     idle ─────> decoding ───────────────> starved
///                  │  ▲  ▲      bytes read    │  │
///                  │  │  └────────────────────┘  │ failure
///     last frame,  │  │ seek, from every state   │
///     failure      ▼  │                          │
///                 finished <─────────────────────┘
///
/// A seek before the file is open is delayed until then.
struct DecodeMachine {
    enum Phase: Equatable {
        case idle
        case decoding(Run)
        /// The host knows that the byte at `offset` is missing.
        case starved(Run, offset: Int64)
        /// The end or a failure was reported; only a seek continues.
        case finished
    }

    struct Run: Equatable {
        /// The frame after the last published one; before the first, the frame at which decoding begins.
        var next: Int64 = 0
        var published: Int64 = 0
    }

    /// Knowledge about the file, which seeks keep.
    enum Stream: Equatable {
        /// The decoder must open the file, and then seek to this time.
        case unopened(start: MediaTime)
        case open(PCMFormat)
    }

    enum Event: Equatable {
        case message(HostMessage)
        indirect case opened(StreamInfo)
        /// The decoder performed a seek, or skipped a range, and continues at this frame.
        case sought(frame: Int64)
        case formatChanged(PCMFormat)
        case produced(bytes: Int, frame: Int64)
        /// Processed frames, whose media time differs from their number.
        case processed(bytes: Int, media: Range<Int64>)
        case missing(offset: Int64)
        case read
        indirect case ended(StreamInfo?)
        /// Not for `interrupted`, after which the decoder is called again.
        case failed(DecoderError)
    }

    enum Action: Equatable {
        case begin(generation: UInt32)
        case seek(MediaTime)
        indirect case send(DecoderMessage)
        case publish(bytes: Int, PCMFormat, start: Int64, end: Int64)
        case publishEnd(PCMFormat, at: Int64)
    }

    private(set) var phase = Phase.idle
    private(set) var generation: UInt32 = 0
    private(set) var stream = Stream.unopened(start: .zero)

    var isDecoding: Bool { run != nil }

    /// Maximum bytes of the next chunk. Chunks are short up to a quarter of a second, because playback waits for whole ones.
    var chunkLimit: Int {
        guard let run, let format else { return Self.shortChunk }
        let missing = Int64(format.rate) / 4 - run.published
        return missing > 0 ? max(Self.shortChunk, Int(missing) * format.frameSize) : .max
    }

    /// Large enough for a frame of any codec.
    private static let shortChunk = 16_384

    private var run: Run? {
        switch phase {
        case .decoding(let run), .starved(let run, _): run
        case .idle, .finished: nil
        }
    }

    private var format: PCMFormat? { if case .open(let format) = stream { format } else { nil } }

    mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .message(.seek(let time, let generation, _)): return move(to: generation, time)
        case .message(.lookAgain): return []
        case .opened(let info): return opened(info)
        case .sought(let frame):
            if let run { phase = .decoding(Run(next: frame, published: run.published)) }
            return []
        case .formatChanged(let format):
            stream = .open(format)
            return []
        case .produced(let bytes, let frame):
            guard let format else { return [] }
            return produced(bytes, media: frame..<(frame + Int64(bytes / format.frameSize)))
        case .processed(let bytes, let media): return produced(bytes, media: media)
        case .missing(let offset):
            guard let run, phase != .starved(run, offset: offset) else { return [] }
            phase = .starved(run, offset: offset)
            return [.send(.wanting(generation: generation, offset: offset))]
        case .read:
            guard case .starved(let run, _) = phase else { return [] }
            phase = .decoding(run)
            return [.send(.proceeding(generation: generation))]
        case .ended(let info): return ended(info)
        case .failed(.notAudio(let appearance)): return finish([.send(.notAudio(looksLike: appearance))])
        case .failed(.library(let message)): return finish([.send(.failed(message))])
        case .failed(.interrupted): return []
        }
    }

    private mutating func move(to generation: UInt32, _ time: MediaTime) -> [Action] {
        self.generation = generation
        phase = .decoding(Run())
        switch stream {
        case .unopened:
            stream = .unopened(start: time)
            return [.begin(generation: generation)]
        case .open: return [.begin(generation: generation), .seek(time)]
        }
    }

    private mutating func opened(_ info: StreamInfo) -> [Action] {
        guard case .unopened(let start) = stream else { return [] }
        stream = .open(info.format)
        return [.send(.opened(info))] + (start > .zero ? [.seek(start)] : [])
    }

    private mutating func produced(_ bytes: Int, media: Range<Int64>) -> [Action] {
        guard let run, let format, bytes > 0 else { return [] }
        let frames = Int64(bytes / format.frameSize)
        phase = .decoding(Run(next: media.upperBound, published: run.published + frames))
        let publish = Action.publish(bytes: bytes, format, start: media.lowerBound, end: media.upperBound)
        return run.published == 0 ? [position(media.lowerBound, format), publish] : [publish]
    }

    private mutating func ended(_ info: StreamInfo?) -> [Action] {
        guard let run, let format else { return finish([.send(.notAudio(looksLike: nil))]) }
        var actions: [Action] = []
        if let info { actions.append(.send(.opened(info))) }
        var frame = run.next
        if run.published == 0 {
            // The target of a seek past the end says nothing about the length of the file.
            if let duration = info?.duration { frame = min(frame, duration.frames(rate: format.rate)) }
            actions.append(position(frame, format))
        }
        let measured = info.flatMap { $0.isExact ? $0.duration : nil }
        let end = DecoderMessage.ended(generation: generation, duration: measured)
        return finish(actions + [.publishEnd(format, at: max(0, frame)), .send(end)])
    }

    private mutating func finish(_ actions: [Action]) -> [Action] {
        phase = .finished
        return actions
    }

    private func position(_ frame: Int64, _ format: PCMFormat) -> Action {
        .send(.positioned(generation: generation, at: MediaTime(frames: max(0, frame), rate: format.rate)))
    }
}
