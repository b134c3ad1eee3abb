internal import MediaPorts
internal import SystemCalls

extension OutputKind {
    /// What podcast-web gives to browsers, radios and phones as /stream.mp3 and /stream.opus.
    static let http = OutputKind(
        name: "http", parameter: .optional("NAME", default: ""), programs: ["podcast-web", "podcast-decode-av"],
        isClientAddable: { _ in true }, isSameDevice: { _, _ in true },
        note: "listeners hear it from podcast-web: http://HOST:6681/stream.mp3",
        makeSink: { specification, factory in
            guard let socket = factory.socket else {
                throw SinkError("http needs podcastd, whose listeners podcast-web serves")
            }
            let stream = try SharedStream(path: StoredFile.folder(of: socket) + "/sound", encoder: factory.encoder)
            return try factory.sink(specification.encodable, stream, .shallow)
        })
}

/// A Unix socket from which programs read the sound of this moment, from when they connect. The socket exists as long as the output, so
/// that programs can connect before something plays. A program that reads too slowly misses sound, and one that does not
/// read at all is disconnected; neither keeps the others waiting.
final class SharedStream: ByteStream {
    private struct Reader {
        let end: PipeEnd
        /// Bytes that were refused since the last ones that were taken.
        var refused = 0
    }

    private static let mostReaders = 8

    private let path: String
    private let encoder: String?
    private let listener: FileDescriptor
    private var readers: [Reader] = []
    private var format = PCMFormat(rate: 48_000, channels: 2, type: .int16)

    /// - Parameter encoder: the program with which podcast-web encodes the sound; nil if that is not checked.
    init(path: String, encoder: String? = nil) throws(SinkError) {
        self.path = path
        self.encoder = encoder
        if (try? LocalSocket.connect(to: path, isBlocking: false)) != nil {
            throw SinkError("there is an output http already; remove that one first")
        }
        do throws(SystemError) {
            // Left behind by a daemon that was killed.
            if try FileStatus(ofLink: path)?.isSocket == true { try StoredFile.remove(path) }
            listener = try LocalSocket.listen(at: path, mode: 0o660)
        } catch {
            throw SinkError("cannot listen at \(path) (\(error.reason)); make its folder writable for podcastd")
        }
    }

    deinit { try? StoredFile.remove(path) }

    func open(_ format: PCMFormat) throws(SinkError) {
        self.format = format
        do throws(SystemError) {
            if let encoder { try FileAccess.execute.check(encoder) }
        } catch {
            throw SinkError("cannot encode the sound: \(error)", isTemporary: true)
        }
    }
    func close() {}

    func write(_ frames: UnsafeRawBufferPointer) throws(SinkError) -> Int {
        accept()
        for index in readers.indices {
            let taken = (try? readers[index].end.write(frames)) ?? -1
            readers[index].refused = taken < 0 ? .max : taken > 0 ? 0 : readers[index].refused + frames.count
        }
        let patience = 10 * format.rate * format.frameSize
        readers.removeAll { $0.refused > patience }
        return frames.count
    }

    private func accept() {
        // Without descriptors the program connects again.
        while readers.count < Self.mostReaders, let socket = try? LocalSocket.accept(listener.raw) {
            readers.append(Reader(end: PipeEnd(socket, frameSize: format.frameSize)))
        }
    }
}
