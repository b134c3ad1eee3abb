internal import ControlLanguage
internal import Library
internal import PodcastModel
internal import SystemCalls

/// Gives small copies of covers, from the cache if it has them.
struct PictureService {
    /// Bytes of a copy.
    static let largestPicture = 2 << 20

    let cache: PictureCache
    let decoder: PictureDecoder
    /// Reads and writes the cache, and waits for the decoder.
    var worker = WorkerThread(name: .pictures)
    let now: @Sendable () -> Timestamp
    /// Fetches the picture of the episode or feed with a label such as `e12`, and makes a copy.
    let fetch: @Sendable (_ label: String, PictureForm) async throws -> [UInt8]

    func close() { worker.finish() }

    /// - Parameter url: the original, as the feed names it.
    /// - Returns: a file of the form's format.
    /// - Throws: `ControlError` also for a picture that failed a short time ago; otherwise what fetching throws.
    func copy(of url: String, named label: String, _ form: PictureForm) async throws -> [UInt8] {
        switch try await find(url, form) {
        case .file(let bytes): return bytes
        case .failedRecently:
            let words = "the picture of \(label) could not be fetched; it is tried again after an hour"
            throw ControlError(.unavailable, words)
        case .missing: break
        }
        do {
            let bytes = try await fetch(label, form)
            await keep(bytes, url, form)
            return bytes
        } catch {
            if !(error is CancellationError) { await keep([], url, form) }
            throw error
        }
    }

    /// The cover inside a file, which is read once.
    /// - Parameter read: the picture as it is in the file; empty if the file has no picture, nil if that is not known yet.
    /// - Returns: a file of the form's format; nil if there is none.
    func copy(inFileOf url: String, _ form: PictureForm, read: () async -> [UInt8]?) async throws -> [UInt8]? {
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
        return copy.nonEmpty
    }

    private func find(_ key: String, _ form: PictureForm) async throws -> PictureCache.Entry {
        try await worker.run { [cache, now] in cache.find(key, form, at: now()) }
    }

    /// A picture that cannot be kept, for example on a full disk, is fetched again the next time.
    private func keep(_ bytes: [UInt8], _ url: String, _ form: PictureForm) async {
        try? await worker.run { [cache] in try cache.keep(bytes, of: url, form) }
    }
}
