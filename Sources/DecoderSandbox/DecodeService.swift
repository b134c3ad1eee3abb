internal import DecoderProtocol
public import MediaPorts
internal import PodcastModel
public import SystemCalls

/// The decoder process at work: takes what the daemon says, feeds the decoder with the source's bytes, fills the ring.
///
/// It decodes in bursts: until the ring is full, then it sleeps until the ring has run low. One thread; it neither opens
/// nor starts anything, so it runs under the filter from its first line on.
public final class DecodeService {
    private enum Step {
        /// Something was done; go on.
        case more
        /// Nothing can be done before that.
        case wait(RingWriter.WaitReason)
    }

    private let socket = MessageSocket(owning: DecoderDescriptors.socket)
    private let writer: RingWriter
    private let table: SourceTable
    private let decoder: any Decoder
    private let input: UnsafeMutableRawBufferPointer
    private var generation: UInt32 = 0
    private var awaitedOffset: Int64?
    private var knownLength: Int64?
    private var toldInfo = false
    private var hasPosition = false
    private var hasEnded = false
    private var format: PCMFormat?
    private var frame: Int64 = 0
    /// Frames published since the beginning or the last seek.
    private var publishedFrames: Int64 = 0
    private var hasForgottenStart = false

    /// Takes over the descriptors of `DecoderDescriptors`.
    /// - Throws: `SystemError` when the shared memory cannot be mapped.
    public init(_ decoder: any Decoder) throws(SystemError) {
        self.decoder = decoder
        let size = try sizeOfFile(DecoderDescriptors.memory)
        let memory = try SharedMemory(
            owning: DecoderDescriptors.memory, prefix: RingLayout.prefix, capacity: Int(size) - RingLayout.prefix)
        writer = RingWriter(
            memory, RingDoorbells(room: DecoderDescriptors.room, readiness: DecoderDescriptors.readiness, watch: -1))
        table = SourceTable(memory)
        input = .allocate(byteCount: Self.inputSize, alignment: 64)
        decoder.setBytesAtHand { [table] offset in table.lookUp(offset).available }
    }

    deinit { input.deallocate() }

    /// Bytes read at once: large enough that reading costs nothing, small enough to stay in the processor's cache.
    private static let inputSize = 16_384

    /// Works until the daemon hangs up.
    /// - Throws: `SystemError` when the daemon or the source's file cannot be read; the process should end with it.
    public func run() throws(SystemError) {
        while true {
            if hasNews, try !takeMessages() { return }
            switch try step() {
            case .more: continue
            case .wait(let reason): if try !sleep(reason) { return }
            }
        }
    }

    /// Whether a message must be looked for between two steps: only a seek is urgent.
    private var hasNews: Bool { writer.wantedGeneration != generation }

    /// Takes all messages there are; false when the daemon has hung up.
    private func takeMessages() throws(SystemError) -> Bool {
        while true {
            var bytes = InlineMessage()
            let length = try withUnsafeMutableBytes(of: &bytes) { buffer throws(SystemError) in
                try socket.receive(into: buffer)
            }
            guard let length else { return true }
            if length == 0 { return false }
            let message: HostMessage
            do throws(MessageError) {
                message = try withUnsafeBytes(of: bytes) { buffer throws(MessageError) in
                    try HostMessage(UnsafeRawBufferPointer(rebasing: buffer[..<min(length, buffer.count)]))
                }
            } catch {
                throw SystemError(code: 71, call: "a message of the daemon")
            }
            try obey(message)
        }
    }

    private func obey(_ message: HostMessage) throws(SystemError) {
        switch message {
        case .begin(let version, let time, let generation):
            guard version == RingLayout.version else { throw SystemError(code: 71, call: "version \(version)") }
            try move(to: time, generation, isBeginning: true)
        case .seek(let time, let generation):
            try move(to: time, generation, isBeginning: false)
        case .lookAgain:
            break
        }
    }

    private func move(to time: MediaTime, _ generation: UInt32, isBeginning: Bool) throws(SystemError) {
        self.generation = generation
        writer.begin(generation: generation)
        hasPosition = false
        hasEnded = false
        publishedFrames = 0
        awaitedOffset = nil
        if isBeginning && time <= .zero { return }
        do throws(DecoderError) {
            frame = try decoder.seek(to: time)
        } catch {
            try tell(error)
        }
    }

    private func step() throws(SystemError) -> Step {
        writer.note(inputOffset: decoder.wantedOffset)
        if hasEnded || generation != writer.wantedGeneration { return .wait(.message) }
        guard let payload = writer.nextPayload() else { return .wait(.room) }
        let room = min(payload.count, chunkSize)
        let decoded: DecodeStep
        do throws(DecoderError) {
            decoded = try decoder.decode(into: UnsafeMutableRawBufferPointer(rebasing: payload[..<room]))
        } catch {
            try tell(error)
            return .wait(.message)
        }
        switch decoded {
        case .produced(let count, let start):
            // A decoder tells the format before its first frames.
            guard let format else { return .more }
            try tellInfo()
            try tellPosition(start, format)
            let frames = Int64(count / format.frameSize)
            frame = start + frames
            writer.publish(count, format: format, mediaStart: start, mediaEnd: frame)
            publishedFrames += frames
            return .more
        case .formatChanged(let format):
            self.format = format
            return .more
        case .needsInput:
            return try readInput()
        case .ended:
            return try end()
        }
    }

