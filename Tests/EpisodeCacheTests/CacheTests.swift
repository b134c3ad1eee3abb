import Foundation
import HTTP
import LoopbackServer
import MediaPorts
import SystemCalls
import Testing
import TestSupport

@testable import EpisodeCache

@Suite(.ownThread) struct CacheTests {
    private let body = pattern(400_000)
    private let rig: CacheRig
    init() throws { rig = try CacheRig() }

    private func serve(_ faults: Fault...) -> LoopbackServer.Endpoint {
        rig.server.serve("/a.mp3", .resource(Resource(body), faults: faults))
    }

    /// An answer that waits at its gate, and a listener that has the bytes before.
    private func stalled(_ faults: Fault...) throws -> (Gate, LoopbackServer.Endpoint, Listener) {
        let gate = Gate()
        let answer = Answer.resource(Resource(body), faults: [.stall(at: 100_000, .gate(gate))] + faults)
        let endpoint = rig.server.serve("/a.mp3", answer)
        let listener = try rig.open(endpoint.url, from: 0)
        #expect(listener.waitsForBytes(0..<100_000))
        return (gate, endpoint, listener)
    }

    @Test func openingMakesNoRequest() throws {
        let endpoint = serve()
        let listener = try rig.open(endpoint.url)
        expectEqual(listener.source.snapshot, ByteSourceSnapshot())
        #expect(!rig.http.isRunning)
        #expect(endpoint.requests.isEmpty)
    }

    @Test func itCountsWhatItSavedAndWhatItFetched() throws {
        let endpoint = serve()
        let cache = try rig.makeCache()
        do {
            let listener = Listener(try cache.open(endpoint.url), from: 0)
            #expect(listener.waitsForCompletion())
            listener.source.close()
        }
        expectEqual(cache.statistics.missing, 1)
        expectEqual([cache.statistics.fetchedBytes, cache.statistics.reusedBytes], [400_000, 0])
        cache.finish()
        let later = try rig.makeCache()
        _ = try later.open(endpoint.url)
        #expect(later.statistics.complete == 1 && later.statistics.missing == 0)
        #expect(later.statistics.reusedBytes == 400_000 && later.statistics.fetchedBytes == 0)
    }

    @Test func theDescriptorIsForReadingOnly() throws {
        let listener = try rig.open(serve().url)
        #expect(listener.source.descriptor >= 0)
        expectEqual(fcntl(listener.source.descriptor, F_GETFL) & O_ACCMODE, O_RDONLY)
        listener.source.close()
        expectEqual(listener.source.descriptor, -1)
    }

    @Test func aSeekForwardMakesARequestAndASeekBackNone() throws {
        let (gate, endpoint, listener) = try stalled()
        listener.source.want(from: 300_000)
        #expect(listener.waitsForBytes(300_000..<400_000))
        listener.source.want(from: 50_000)
        #expect(endpoint.waitForRequests(3))
        expectEqual(endpoint.requests.map { $0["range"] }, ["bytes=0-", "bytes=300000-", "bytes=95904-304095"])
        gate.open()
        #expect(listener.waitsForBytes(0..<400_000))
        try expectEqual(listener.bytes(), body)
    }

    @Test func aSeekWithinReachWaitsForTheBytes() throws {
        let (gate, endpoint, listener) = try stalled()
        listener.source.want(from: 110_000)
        gate.open()
        #expect(listener.waitsForBytes(0..<400_000))
        expectEqual(endpoint.requests.count, 1)
    }

    @Test func withoutRangesASeekForwardWaitsForTheBytes() throws {
        let (gate, endpoint, listener) = try stalled(.noRanges)
        #expect(!listener.source.snapshot.isSeekable)
        listener.source.want(from: 390_000)
        #expect(endpoint.waitForRequests(2))
        gate.open()
        #expect(listener.waitsForBytes(0..<400_000))
        try expectEqual(listener.bytes(), body)
    }

    @Test func readAheadPausesAtItsLimitAndContinues() throws {
        rig.settings.plan.readAhead = 100_000
        let endpoint = rig.server.serve("/", .resource(Resource(pattern(12 << 20))))
        let listener = try rig.open(endpoint.url, from: 0)
        #expect(listener.waits { $0.phase == .idle && !$0.available.isEmpty })
        let end = listener.source.snapshot.end(ofAvailableFrom: 0)
        #expect(end >= 100_000 && end < 400_000)
        listener.source.want(from: end)
        #expect(listener.waitsForBytes(end..<end + 100_000))
        expectEqual(endpoint.requests.count, 1)
    }

    @Test func suspendClosesTheConnectionAndWantReopensIt() throws {
        let (gate, endpoint, listener) = try stalled()
        listener.source.suspend()
        #expect(listener.waits { $0.phase == .idle && !$0.available.isEmpty })
        gate.open()
        #expect(rig.server.waitForConnections(atMost: 0))
        listener.source.want(from: 20_000)
        #expect(listener.waitsForCompletion())
        expectEqual(endpoint.requests.map { $0["range"] }, ["bytes=0-", "bytes=95904-"])
        try expectEqual(listener.bytes(), body)
    }

