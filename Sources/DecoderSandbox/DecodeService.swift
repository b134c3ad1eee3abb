internal import DecoderProtocol
internal import MediaPorts
internal import PodcastModel
internal import SystemCalls

/// Connects a decoder with its host: takes messages, supplies the decoder with bytes of the source and fills the ring.
/// `DecodeMachine` decides what follows what.
///
/// It decodes in bursts until the ring is full, then sleeps until the ring is nearly empty. It has one thread and opens and
/// starts nothing, so it runs entirely under the sandbox's filter.
final class DecodeService {
    private let decoder: any Decoder
    private let descriptors: DecoderDescriptors
    private let socket: MessageSocket
    private let writer: RingWriter
    private let table: SourceTable
    private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: inputSize, alignment: 64)
    private(set) var machine = DecodeMachine()
    private var hasReleasedCode = false

    /// Bytes read at once: enough to make the cost of reading negligible, few enough for the processor's cache.
    private static let inputSize = 16_384

    /// Takes ownership of the descriptors.
    /// - Throws: `SystemError` when the shared memory cannot be mapped.
    init(_ decoder: any Decoder, _ descriptors: DecoderDescriptors = .inherited) throws(SystemError) {
        self.decoder = decoder
        self.descriptors = descriptors
        socket = MessageSocket(owning: descriptors.socket)
        let size = try sizeOfFile(descriptors.memory)
        let memory = try SharedMemory(
            owning: descriptors.memory, prefix: RingLayout.prefix, capacity: Int(size) - RingLayout.prefix)
        writer = RingWriter(
            memory, RingEvents(room: descriptors.room, readiness: descriptors.readiness, watch: -1))
        table = SourceTable(memory)
        decoder.setBytesAtHand { [table] offset in table.lookUp(offset).available }
    }

    deinit { input.deallocate() }

    /// Works until the host closes the socket.
    /// - Throws: `SystemError` when messages or the source cannot be read; the process should end with it.
    func run() throws(SystemError) {
        while let reason = try work(), try sleep(reason) {}
    }

    /// Works until the host has to do something.
    /// - Returns: what to wait for; nil when the host has closed the socket.
    func work() throws(SystemError) -> RingWriter.WaitReason? {
        while true {
            // Between two steps only a seek is urgent.
            if writer.wantedGeneration != machine.generation, try !takeMessages() { return nil }
            if let reason = try step() { return reason }
        }
    }

    // MARK: Messages

    /// Follows all messages that have arrived.
    /// - Returns: false when the host has closed the socket.
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
                throw SystemError(code: 71, call: "read a message of the daemon")
            }
            if case .begin(let version, _, _) = message, version != RingLayout.version {
                throw SystemError(code: 71, call: "use version \(version) of the protocol")
            }
            try handle(.message(message))
        }
    }

    /// Sends a message; waits while the socket's buffer is full.
    private func send(_ message: DecoderMessage) throws(SystemError) {
        let bytes = message.encoded
        while true {
            let isSent = try bytes.withUnsafeBufferPointer { (buffer) throws(SystemError) -> Bool in
                try socket.send(UnsafeRawBufferPointer(buffer))
            }
            if isSent { return }
            var entries = [PollEntry(socket.raw, forWriting: true)]
            try waitForAny(&entries, until: .distantFuture)
        }
    }

    // MARK: The machine

    private func handle(_ event: DecodeMachine.Event) throws(SystemError) {
        for action in machine.handle(event) { try perform(action) }
    }

    private func perform(_ action: DecodeMachine.Action) throws(SystemError) {
        switch action {
        case .begin(let generation): writer.begin(generation: generation)
        case .seek(let time):
            let result = Result { () throws(DecoderError) in try decoder.seek(to: time) }
            switch result {
            case .success(let frame): try handle(.sought(frame: frame))
            case .failure(let error): try handle(.failed(error))
            }
        case .send(let message): try send(message)
        case .publish(let count, let format, let start, let end):
            writer.publish(count, format: format, mediaStart: start, mediaEnd: end)
        case .publishEnd(let format, let frame): writer.publishEnd(format: format, at: frame)
        }
    }

    /// Decodes one chunk, or supplies the decoder with bytes.
    /// - Returns: what to wait for; nil after progress.
    private func step() throws(SystemError) -> RingWriter.WaitReason? {
        writer.note(inputOffset: decoder.wantedOffset)
        guard machine.isDecoding, machine.generation == writer.wantedGeneration else { return .message }
        guard let payload = writer.nextPayload() else { return .room }
        let room = min(payload.count, machine.chunkLimit)
        let decoded = Result { () throws(DecoderError) in
            try decoder.decode(into: UnsafeMutableRawBufferPointer(rebasing: payload[..<room]))
        }
        switch decoded {
        case .success(.produced(let count, let frame)):
            if machine.needsInfo, let info = decoder.info { try handle(.described(info)) }
            try handle(.produced(bytes: count, frame: frame))
        case .success(.formatChanged(let format)): try handle(.formatChanged(format))
        case .success(.needsInput): return try readInput()
        case .success(.ended): try handle(.ended(decoder.info))
        case .failure(let error): try handle(.failed(error))
        }
        return nil
    }

    private func readInput() throws(SystemError) -> RingWriter.WaitReason? {
        let offset = decoder.wantedOffset
        let answer = table.lookUp(offset)
        if let length = answer.length { decoder.setLength(length) }
        let wanted = Int(min(answer.place.count, Int64(Self.inputSize)))
        guard wanted > 0 || answer.endsThere else {
            try handle(.missing(offset: offset))
            return .bytes
        }
        let part = UnsafeMutableRawBufferPointer(rebasing: input[..<wanted])
        let count = wanted == 0 ? 0 : try read(answer.place, at: offset, into: part)
        // New bytes replace those kept in memory: what was read is valid only if the table still lists it.
        if answer.place.isPassing, !table.lookUp(offset).place.isPassing { return nil }
        guard count > 0 || answer.endsThere else {
            // The table lists bytes that the file does not have.
            throw SystemError(code: 5, call: "read the source at \(offset)")
        }
        try handle(.fed)
        let isLast = answer.endsThere && Int64(count) == answer.available
        let fed = Result { () throws(DecoderError) in
            try decoder.feed(UnsafeRawBufferPointer(rebasing: part[..<count]), isLast: isLast || count == 0)
        }
        if case .failure(let error) = fed { try handle(.failed(error)) }
        return nil
    }

    private func read(
        _ place: SourceTable.Place, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int {
        switch place {
        case .file: try readSome(descriptors.source, at: offset, into: buffer)
        case .memory(let place, _): try readSome(descriptors.sourceMemory, at: place, into: buffer)
        }
    }

    /// Sleeps until the reason is gone or a message arrives, and follows the message.
    /// - Returns: false when the host has closed the socket.
    private func sleep(_ reason: RingWriter.WaitReason) throws(SystemError) -> Bool {
        guard writer.prepareToWait(for: reason) else { return true }
        // The ring is full for the first time, so the code of the start is not needed again.
        if reason == .room && !hasReleasedCode {
            hasReleasedCode = true
            ResidentCode.release()
        }
        var entries = [PollEntry(socket.raw), PollEntry(descriptors.room)]
        try waitForAny(&entries, until: .distantFuture)
        writer.stopWaiting()
        return entries[0].isReady ? try takeMessages() : true
    }
}

/// Room for one message of the host.
private struct InlineMessage {
    var words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0, 0)
}