    /// Bytes of the next chunk. Chunks are short until there is as much as playing begins with: a chunk is heard of when it
    /// is whole, and somebody waits for the first sound.
    private var chunkSize: Int {
        guard let format else { return Self.shortChunk }
        let missing = Int64(format.rate) / 4 - publishedFrames
        return missing > 0 ? max(Self.shortChunk, Int(missing) * format.frameSize) : .max
    }

    /// Holds a frame of any kind of audio.
    private static let shortChunk = 16_384

    private func readInput() throws(SystemError) -> Step {
        let offset = decoder.wantedOffset
        let answer = table.lookUp(offset)
        if let length = answer.length, length != knownLength {
            knownLength = length
            decoder.setLength(length)
        }
        let wanted = Int(min(answer.place.count, Int64(Self.inputSize)))
        guard wanted > 0 || answer.endsThere else {
            if awaitedOffset != offset {
                awaitedOffset = offset
                try send(.wanting(generation: generation, offset: offset))
            }
            return .wait(.bytes)
        }
        let part = UnsafeMutableRawBufferPointer(rebasing: input[..<wanted])
        let count = wanted == 0 ? 0 : try read(answer.place, at: offset, into: part)
        // What is kept in memory gives way to what comes: it was these bytes only if they are still there.
        if answer.place.isPassing, !table.lookUp(offset).place.isPassing { return .more }
        guard count > 0 || answer.endsThere else {
            // The table promised bytes that the file does not have.
            throw SystemError(code: 5, call: "read the source at \(offset)")
        }
        if awaitedOffset != nil {
            awaitedOffset = nil
            try send(.proceeding(generation: generation))
        }
        let isLast = answer.endsThere && Int64(count) == answer.available
        do throws(DecoderError) {
            try decoder.feed(UnsafeRawBufferPointer(rebasing: part[..<count]), isLast: isLast || count == 0)
            return .more
        } catch {
            try tell(error)
            return .wait(.message)
        }
    }

    private func read(
        _ place: SourceTable.Place, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int {
        switch place {
        case .file: try readSome(DecoderDescriptors.source, at: offset, into: buffer)
        case .memory(let place, _): try readSome(DecoderDescriptors.sourceMemory, at: place, into: buffer)
        }
    }

    private func end() throws(SystemError) -> Step {
        guard let format else {
            try tell(.notAudio(looksLike: nil))
            return .wait(.message)
        }
        hasEnded = true
        toldInfo = false
        try tellInfo()
        // A seek past the end says where somebody wanted to be, and nothing of how long the file is.
        if !hasPosition, let duration = decoder.info?.duration {
            frame = min(frame, duration.frames(rate: format.rate))
        }
        try tellPosition(frame, format)
        writer.publishEnd(format: format, at: max(0, frame))
        try send(.ended(generation: generation, duration: measuredDuration))
        return .wait(.message)
    }

    private var measuredDuration: MediaTime? {
        guard let info = decoder.info, info.isExact else { return nil }
        return info.duration
    }

    private func tellInfo() throws(SystemError) {
        guard !toldInfo, let info = decoder.info else { return }
        toldInfo = true
        try send(.opened(info))
    }

    private func tellPosition(_ frame: Int64, _ format: PCMFormat) throws(SystemError) {
        guard !hasPosition else { return }
        hasPosition = true
        try send(.positioned(generation: generation, at: MediaTime(frames: max(0, frame), rate: format.rate)))
    }

    private func tell(_ error: DecoderError) throws(SystemError) {
        hasEnded = true
        switch error {
        case .notAudio(let looksLike): try send(.notAudio(looksLike: looksLike))
        case .library(let words): try send(.failed(words))
        }
    }

    /// Sends a message, and waits when the daemon has not yet taken those before.
    private func send(_ message: DecoderMessage) throws(SystemError) {
        let bytes = message.encoded
        while true {
            let isSent = try bytes.withUnsafeBufferPointer { (buffer) throws(SystemError) -> Bool in
                try socket.send(UnsafeRawBufferPointer(buffer))
            }
            if isSent { return }
            var entries = [PollEntry(socket.raw, forWriting: true)]
            try waitForAny(&entries, timeout: -1)
        }
    }

    /// Sleeps until there is room or a message; false when the daemon has hung up.
    private func sleep(_ reason: RingWriter.WaitReason) throws(SystemError) -> Bool {
        guard writer.prepareToWait(for: reason) else { return true }
        // The ring is full for the first time: what the start needed is not needed again.
        if reason == .room && !hasForgottenStart {
            hasForgottenStart = true
            MappedCode.forget()
        }
        var entries = [PollEntry(socket.raw), PollEntry(DecoderDescriptors.room)]
        try waitForAny(&entries, timeout: -1)
        writer.stopWaiting()
        guard entries[0].isReady else { return true }
        return try takeMessages()
    }
}

/// Room for one message of the daemon.
private struct InlineMessage {
    var words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0, 0)
}
