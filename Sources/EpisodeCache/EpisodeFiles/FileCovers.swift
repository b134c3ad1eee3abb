public import MediaPorts
internal import PodcastModel
public import SerialThreads
internal import SystemCalls

/// Reads the covers inside media files, as far as the files are on disk. Fetches nothing.
public struct FileCovers: Sendable {
    /// What is known of a file.
    public enum Finding: Equatable, Sendable {
        /// A picture file, not checked.
        case picture([UInt8])
        /// The file has no cover.
        case none
        /// The beginning of the file or the cover is not on disk.
        case unknown
    }

    /// Bytes of a cover.
    private static let largest: Int64 = 16 << 20

    private let opener: any MediaOpening
    private let probe: FileProbe

    public init(opener: any MediaOpening, decoders: any DecoderStarting, decisions: DecisionThread) {
        self.opener = opener
        probe = FileProbe(decoders: decoders, decisions: decisions)
    }

    public func cover(inFileOf url: String) async -> Finding {
        guard let source = try? await opener.open(url) else { return .unknown }
        defer { source.close() }
        guard source.snapshot.end(ofAvailableFrom: 0) > 0,
            let info = await probe.properties(of: source, isFetching: false)
        else { return .unknown }
        guard let art = info.art, art.length <= Self.largest else { return .none }
        guard art.isAvailable(in: source.snapshot),
            let bytes = try? StoredFile.read(source.descriptor, at: art.offset, count: Int(art.length)),
            bytes.count == Int(art.length)
        else { return .unknown }
        return .picture(art.picture(storedAs: bytes))
    }
}

/// Decoders that are started to learn something about a file, not to play it.
struct FileProbe: Sendable {
    let decoders: any DecoderStarting
    let decisions: DecisionThread

    /// Properties that a decoder reads at the beginning of a file.
    /// - Parameter isFetching: whether missing bytes are fetched; without them there are no properties.
    /// - Returns: nil for a file that is not audio or cannot be read within 15 s.
    func properties(of source: any ByteSource, isFetching: Bool) async -> StreamInfo? {
        if isFetching { source.want(from: 0) }
        let read: any ByteSource = isFetching ? source : UnfetchedSource(source)
        return await answer(from: read, .neutral, within: .seconds(15)) { event, answer in
            switch event {
            case .opened(let info): answer.give(info)
            case .failed: answer.give(nil)
            case .waitingForBytes: if !isFetching { answer.give(nil) }
            case .decoding, .positioned, .reachedEnd, .restarted: break
            }
        }
    }

    /// - Parameter hear: gives the answer at an event.
    /// - Returns: nil without an answer until the limit.
    func answer<Value: Sendable>(
        from source: any ByteSource, _ parameters: PlaybackParameters, within limit: Duration,
        _ hear: @escaping @Sendable (DecoderEvent, FirstAnswer<Value?>) -> Void
    ) async -> Value? {
        let answer = FirstAnswer<Value?>()
        let session = try? decoders.start(source, at: .zero, generation: 1, parameters) { hear($0, answer) }
        guard let session else { return nil }
        let timer = decisions.schedule(after: limit) { answer.give(nil) }
        defer {
            timer.cancel()
            session.stop()
        }
        return await answer.value
    }
}

/// The bytes of a source that are available already.
private final class UnfetchedSource: ByteSource {
    private let source: any ByteSource

    init(_ source: any ByteSource) { self.source = source }

    var descriptor: Int32 { source.descriptor }
    var snapshot: ByteSourceSnapshot { source.snapshot }
    func want(from offset: Int64) {}
    func observe(_ handler: (@Sendable (ByteSourceSnapshot) -> Void)?) { source.observe(handler) }
    func suspend() {}
    /// The owner of `source` closes it.
    func close() {}
}
