internal import DecoderProtocol
internal import Glibc
internal import MediaPorts
internal import PodcastModel
internal import SystemCalls

/// The decoder process's connection to its host: messages, ring, and the bytes of the source for the decoder.
///
/// Opens and starts nothing, so it works under the sandbox's filter.
final class HostLink: DecoderInput {
    private enum Connection {
        case open
        case closed
        /// Messages or the source cannot be read.
        case broken(SystemError)
    }

    enum Idling {
        case sleep
        /// Return from `DecodeService.work`.
        case `return`
    }

    private let descriptors: DecoderDescriptors
    private let socket: MessageSocket
    let writer: RingWriter
    private let table: SourceTable
    private(set) var machine = DecodeMachine()
    private var connection = Connection.open
    /// Received messages that are not handled yet.
    private var messages: [HostMessage] = []
    private let incoming = UnsafeMutableRawBufferPointer.allocate(byteCount: HostMessage.maximumLength, alignment: 8)
    private var hasReleasedCode = false
    var idling = Idling.sleep
    /// The reason for waiting when `work` returned.
    private(set) var waitedFor: RingWriter.WaitReason?

    private(set) var length: Int64?

    /// Takes ownership of the descriptors. Throws `SystemError` if the shared memory cannot be mapped.
    init(_ descriptors: DecoderDescriptors) throws(SystemError) {
        self.descriptors = descriptors
        socket = MessageSocket(owning: descriptors.socket)
        let size = try FileStatus(of: descriptors.memory).size
        let memory = try SharedMemory(
            owning: descriptors.memory, prefix: RingLayout.prefix, capacity: Int(size) - RingLayout.prefix)
        // The program may have been replaced while the daemon runs.
        let version = RingLayout.version(of: memory)
        guard version == RingLayout.version else {
            throw SystemError(code: EPROTO, call: "use version \(version) of the protocol")
        }
        writer = RingWriter(
            memory, RingEvents(room: descriptors.room, readiness: descriptors.readiness, watch: -1))
        table = SourceTable(memory)
    }

    deinit { incoming.deallocate() }

    // MARK: The source

    func available(at offset: Int64) -> Int64 { table.lookUp(offset).available }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(DecoderError) -> Int {
        while true {
            writer.publish(inputOffset: offset)
            guard mayContinue else { throw .interrupted }
            do throws(SystemError) {
                if let count = try readOnce(into: buffer, at: offset) { return count }
            } catch {
                connection = .broken(error)
            }
        }
    }

    /// - Returns: nil after a wait, because the table may list other bytes now.
    private func readOnce(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SystemError) -> Int? {
        let answer = table.lookUp(offset)
        if let known = answer.length { length = known }
        let wanted = Int(min(answer.available, Int64(buffer.count)))
        guard wanted > 0 || answer.endsThere else {
            try handle(.missing(offset: offset))
            try wait(for: .bytes) { [table] in
                let answer = table.lookUp(offset)
                return answer.available > 0 || answer.endsThere
            }
            return nil
        }
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
        let count = wanted == 0 ? 0 : try readSome(descriptors.source, at: offset, into: part)
        guard count > 0 || answer.endsThere else {
            // The table lists bytes that the file does not have.
            throw SystemError(code: EIO, call: "read the source at \(offset)")
        }
        try handle(.read)
        return count
    }

    // MARK: The index

    func storedBytes(atMost count: Int) -> [UInt8] {
        (try? StoredFile.read(descriptors.index, at: 0, count: min(count, DecoderDescriptors.indexLimit))) ?? []
    }

    /// Without room on the disk the index is not stored; a later session makes it again.
    func store(_ bytes: [UInt8], at offset: Int) {
        guard offset >= 0, offset + bytes.count <= DecoderDescriptors.indexLimit else { return }
        try? StoredFile.write(descriptors.index, at: Int64(offset), bytes)
    }

    // MARK: Messages

    /// True if the host is there and wants no other generation.
    private var mayContinue: Bool {
        guard case .open = connection, messages.isEmpty, waitedFor == nil else { return false }
        return writer.wantedGeneration == machine.generation
    }

    /// Receives the messages that have arrived, and returns the oldest unhandled message.
    /// - Throws: `SystemError` if messages or the source cannot be read.
    func nextMessage() throws(SystemError) -> HostMessage? {
        if case .broken(let error) = connection { throw error }
        if writer.wantedGeneration != machine.generation { try receive() }
        return messages.isEmpty ? nil : messages.removeFirst()
    }

    var isClosed: Bool { if case .closed = connection { true } else { false } }

    private func receive() throws(SystemError) {
        while case .open = connection {
            guard let length = try socket.receive(into: incoming) else { return }
            if length == 0 {
                connection = .closed
                return
            }
            let message = try HostMessage(UnsafeRawBufferPointer(rebasing: incoming.prefix(length)))
            if message != .lookAgain { messages.append(message) }
        }
    }

    private func send(_ message: DecoderMessage) throws(SystemError) {
        let bytes = message.encoded
        while true {
            let isSent = try bytes.withUnsafeBufferPointer { (buffer) throws(SystemError) -> Bool in
                try socket.send(UnsafeRawBufferPointer(buffer))
            }
            if isSent { return }
            // The socket's buffer is full.
            var entries = [PollEntry(socket.raw, forWriting: true)]
            try waitForAny(&entries, until: .distantFuture)
        }
    }

    // MARK: The machine

    /// Performs the machine's actions, except a seek. Returns the time to which the decoder must seek.
    @discardableResult
    func handle(_ event: DecodeMachine.Event) throws(SystemError) -> MediaTime? {
        var target: MediaTime?
        for action in machine.handle(event) {
            switch action {
            case .begin(let generation): writer.begin(generation: generation)
            case .seek(let time): target = time
            case .send(let message): try send(message)
            case .publish(let count, let format, let start, let end):
                writer.publish(count, format: format, mediaStart: start, mediaEnd: end)
            case .publishEnd(let format, let frame): writer.publishEnd(format: format, at: frame)
            }
        }
        return target
    }

    // MARK: Waiting

    /// Clears the reason for waiting, because the host may have acted.
    func resume() { waitedFor = nil }

    /// Sleeps until the reason is gone or a message arrives.
    func wait(for reason: RingWriter.WaitReason, hasBytes: () -> Bool = { false }) throws(SystemError) {
        guard writer.prepareToWait(for: reason, hasBytes: hasBytes) else { return }
        switch idling {
        case .sleep: try sleep(reason)
        case .return: waitedFor = reason
        }
        writer.stopWaiting()
        try receive()
    }

    private func sleep(_ reason: RingWriter.WaitReason) throws(SystemError) {
        // The ring is full for the first time, so the startup code is no longer needed.
        if reason == .room && !hasReleasedCode {
            hasReleasedCode = true
            ResidentCode.release()
        }
        var entries = [PollEntry(socket.raw), PollEntry(descriptors.room)]
        try waitForAny(&entries, until: .distantFuture)
    }
}
