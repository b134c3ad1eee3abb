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
