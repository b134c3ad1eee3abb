@testable import DaemonCore
import Foundation
import MediaPorts
import PodcastModel
import SerialThreads
import Synchronization
import SystemCalls
import TestSupport
import Testing

/// Covers inside files, as far as they are on disk.
@Suite(.ownThread) struct FileCoversTests {
    /// A file on disk of which some bytes are available.
    private final class Source: ByteSource {
        let file: MemoryFile
        let reading: FileDescriptor
        let snapshot: ByteSourceSnapshot
        let wants = Mutex(0)
        var descriptor: Int32 { reading.raw }

        init(_ bytes: [UInt8], available: [Range<Int64>]) throws {
            let file = try MemoryFile(name: "cover")
            try bytes.withUnsafeBytes { try unsafe file.write($0, at: 0) }
            self.file = file
            reading = try file.openForReading()
            snapshot = ByteSourceSnapshot(length: Int64(bytes.count), available: available)
        }

        func want(from offset: Int64) { wants.withLock { $0 += 1 } }
        func observe(_ handler: @escaping @Sendable (ByteSourceSnapshot) -> Void) {}
        func suspend() {}
        func close() {}
    }

    private struct Opener: MediaOpening {
        let source: Source
        func open(_ url: String) async throws(MediaFailure) -> any ByteSource { source }
    }

    private func cover(
        _ art: EmbeddedArt?, in bytes: [UInt8], available: Range<Int64>?, event: DecoderEvent? = nil
    ) async throws -> [UInt8]? {
        let source = try Source(bytes, available: available.map { [$0] } ?? [])
        var info = StreamInfo(
            container: "mp3", codec: "mp3", format: PCMFormat(rate: 44_100, channels: 2, type: .float32))
        info.art = art
        let probe = FileProbe(
            opener: Opener(source: source), decoders: SilentDecoders(event: event ?? .opened(info)),
            decisions: try DecisionThread())
        let found = await probe.cover(inFileOf: "http://host/a.mp3")
        expectEqual(source.wants.withLock { $0 }, 0, "nothing is fetched")
        return found
    }

    private let bytes: [UInt8] = [1, 2, 0xFF, 0, 5, 6, 7, 8]

    @Test func aCoverIsReadFromItsPlace() async throws {
        let art = EmbeddedArt(mime: "image/jpeg", offset: 1, length: 4)
        try await expectEqual(cover(art, in: bytes, available: 0..<8), [2, 0xFF, 0, 5])
        let escaped = EmbeddedArt(mime: "image/jpeg", offset: 1, length: 4, isUnsynchronised: true)
        try await expectEqual(cover(escaped, in: bytes, available: 0..<5), [2, 0xFF, 5])
    }

    @Test func aCoverThatIsNotOnDiskIsUnknown() async throws {
        let art = EmbeddedArt(mime: "image/jpeg", offset: 1, length: 4)
        try await expectEqual(cover(art, in: bytes, available: 0..<4), nil)
        try await expectEqual(cover(art, in: bytes, available: nil), nil)
        try await expectEqual(cover(art, in: bytes, available: 0..<2, event: .waitingForBytes(offset: 2)), nil)
    }

    @Test func aFileWithoutACoverHasNone() async throws {
        try await expectEqual(cover(nil, in: bytes, available: 0..<8), [])
        let endless = EmbeddedArt(mime: "image/jpeg", offset: 0, length: 1 << 30)
        try await expectEqual(cover(endless, in: bytes, available: 0..<8), [])
    }
}
