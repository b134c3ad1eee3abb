import Library
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