    @Test func aWantBeforeASuspensionTakesEffectIsNotForgotten() throws {
        let (gate, endpoint, listener) = try stalled()
        defer { withExtendedLifetime(endpoint) {} }
        rig.whileFetchingStands {
            listener.source.suspend()
            listener.source.want(from: 20_000)
        }
        gate.open()
        #expect(listener.waitsForCompletion())
        try expectEqual(listener.bytes(), body)
    }

    @Test func aWantBeforeASuspensionOrCloseFetchesNothing() throws {
        let endpoint = serve()
        let cache = try rig.makeCache()
        let rested = Listener(try cache.open(endpoint.url))
        let closed = Listener(try cache.open(endpoint.url))
        rig.whileFetchingStands {
            rested.source.want(from: 0)
            rested.source.suspend()
            closed.source.want(from: 0)
            closed.source.close()
        }
        let other = rig.server.serve("/b.mp3", .resource(Resource(body)))
        let listener = Listener(try cache.open(other.url), from: 0)
        #expect(listener.waitsForCompletion())
        #expect(endpoint.requests.isEmpty)
        #expect(rested.source.snapshot.available.isEmpty)
    }

    @Test func aRestartFindsWhatWasFetched() throws {
        let endpoint = serve(.stall(at: 100_000, .gate(Gate())))
        try rig.fetchBeforeARestart(endpoint.url, 0..<100_000)
        let again = serve()
        let listener = try rig.open(again.url)
        expectEqual(listener.source.snapshot.length, 400_000)
        expectEqual(listener.source.snapshot.contentType, "audio/mpeg")
        try expectEqual(listener.bytes(), Array(body[..<100_000]))
        listener.source.want(from: 0)
        #expect(listener.waitsForCompletion())
        try expectEqual(listener.bytes(), body)
        expectEqual(again.requests.map { $0["range"] }, ["bytes=0-", "bytes=95904-"])
    }

    @Test func anEpisodeReopenedAtOnceIsComplete() throws {
        let endpoint = serve()
        let cache = try rig.makeCache()
        for _ in 0..<20 {
            let listener = Listener(try cache.open(endpoint.url), from: 0)
            #expect(listener.waitsForCompletion())
            try expectEqual(listener.bytes(), body)
            listener.source.close()
        }
        expectEqual(endpoint.requests.count, 1)
    }

    @Test func afterACrashTheBytesOfTheLastIndexAreUsed() throws {
        rig.settings.indexInterval = 50_000
        let endpoint = serve(.stall(at: 200_000, .gate(Gate())))
        let crashed = try rig.open(endpoint.url, from: 0)
        #expect(crashed.waitsForBytes(0..<200_000))
        // The index is written after the bytes, so a program that starts now finds a correct index.
        let again = serve()
        let listener = try rig.open(again.url)
        let found = try listener.bytes()
        expectEqual(found, Array(body[..<found.count]))
        listener.source.want(from: 0)
        #expect(listener.waitsForCompletion())
        try expectEqual(listener.bytes(), body)
    }

    @Test func aCompleteEpisodeIsNeverRequestedAgain() throws {
        let endpoint = serve()
        try rig.fetchBeforeARestart(endpoint.url)
        rig.http.stop()
        let listener = try rig.open(endpoint.url)
        expectEqual(listener.source.snapshot.phase, .complete)
        listener.source.want(from: 0)
        try expectEqual(listener.bytes(), body)
        expectEqual(endpoint.requests.count, 1)
    }

    @Test func twoSourcesShareTheEpisodeAndItsConnection() throws {
        let gate = Gate()
        let endpoint = serve(.stall(at: 100_000, .gate(gate)))
        let cache = try rig.makeCache()
        let (first, second) = (Listener(try cache.open(endpoint.url)), Listener(try cache.open(endpoint.url)))
        first.source.want(from: 0)
        second.source.want(from: 10)
        #expect(second.waitsForBytes(0..<100_000))
        first.source.close()
        gate.open()
        #expect(second.waitsForCompletion())
        try expectEqual(second.bytes(), body)
        expectEqual(endpoint.requests.count, 1)
    }

