internal import DecoderProtocol
internal import MediaPorts
internal import PodcastModel
internal import SystemCalls

/// Connects a decoder with its host: follows messages and fills the ring. `DecodeMachine` decides what follows what.
///
/// It decodes in bursts until the ring is full, then sleeps until the ring is nearly empty. It has one thread.
final class DecodeService {
    private let decoder: any Decoder
    private let link: HostLink
    /// Where the decoder must seek to before it decodes.
    private var target: MediaTime?

    /// Takes ownership of the descriptors.
    /// - Throws: `SystemError` when the shared memory cannot be mapped.
    init(_ decoder: any Decoder, _ descriptors: DecoderDescriptors = .inherited) throws(SystemError) {
        self.decoder = decoder
        link = try HostLink(descriptors)
    }

    /// Works until the host closes the socket.
    /// - Throws: `SystemError` when messages or the source cannot be read; the process should end with it.
    func run() throws(SystemError) { _ = try work(idling: .sleep) }

    /// Works until the host has to do something, for tests.
    /// - Returns: what the decoder waits for; nil when the host has closed the socket.
    func work() throws(SystemError) -> RingWriter.WaitReason? { try work(idling: .return) }

    private func work(idling: HostLink.Idling) throws(SystemError) -> RingWriter.WaitReason? {
        link.idling = idling
        link.resume()
        while link.waitedFor == nil {
            while let message = try link.nextMessage() {
                target = nil
                try handle(.message(message))
            }
            if link.isClosed { return nil }
            try step()
        }
        return link.waitedFor
    }

    private func handle(_ event: DecodeMachine.Event) throws(SystemError) {
        if let time = try link.handle(event) { target = time }
    }

    /// Calls the decoder and gives the result to the machine.
    /// - Returns: false after an interruption: the next step repeats the call, unless a message changes what to do.
    @discardableResult
    private func follow(_ call: () throws(DecoderError) -> DecodeMachine.Event) throws(SystemError) -> Bool {
        switch Result(catching: call) {
        case .success(let event): try handle(event)
        case .failure(.interrupted): return false
        case .failure(let error): try handle(.failed(error))
        }
        return true
    }

    /// Opens the file, or decodes one chunk.
    private func step() throws(SystemError) {
        let machine = link.machine
        guard machine.isDecoding, machine.generation == link.writer.wantedGeneration else {
            return try link.wait(for: .message)
        }
        guard let payload = link.writer.nextPayload() else { return try link.wait(for: .room) }
        switch machine.stream {
        case .unopened: try follow { () throws(DecoderError) in .opened(try decoder.open(link)) }
        case .open:
            if let time = target {
                let isDone = try follow { () throws(DecoderError) in .sought(frame: try decoder.seek(to: time)) }
                if isDone { target = nil }
                return
            }
            let room = UnsafeMutableRawBufferPointer(rebasing: payload[..<min(payload.count, machine.chunkLimit)])
            try follow { () throws(DecoderError) in
                switch try decoder.decode(into: room) {
                case .produced(let count, let frame): .produced(bytes: count, frame: frame)
                case .formatChanged(let format): .formatChanged(format)
                case .ended: .ended(decoder.info)
                }
            }
        }
    }
}
