internal import MediaPorts
internal import PodcastModel
internal import SerialThreads

/// What a decoder reads at the beginning of a file, before it plays.
struct FileProbe: Sendable {
    private static let limit = Duration.seconds(15)

    let decoders: any DecoderStarting
    let decisions: DecisionThread

    /// - Parameter isFetching: whether missing bytes are fetched; without them there are no properties.
    /// - Returns: nil for a file that is not audio or cannot be read within a time.
    func properties(of source: any ByteSource, isFetching: Bool) async -> StreamInfo? {
        let answer = FirstAnswer<StreamInfo?>()
        if isFetching { source.want(from: 0) }
        let read: any ByteSource = isFetching ? source : UnfetchedSource(source)
        let session = try? decoders.start(read, at: .zero, generation: 1, .neutral) { event in
            switch event {
            case .opened(let info): answer.give(info)
            case .failed: answer.give(nil)
            case .waitingForBytes: if !isFetching { answer.give(nil) }
            case .decoding, .positioned, .reachedEnd, .restarted: break
            }
        }
        guard let session else { return nil }
        let timer = decisions.schedule(after: Self.limit) { answer.give(nil) }
        defer {
            timer.cancel()
            session.stop()
        }
        return await answer.value
    }
}

/// The bytes of a source that are there already.
private final class UnfetchedSource: ByteSource {
    private let source: any ByteSource

    init(_ source: any ByteSource) { self.source = source }

    var descriptor: Int32 { source.descriptor }
    var snapshot: ByteSourceSnapshot { source.snapshot }
    func want(from offset: Int64) {}
    func observe(_ handler: (@Sendable (ByteSourceSnapshot) -> Void)?) { source.observe(handler) }
    func suspend() {}
    /// Its owner closes the source.
    func close() {}
}
