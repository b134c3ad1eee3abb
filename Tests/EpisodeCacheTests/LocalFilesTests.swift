import EpisodeCache
import Foundation
import Glibc
import MediaPorts
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// Files that clients hand over as descriptors.
@Suite struct LocalFilesTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "files-\(UUID().uuidString)")
    private let files = LocalFiles()

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    /// Hands a new file over; it may be deleted at once, because the descriptor stays.
    private func handOver(_ name: String) throws -> String {
        let path = folder.appending(path: name).path
        try Data("sound".utf8).write(to: URL(filePath: path))
        let url = FileAddress.url(of: path)
        files.keep(OpenFile(try FileDescriptor.open(path, O_RDONLY)), as: url)
        try FileManager.default.removeItem(atPath: path)
        return url
    }

    @Test func aFileIsReadThroughTheDescriptorThatWasHandedOver() throws {
        let url = try handOver("a b.mp3")
        for _ in 0..<2 {
            let source = try files.open(url)
            expectEqual(source.snapshot.length, 5)
            source.close()
        }
    }

    @Test func aFileThatWasNotHandedOverHasToBeGivenAgain() throws {
        let error = #expect(throws: MediaFailure.self) { try files.open("file:///music/a%20b.mp3") }
        expectEqual(error?.kind, .forbidden)
        expectEqual(error?.message.contains("podcastctl play '/music/a b.mp3'"), true)
    }

    @Test func ofMoreThan64FilesTheOneThatWasUsedLeastRecentlyIsClosed() throws {
        let urls = try (0..<64).map { try handOver("\($0)") }
        try files.open(urls[0]).close()
        _ = try handOver("64")
        try files.open(urls[0]).close()
        #expect(throws: MediaFailure.self) { try files.open(urls[1]) }
    }
}
