import DecoderHost
import EpisodeCache
import Foundation
import HTTP
import LoopbackServer
import MediaPorts
import PodcastModel
import SystemCalls
import Testing
import TestSupport

/// Whole episodes through cache, decoder and ring while the cache's disk takes nothing.
@Suite(
    .ownThread, .enabled(if: SmallDisk.isPossible, "a small disk can be mounted by root alone"),
    .timeLimit(.minutes(10)))
struct ShortageTests {
    private let scratch: Scratch
    private let disk: SmallDisk
    private let server: LoopbackServer
    private let episode: LoopbackServer.Endpoint
    private let file: URL
    private let http = HTTPThread()

    init() throws {
        scratch = try Scratch()
        disk = try SmallDisk(scratch.path + "/cache", "1m")
        server = try LoopbackServer()
        let part = try fixture("forty-seconds.mp3")
        let audio = part + part + part + part + part + part
        episode = server.serve("/a.mp3", .resource(Resource(audio)))
        file = URL(filePath: scratch.path + "/a.mp3")
        try Data(audio).write(to: file)
    }

    private func makeCache(readAhead: Int64 = 128 << 10) throws -> EpisodeCache {
        var settings = EpisodeCache.Settings()
        settings.plan.memoryReadAhead = readAhead
        return try EpisodeCache(directory: disk.path, http: http, sizeLimit: 1 << 30, settings: settings)
    }

    /// Decodes a whole source, a little slower than it could be.
    private func decoded(_ source: any ByteSource) throws -> [UInt8] {
        let launcher = DecoderLauncher(
            executable: Programs.path("podcast-decode"), hangLimit: .seconds(20), ringCapacity: 256 << 10)
        let session = try launcher.open(source, at: .zero, generation: 1, .neutral) { _ in }
        defer {
            session.stop()
            session.waitUntilGone()
        }
        var frames: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            guard let chunk = session.pcm.nextChunk() else {
                var entries = [PollEntry(session.pcm.readinessDescriptor)]
                if session.pcm.prepareToWait() { try waitForAny(&entries, until: .now + .seconds(20)) }
                continue
            }
            if chunk.kind == .end { return frames }
            let count = buffer.withUnsafeMutableBytes { session.pcm.read(into: $0) }
            frames += buffer[..<count]
        }
    }

    /// With the smaller memory a piece of what comes may push out all that was not read yet.
    @Test(arguments: [0, 24 << 10], [32 << 10, 128 << 10] as [Int64])
    func anEpisodeIsDecodedExactlyWhileTheDiskIsFull(leaving room: Int, readAhead: Int64) throws {
        let cache = try makeCache(readAhead: readAhead)
        disk.fill(leaving: room)
        let source = try cache.open(episode.url)
        let wanted = try decoded(LocalFileSource(file.path))
        try expectEqual(decoded(source), wanted)
        let snapshot = source.snapshot
        expectEqual(snapshot.shortage?.contains("no space left"), true)
        // The file is longer than the memory buffer.
        #expect(try FileStatus(path: file.path).size > 4 * readAhead)
        expectEqual(snapshot.memory.capacity, 2 * readAhead)
        #expect(try FileStatus(of: source.memoryDescriptor).allocatedSize <= 2 * readAhead)
        // Heard again it is fetched again, and is the same.
        try expectEqual(decoded(source), wanted)
        source.close()
        cache.finish()
        // What is in no file any more is in no index either.
        let next = try makeCache()
        let reopened = try next.open(episode.url)
        disk.makeRoom()
        try expectEqual(decoded(reopened), wanted)
        expectEqual(reopened.snapshot.shortage, nil)
        reopened.close()
        next.finish()
    }

    @Test func anEpisodeIsDecodedExactlyWhileTheCacheIsReadOnly() throws {
        let cache = try makeCache()
        try SmallDisk.makeReadOnly(disk.path)
        defer { SmallDisk.makeWritable(disk.path) }
        let source = try cache.open(episode.url)
        try expectEqual(decoded(source), decoded(LocalFileSource(file.path)))
        expectEqual(source.snapshot.shortage?.contains("read-only"), true)
        source.close()
        cache.finish()
        SmallDisk.makeWritable(disk.path)
        let next = try makeCache()
        let reopened = try next.open(episode.url)
        try expectEqual(decoded(reopened), decoded(LocalFileSource(file.path)))
        expectEqual(reopened.snapshot.shortage, nil)
        reopened.close()
        next.finish()
    }

    @Test func theDecoderReceivesReadOnlyMemory() throws {
        let source = try makeCache().open(episode.url)
        expectEqual(fcntl(source.memoryDescriptor, F_GETFL) & O_ACCMODE, O_RDONLY)
        source.close()
        expectEqual(source.memoryDescriptor, -1)
    }
}
