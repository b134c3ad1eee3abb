public import PodcastModel
public import SystemCalls

/// Fetches a picture and makes a small copy of it.
public protocol PictureFetching: Sendable {
    /// - Parameter label: of the episode or feed, such as `e12` or `f3`.
    /// - Returns: a file of the form's format.
    func fetchPicture(of label: String, _ form: PictureForm) async throws -> [UInt8]
}

/// Gives small copies of covers, from the cache if it has them.
public final class PictureService: Sendable {
    /// A picture that failed a short time ago is not tried again.
    public struct FailedRecently: Error {}

    private let cache: PictureCache
    private let fetcher: any PictureFetching
    private let worker: WorkerThread
    private let now: @Sendable () -> Timestamp

    /// - Parameter worker: reads and writes the cache.
    public init(
        cache: PictureCache, fetcher: any PictureFetching, worker: WorkerThread,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.cache = cache
        self.fetcher = fetcher
        self.worker = worker
        self.now = now
    }

    /// - Parameters:
    ///   - url: the original, as the feed names it.
    ///   - label: of the episode or feed.
    /// - Returns: a file of the form's format.
    /// - Throws: `FailedRecently`, or what fetching throws.
    public func copy(of url: String, named label: String, _ form: PictureForm) async throws -> [UInt8] {
        switch try await worker.run({ [cache, now] in cache.find(url, form, at: now()) }) {
        case .file(let bytes): return bytes
        case .failedRecently: throw FailedRecently()
        case .missing: break
        }
        do {
            let bytes = try await fetcher.fetchPicture(of: label, form)
            await keep(bytes, url, form)
            return bytes
        } catch {
            if !(error is CancellationError) { await keep([], url, form) }
            throw error
        }
    }

    /// A picture that cannot be kept, for example on a full disk, is fetched again the next time.
    private func keep(_ bytes: [UInt8], _ url: String, _ form: PictureForm) async {
        try? await worker.run { [cache] in try cache.keep(bytes, of: url, form) }
    }
}
