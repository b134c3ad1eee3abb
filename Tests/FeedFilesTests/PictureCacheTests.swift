import FeedFiles
import PodcastModel
import SystemCalls
import TestSupport
import Testing

final class PictureCacheTests {
    private let folder: String
    private let now = Timestamp.now
    private let url = "https://covers.example/show.png"

    init() throws { folder = try StoredFile.makeTemporaryFolder("/tmp/pictures") }
    deinit { StoredFile.removeTree(folder) }

    private var cache: PictureCache { PictureCache(folder: folder + "/kept") }
    private func later(_ hours: Int64) -> Timestamp { Timestamp(milliseconds: now.milliseconds + hours * 3_600_000) }

    @Test func aPictureIsKeptForEachSize() throws {
        try cache.keep([1, 2], of: url, PictureForm(side: 300))
        try cache.keep([3], of: url, PictureForm(side: 600))
        expectEqual(cache.find(url, PictureForm(side: 300), at: now), .file([1, 2]))
        expectEqual(cache.find(url, PictureForm(side: 600), at: now), .file([3]))
        expectEqual(cache.find(url, PictureForm(side: 100), at: now), .missing)
        expectEqual(cache.find(url, PictureForm(.ppm, side: 300), at: now), .missing, "another format is another file")
        expectEqual(cache.find(url + "?2", PictureForm(side: 300), at: now), .missing)
    }

    @Test func aPictureIsFetchedAgainAfterAMonth() throws {
        try cache.keep([1], of: url, PictureForm(side: 300))
        expectEqual(cache.find(url, PictureForm(side: 300), at: later(29 * 24)), .file([1]))
        expectEqual(cache.find(url, PictureForm(side: 300), at: later(31 * 24)), .missing)
    }

    @Test func aFailureIsRememberedForAnHour() throws {
        try cache.keep([], of: url, PictureForm(side: 300))
        expectEqual(cache.find(url, PictureForm(side: 300), at: now), .failedRecently)
        expectEqual(cache.find(url, PictureForm(side: 300), at: later(2)), .missing)
    }

    @Test func theOldestPicturesMakeRoom() throws {
        let large = [UInt8](repeating: 7, count: 1 << 20)
        for number in 0..<66 { try cache.keep(large, of: "\(url)?\(number)", PictureForm(side: 300)) }
        let kept = (0..<66).filter { cache.find("\(url)?\($0)", PictureForm(side: 300), at: now) != .missing }
        expectContains(kept, 65)
        #expect(kept.count <= 64)
        #expect(!kept.isEmpty)
    }
}

struct PictureServiceTests {
    private struct Failure: Error {}

    private actor Fetcher: PictureFetching {
        private(set) var asked: [String] = []
        private let answer: [UInt8]?

        init(_ answer: [UInt8]?) { self.answer = answer }

        func fetchPicture(of label: String, _ form: PictureForm) async throws -> [UInt8] {
            asked.append("\(label) \(form.side)")
            guard let answer else { throw Failure() }
            return answer
        }
    }

    private func service(_ fetcher: Fetcher, _ folder: String) -> PictureService {
        PictureService(
            cache: PictureCache(folder: folder), fetcher: fetcher, decoder: PictureDecoder(executable: "/nonexistent"),
            worker: WorkerThread(name: .test),
            now: { .now })
    }

    @Test func aPictureIsFetchedOnce() async throws {
        let folder = try StoredFile.makeTemporaryFolder("/tmp/pictures")
        defer { StoredFile.removeTree(folder) }
        let fetcher = Fetcher([9, 9])
        let pictures = service(fetcher, folder)
        for _ in 0..<2 {
            try await expectEqual(pictures.copy(of: "https://a.example/x", named: "f1", PictureForm(side: 64)), [9, 9])
        }
        await expectEqual(fetcher.asked, ["f1 64"])
    }

    @Test func aPictureThatFailedIsNotAskedForAgainAtOnce() async throws {
        let folder = try StoredFile.makeTemporaryFolder("/tmp/pictures")
        defer { StoredFile.removeTree(folder) }
        let fetcher = Fetcher(nil)
        let pictures = service(fetcher, folder)
        await #expect(throws: Failure.self) {
            try await pictures.copy(of: "https://a.example/x", named: "e1", PictureForm(side: 64))
        }
        await #expect(throws: PictureService.FailedRecently.self) {
            try await pictures.copy(of: "https://a.example/x", named: "e1", PictureForm(side: 64))
        }
        await expectEqual(fetcher.asked, ["e1 64"])
    }
}
