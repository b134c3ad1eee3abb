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
    /// - Returns: a file of the form's format.
    /// - Throws: `FailedRecently`, or what fetching throws.
    public func copy(of url: String, named label: String, _ form: PictureForm) async throws -> [UInt8] {
        switch try await find(url, form) {
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

    /// The cover inside a file, which is read once.
    ///
    /// - Parameters:
    ///   - url: of the file.
    ///   - read: the picture as it is in the file; empty if the file has no picture, nil if that is not known yet.
    /// - Returns: a file of the form's format; nil if there is none.
    public func copy(
        inFileOf url: String, _ form: PictureForm, read: () async -> [UInt8]?
    ) async throws -> [UInt8]? {
        let key = "file \(url)"
        switch try await find(key, form) {
        case .file(let bytes): return bytes
        case .failedRecently: return nil
        case .missing: break
        }
        guard let picture = await read() else { return nil }
        let copy = try await worker.run { [decoder] in
            picture.isEmpty ? [] : (try? decoder.smallCopy(of: picture, form)) ?? []
        }
        await keep(copy, key, form)
        return copy.isEmpty ? nil : copy
    }

    private func find(_ key: String, _ form: PictureForm) async throws -> PictureCache.Entry {
        try await worker.run { [cache, now] in cache.find(key, form, at: now()) }
    }

    /// A picture that cannot be kept, for example on a full disk, is fetched again the next time.
    private func keep(_ bytes: [UInt8], _ url: String, _ form: PictureForm) async {
        try? await worker.run { [cache] in try cache.keep(bytes, of: url, form) }
    }
}
