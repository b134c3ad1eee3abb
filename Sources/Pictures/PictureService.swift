public import PodcastModel
public import SystemCalls

/// Fetches a picture and makes a small copy of it.
public protocol PictureFetching: Sendable {
    /// - Parameters:
    ///   - label: of the episode or feed, such as `e12` or `f3`.
    ///   - side: pixels of the longer side.
    /// - Returns: a JPEG file.
    func fetchPicture(of label: String, side: Int) async throws -> [UInt8]
}

/// Gives small copies of covers, from the cache if it has them.
public final class PictureService: Sendable {
    /// A picture that failed a short time ago is not tried again.
    public struct FailedRecently: Error {}

    private let cache: PictureCache
    private let fetcher: any PictureFetching
    private let decoder: PictureDecoder
    private let worker: WorkerThread
    private let now: @Sendable () -> Timestamp

    /// - Parameter worker: reads and writes the cache, and waits for the decoder.
    public init(
        cache: PictureCache, fetcher: any PictureFetching, decoder: PictureDecoder, worker: WorkerThread,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.cache = cache
        self.fetcher = fetcher
        self.decoder = decoder
        self.worker = worker
        self.now = now
    }

    /// - Parameters:
    ///   - url: the original, as the feed names it.
    ///   - label: of the episode or feed.
    ///   - side: pixels of the longer side.
    /// - Returns: a JPEG file.
    /// - Throws: `FailedRecently`, or what fetching throws.
    public func jpeg(_ url: String, of label: String, side: Int) async throws -> [UInt8] {
        switch try await find(url, side) {
        case .jpeg(let bytes): return bytes
        case .failedRecently: throw FailedRecently()
        case .missing: break
        }
        do {
            let bytes = try await fetcher.fetchPicture(of: label, side: side)
            await keep(bytes, url, side)
            return bytes
        } catch {
            if !(error is CancellationError) { await keep([], url, side) }
            throw error
        }
    }

    /// The cover inside a file, which is read once.
    ///
    /// - Parameters:
    ///   - url: of the file.
    ///   - side: pixels of the longer side.
    ///   - read: the picture as it is in the file; empty if it has none, nil if that is not known yet.
    /// - Returns: a JPEG file; nil if there is none.
    public func jpeg(inFileOf url: String, side: Int, read: () async -> [UInt8]?) async throws -> [UInt8]? {
        let key = "file \(url)"
        switch try await find(key, side) {
        case .jpeg(let bytes): return bytes
        case .failedRecently: return nil
        case .missing: break
        }
        guard let picture = await read() else { return nil }
        let copy = try await worker.run { [decoder] in
            picture.isEmpty ? [] : (try? decoder.smallCopy(of: picture, side: side)) ?? []
        }
        await keep(copy, key, side)
        return copy.isEmpty ? nil : copy
    }

    private func find(_ key: String, _ side: Int) async throws -> PictureCache.Entry {
        try await worker.run { [cache, now] in cache.find(key, side: side, at: now()) }
    }

    /// A picture that cannot be kept, for example on a full disk, is fetched again the next time.
    private func keep(_ bytes: [UInt8], _ url: String, _ side: Int) async {
        try? await worker.run { [cache] in try cache.keep(bytes, of: url, side: side) }
    }
}