    @Test func afterADamagedIndexEverythingIsFetchedAgain() throws {
        let endpoint = serve()
        try rig.fetchBeforeARestart(endpoint.url)
        let index = rig.folder + "/" + (try #require(try rig.files(".index").first))
        try "podcastd episode 1\nurl x\nbytes 5-1\n".write(toFile: index, atomically: true, encoding: .utf8)
        let listener = try rig.open(endpoint.url)
        expectEqual(listener.source.snapshot, ByteSourceSnapshot())
        listener.source.want(from: 0)
        #expect(listener.waitsForCompletion())
        try expectEqual(listener.bytes(), body)
    }

    /// What a decoder kept in a source's index.
    private func keptIndex(_ listener: Listener) throws -> [UInt8] {
        try StoredFile.read(listener.source.indexDescriptor, at: 0, count: 100)
    }

    @Test func theIndexOfFramesIsKeptWithTheBytesAndGoesWithThem() throws {
        let endpoint = serve()
        try rig.fetchBeforeARestart(endpoint.url)
        let first = try rig.open(endpoint.url)
        try StoredFile.write(first.source.indexDescriptor, at: 0, Array("places".utf8))
        first.source.close()
        try expectEqual(keptIndex(rig.open(endpoint.url)), Array("places".utf8))
        // Other bytes, or none that are valid: the places mean nothing.
        let index = rig.folder + "/" + (try #require(try rig.files(".index").first))
        try "podcastd episode 1\nurl x\n".write(toFile: index, atomically: true, encoding: .utf8)
        let listener = try rig.open(endpoint.url)
        try expectEqual(keptIndex(listener), [])
        try expectEqual(FileStatus(of: listener.source.indexDescriptor).size, 0)
    }

    @Test func theIndexOfFramesOfAFileThatChangedIsNotKept() throws {
        let endpoint = rig.server.serve(
            "/", .resource(Resource(body), faults: [.reset(at: 100_000)]),
            .resource(Resource(Array(body.reversed()), etag: "\"2\"")))
        let listener = try rig.open(endpoint.url)
        try StoredFile.write(listener.source.indexDescriptor, at: 0, Array("places".utf8))
        listener.source.want(from: 0)
        expectEqual(listener.failure()?.kind, .changed)
        try expectEqual(rig.files(".frames"), [])
    }

    @Test func afterAPowerCutOnlyWhatWasOnTheDiskCounts() throws {
        let endpoint = serve()
        try rig.fetchBeforeARestart(endpoint.url)
        let index = rig.folder + "/" + (try #require(try rig.files(".index").first))
        let lines = try String(contentsOfFile: index, encoding: .utf8).split(separator: "\n").map { line in
            line.hasPrefix("boot ") ? "boot another" : line.hasPrefix("durable ") ? "durable 0-1000" : String(line)
        }
        try (lines.joined(separator: "\n") + "\n").write(toFile: index, atomically: true, encoding: .utf8)
        try expectEqual(rig.open(endpoint.url).source.snapshot.available, [0..<1000])
    }

    @Test func bytesMissingInTheFileAreNotAvailable() throws {
        let endpoint = serve()
        try rig.fetchBeforeARestart(endpoint.url)
        let path = rig.folder + "/" + (try #require(try rig.files(".bytes").first))
        expectEqual(truncate(path, 1234), 0)
        try expectEqual(rig.open(endpoint.url).source.snapshot.available, [0..<1234])
    }

    @Test func aFullDiskEndsTheFetchWithItsCauseAndARemedy() throws {
        let endpoint = serve()
        try rig.fetchBeforeARestart(endpoint.url)
        // Every write to this device fails as on a full disk.
        let path = rig.folder + "/" + (try #require(try rig.files(".bytes").first))
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/full")
        expectEqual(
            try rig.open(endpoint.url, from: 0).failure(),
            MediaFailure(
                .storage,
                "cannot use the episode cache in \(rig.folder): No space left on device; free some space, then try again"
            ))
    }

    @Test(arguments: [(FetchPriority.foreground, true), (.prefetch, false)])
    func onAFullDiskAnEpisodeThatIsHeardGetsTheRoomOfADownload(_ priority: FetchPriority, getsRoom: Bool) throws {
        let endpoint = serve()
        try rig.fetchBeforeARestart(endpoint.url)
        let path = rig.folder + "/" + (try #require(try rig.files(".bytes").first))
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/full")
        let other = rig.server.serve(
            "/b.mp3", .resource(Resource(body), faults: [.stall(at: 100_000, .gate(Gate()))]))
        let cache = try rig.makeCache()
        let download = Listener(try cache.open(other.url, priority: .prefetch), from: 0)
        #expect(download.waitsForBytes(0..<100_000))
        let heard = Listener(try cache.open(endpoint.url, priority: priority), from: 0)
        expectEqual(heard.failure()?.kind, .storage)
        expectEqual(download.source.snapshot.failure?.kind, getsRoom ? .storage : nil)
        expectEqual(download.source.snapshot.available.isEmpty, getsRoom)
    }

    @Test func aFolderBelongsToOneCacheAtATime() throws {
        let rig = rig
        let cache = try rig.makeCache()
        let refusal = try #require(throws: MediaFailure.self) {
            _ = try EpisodeCache(directory: rig.folder, http: rig.http, sizeLimit: 1)
        }
        expectEqual(refusal.kind, .storage)
        #expect(refusal.message.contains(rig.folder) && refusal.message.contains("--cache-dir"))
        cache.finish()
        _ = try EpisodeCache(directory: rig.folder, http: rig.http, sizeLimit: 1)
    }

    @Test func aFolderThatCannotBeCreatedIsReported() throws {
        let rig = rig
        #expect(throws: MediaFailure.self) {
            _ = try EpisodeCache(directory: "/proc/nowhere", http: rig.http, sizeLimit: 1)
        }
    }
}
