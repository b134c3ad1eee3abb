internal import MediaPorts
internal import PodcastModel
internal import SerialThreads
internal import SystemCalls

/// Learns something about files by decoders that do not play them.
struct FileProbe {
    /// Bytes of a cover.
    private static let largestCover: Int64 = 16 << 20

    let opener: any MediaOpening
    let decoders: any DecoderStarting
    let decisions: DecisionThread

    /// The cover inside a media file, as far as the file is on disk. Fetches nothing.
    /// - Returns: a picture file, not checked; empty if the file has no cover; nil if that is not on disk.
    func cover(inFileOf url: String) async -> [UInt8]? {
        guard let source = try? await opener.open(url) else { return nil }
        defer { source.close() }
        guard source.snapshot.end(ofAvailableFrom: 0) > 0, let info = await properties(of: source, isFetching: false)
        else { return nil }
        guard let art = info.art, art.length <= Self.largestCover else { return [] }
        guard art.isAvailable(in: source.snapshot),
            let bytes = try? StoredFile.read(source.descriptor, at: art.offset, count: Int(art.length)),
            bytes.count == Int(art.length)
        else { return nil }
        return art.picture(storedAs: bytes)
    }

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
    func observe(_ handler: @escaping @Sendable (ByteSourceSnapshot) -> Void) { source.observe(handler) }
    func suspend() {}
    /// The owner of `source` closes it.
    func close() {}
}
