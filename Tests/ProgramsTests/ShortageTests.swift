@testable import DecoderHost
import EpisodeCache
import Foundation
import HTTP
import LoopbackServer
import MediaPorts
import PodcastModel
import Synchronization
import SystemCalls
import Testing
import TestSupport

/// Episodes through cache, decoder and ring while the cache's disk accepts nothing.
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

    private func makeCache() throws -> EpisodeCache {
        try EpisodeCache(directory: disk.path, http: http, sizeLimit: 1 << 30)
    }

    /// Decodes a source to its end, or until it fails.
    private func decoded(_ source: any ByteSource) throws -> (frames: [UInt8], failure: MediaFailure?) {
        let launcher = DecoderLauncher(
            executable: Programs.path("podcast-decode"), hangLimit: .seconds(20), ringCapacity: 256 << 10)
        let failure = Mutex<MediaFailure?>(nil)
        let started = try launcher.start(source, at: .zero, generation: 1, .neutral) { event in
            if case .failed(let reason) = event { failure.withLock { $0 = reason } }
        }
        let session = try #require(started as? DecoderProcessSession)
        defer {
            session.stop()
            session.waitUntilGone()
        }
        var frames: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            // Read before the ring is: nothing follows after a failure.
            let failure = failure.withLock { $0 }
            guard let chunk = session.pcm.nextChunk() else {
                if let failure { return (frames, failure) }
                var entries = [PollEntry(session.pcm.readinessDescriptor)]
                if session.pcm.prepareToWait() { try waitForAny(&entries, until: .now + .seconds(20)) }
                continue
            }
            if chunk.kind == .end { return (frames, nil) }
            let count = buffer.withUnsafeMutableBytes { session.pcm.read(into: $0) }
            frames += buffer[..<count]
        }
    }

    @Test(arguments: [0, 24 << 10, 400 << 10])
    func cachedAudioIsDecodedToItsEndWhileTheDiskIsFullAndTheRestAfterwards(leaving room: Int) throws {
        let cache = try makeCache()
        disk.fill(leaving: room)
        let source = try cache.open(episode.url)
        let wanted = try decoded(LocalFileSource(file.path)).frames
        let part = try decoded(source)
        if let failure = part.failure {
            expectEqual(
                failure.message,
                "cannot use the episode cache in \(disk.path): No space left on device; free some space, then try again"
            )
        } else {
            // The room sufficed for a part at a time.
            expectEqual(part.frames, wanted)
        }
        #expect(part.failure != nil || room > 0)
        #expect(part.frames.elementsEqual(wanted.prefix(part.frames.count)))
        let cached = try Double(source.snapshot.end(ofAvailableFrom: 0)) / Double(FileStatus(path: file.path).size)
        let second = Double(wanted.count) / 240
        #expect(Double(part.frames.count) >= cached * Double(wanted.count) - second)
        source.close()
        disk.makeRoom()
        let again = try cache.open(episode.url)
        try expectEqual(decoded(again).frames, wanted)
        again.close()
        cache.finish()
    }

    @Test func aReadOnlyCacheIsPlayedAndNamedForWhatItDoesNotHold() throws {
        let cache = try makeCache()
        let source = try cache.open(episode.url)
        let wanted = try decoded(LocalFileSource(file.path)).frames
        try expectEqual(decoded(source).frames, wanted)
        source.close()
        cache.finish()
        let other = try makeCache()
        try SmallDisk.makeReadOnly(disk.path)
        defer { SmallDisk.makeWritable(disk.path) }
        let cached = try other.open(episode.url)
        try expectEqual(decoded(cached).frames, wanted)
        let refusal = try #require(throws: MediaFailure.self) { _ = try other.open(episode.url + "?other") }
        expectEqual(
            refusal.message,
            "cannot use the episode cache in \(disk.path): Read-only file system; remount its disk for writing, then "
                + "try again")
        cached.close()
        other.finish()
    }
}
