internal import DecoderProtocol
internal import MediaPorts
internal import PodcastModel
internal import SystemCalls

/// Connects a decoder with its host: handles messages and fills the ring; `DecodeMachine` makes the decisions.
///
/// Decodes in bursts until the ring is full, then sleeps until the ring is nearly empty. One thread.
final class DecodeService {
    /// The next step before more frames are decoded.
    private enum Next {
        case decode
        /// Seek on the host's request.
        case seek(MediaTime)
        /// Skip to this time; the sound before and after belongs together.
        case skip(MediaTime)
        /// Output the remaining frames of the chain.
        case finish(Ending)
    }

    private enum Ending {
        case file
        case format(PCMFormat)
    }

    private enum Processing {
        /// Undecided until the format is known. The earlier chain measured the loudness of the episode.
        case undecided(after: SoundChain?)
        case none
        case chain(SoundChain)
    }

    private let decoder: any Decoder
    private let link: HostLink
    private var next = Next.decode
    private var parameters = PlaybackParameters.neutral
    private var processing = Processing.undecided(after: nil)

    /// Takes ownership of the descriptors. Throws `SystemError` if the shared memory cannot be mapped.
    init(_ decoder: any Decoder, _ descriptors: DecoderDescriptors = .inherited) throws(SystemError) {
        self.decoder = decoder
        link = try HostLink(descriptors)
    }

    /// Works until the host closes the socket.
    /// - Throws: `SystemError` if messages or the source cannot be read; the process should then exit.
    func run() throws(SystemError) { _ = try work(idling: .sleep) }

    /// Works until the host must act, for tests. Returns the reason for waiting; nil if the host has closed the socket.
    func work() throws(SystemError) -> RingWriter.WaitReason? { try work(idling: .return) }

    private func work(idling: HostLink.Idling) throws(SystemError) -> RingWriter.WaitReason? {
        link.idling = idling
        link.resume()
        while link.waitedFor == nil {
            while let message = try link.nextMessage() {
                next = .decode
                use(message)
                try handle(.message(message))
            }
            if link.isClosed { return nil }
            try step()
        }
        return link.waitedFor
    }

    private func use(_ message: HostMessage) {
        guard case .seek(_, _, let wanted) = message else { return }
        switch processing {
        case .chain(let chain):
            if chain.canContinue(with: wanted) { chain.restart() } else { processing = .undecided(after: chain) }
        case .none: processing = .undecided(after: nil)
        case .undecided: break
        }
        parameters = wanted
    }

    private func handle(_ event: DecodeMachine.Event) throws(SystemError) {
        if let time = try link.handle(event) { next = .seek(time) }
    }

    /// Calls the decoder and passes the result to the machine.
    /// - Returns: false after an interruption: the next step repeats the call, unless a message changes the task.
    @discardableResult
    private func follow(_ call: () throws(DecoderError) -> DecodeMachine.Event) throws(SystemError) -> Bool {
        switch Result(catching: call) {
        case .success(let event): try handle(event)
        case .failure(.interrupted): return false
        case .failure(let error): try handle(.failed(error))
        }
        return true
    }

    /// Opens the file, or decodes or publishes one chunk.
    private func step() throws(SystemError) {
        let machine = link.machine
        guard machine.isDecoding, machine.generation == link.writer.wantedGeneration else {
            return try link.wait(for: .message)
        }
        guard let payload = link.writer.nextPayload() else { return try link.wait(for: .room) }
        guard case .open(let format) = machine.stream else {
            try follow { () throws(DecoderError) in .opened(try decoder.open(link)) }
            return
        }
        switch (next, chain(of: format)) {
        case (.seek(let time), _), (.skip(let time), _):
            let isDone = try follow { () throws(DecoderError) in .sought(frame: try decoder.seek(to: time)) }
            if isDone { next = .decode }
        case (_, let chain?) where chain.hasFrames:
            guard let chunk = chain.take(into: payload) else { return }
            try handle(.processed(bytes: chunk.bytes, media: chunk.media))
        case (.decode, let chain?): try process(chain)
        case (.decode, nil): try decode(into: payload, format, limit: machine.chunkLimit)
        case (.finish(let ending), _): try end(ending)
        }
    }

    /// Nil if there is nothing to process.
    private func chain(of format: PCMFormat) -> SoundChain? {
        if case .undecided(let previous) = processing {
            processing = SoundChain(parameters, format, after: previous).map { .chain($0) } ?? .none
        }
        return if case .chain(let chain) = processing { chain } else { nil }
    }

    private func decode(
        into payload: UnsafeMutableRawBufferPointer, _ format: PCMFormat, limit: Int
    ) throws(SystemError) {
        let room = UnsafeMutableRawBufferPointer(rebasing: payload[..<min(payload.count, limit)])
        try follow { () throws(DecoderError) in
            switch try decoder.decode(into: room) {
            case .produced(let bytes, let frame): .produced(bytes: played(bytes, frame, format), frame: frame)
            case .formatChanged(let format): .formatChanged(format)
            case .ended: .ended(decoder.info)
            }
        }
    }

    private func process(_ chain: SoundChain) throws(SystemError) {
        switch Result(catching: { () throws(DecoderError) in try decoder.decode(into: chain.room) }) {
        case .success(.produced(let bytes, let frame)):
            chain.process(bytes: played(bytes, frame, chain.format), frame: frame)
        case .success(.formatChanged(let format)): next = .finish(.format(format))
        case .success(.ended): next = .finish(.file)
        case .failure(.interrupted): return
        case .failure(let error): try handle(.failed(error))
        }
        if case .finish = next { chain.finish() }
    }

    private func end(_ ending: Ending) throws(SystemError) {
        next = .decode
        switch ending {
        case .file:
            var info = decoder.info
            if case .chain(let chain) = processing { info?.loudness = chain.surveyedLoudness }
            try handle(.ended(info))
        // Parts of different formats cannot be measured as one.
        case .format where parameters.measuresLoudness: try handle(.ended(decoder.info))
        case .format(let format):
            processing = .undecided(after: nil)
            try handle(.formatChanged(format))
        }
    }

    /// Bytes of the block to play before the next skip, seek or end.
    private func played(_ bytes: Int, _ frame: Int64, _ format: PCMFormat) -> Int {
        let blockEnd = frame + Int64(bytes / format.frameSize)
        for skip in parameters.skips {
            let start = skip.lowerBound.frames(rate: format.rate)
            guard start < blockEnd, frame < skip.upperBound.frames(rate: format.rate) else { continue }
            next = skip.upperBound == .distantFuture ? .finish(.file) : .skip(skip.upperBound)
            return Int(max(0, start - frame)) * format.frameSize
        }
        return bytes / format.frameSize * format.frameSize
    }
}
