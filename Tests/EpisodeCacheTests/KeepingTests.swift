import Foundation
import LoopbackServer
import MediaPorts
import SystemCalls
import Testing
import TestSupport

@testable import EpisodeCache

/// Episodes that are kept, opened again and given to other URLs.
@Suite(.ownThread) struct KeepingTests {
    private let rig: CacheRig
    private let body = pattern(400_000)

    init() throws { rig = try CacheRig() }

    private func serve(_ path: String = "/audio.mp3") -> LoopbackServer.Endpoint {
        rig.server.serve(path, .resource(Resource(body)))
    }

    @Test func openingDuringTheLastCloseFetchesNothingAgain() throws {
        let endpoint = rig.server.serve("/audio.mp3", .resource(Resource(body), faults: [.rate(800_000)]))
        let cache = try rig.makeCache()
        let group = DispatchGroup()
        for number in 1...4 {
            DispatchQueue.global().async(group: group) {
                while let source = try? cache.open(endpoint.url) {
                    let listener = Listener(source)
                    let end = source.snapshot.end(ofAvailableFrom: 0)
                    if end == 400_000 { break }
                    source.want(from: 0)
                    // Each closes once it has received a little more.
                    _ = listener.waitsForBytes(0..<min(400_000, end + Int64(number) * 4_000))
                    source.close()
                }
            }
        }
        group.wait()
        let last = Listener(try cache.open(endpoint.url), from: 0)
        #expect(last.waitsForCompletion())
        try expectEqual(last.bytes(), body)
        expectEqual(cache.statistics.fetchedBytes, 400_000)
        let starts = endpoint.requests.compactMap { request in
            request["range"].flatMap { Int($0.dropFirst("bytes=".count).prefix { $0 != "-" }) }
        }
        expectEqual(starts, starts.sorted(), "what is there was asked for again")
    }

    @Test func aFetchForAClosedUserContinuesForTheNext() throws {
        let first = rig.server.serve(
            "/audio.mp3", .resource(Resource(body), faults: [.stall(at: 100_000, .gate(Gate()))]))
        let cache = try rig.makeCache()
        let one = Listener(try cache.open(first.url), from: 0)
        #expect(one.waitsForBytes(0..<100_000))
        let second = rig.server.serve(
            "/audio.mp3", .resource(Resource(body), faults: [.stall(at: 200_000, .gate(Gate()))]))
        let (mayForget, maySave) = (Blocker(cache), Blocker(cache))
        // The first closes while another one opens, for which the fetch continues.
        var two: Listener?
        try rig.whileFetchingStands {
            one.source.close()
            mayForget.begin()
            two = Listener(try cache.open(second.url))
            two?.source.want(from: 0)
        }
        #expect(try #require(two).waitsForBytes(0..<200_000))
        // Now the first is forgotten, when the other has gone too and is not heard yet.
        var three: Listener?
        try rig.whileFetchingStands {
            maySave.queue()
            two?.source.close()
            mayForget.end()
            maySave.waitForTurn()
            three = Listener(try cache.open(second.url))
        }
        maySave.end()
        expectEqual(three?.source.snapshot.end(ofAvailableFrom: 0), 200_000)
    }

    /// Holds the cache's worker.
    private final class Blocker: Sendable {
        private let cache: EpisodeCache
        private let isThere = DispatchSemaphore(value: 0)
        private let goesOn = DispatchSemaphore(value: 0)

        init(_ cache: EpisodeCache) { self.cache = cache }

        func queue() {
            cache.whenSaved { [isThere, goesOn] in
                isThere.signal()
                goesOn.wait()
            }
        }

        func waitForTurn() { isThere.wait() }

        func begin() {
            queue()
            waitForTurn()
        }

        func end() { goesOn.signal() }
    }

    @Test func anEpisodeWithAnotherURLKeepsItsBytesAndItsPin() throws {
        let (old, new) = (serve("/old.mp3"), serve("/new.mp3"))
        try rig.fetchBeforeARestart(old.url)
        let cache = try rig.makeCache()
        try cache.setPinned(true, url: old.url)
        let source = try cache.open(old.url)
        try StoredFile.write(source.indexDescriptor, at: 0, Array("places".utf8))
        source.close()
        cache.trim(to: cache.sizeLimit)
        try waitUntilForgotten(cache)
        #expect(try cache.move(old.url, to: new.url))
        expectEqual(cache.keptFiles().map(\.url), [new.url])
        expectEqual(cache.keptFiles().map(\.isWhole), [true])
        let listener = Listener(try cache.open(new.url))
        expectEqual(listener.source.snapshot.phase, .complete)
        try expectEqual(listener.bytes(), body)
        try expectEqual(rig.files(".bytes").count, 1)
        try expectEqual(StoredFile.read(listener.source.indexDescriptor, at: 0, count: 100), Array("places".utf8))
        #expect(new.requests.isEmpty)
        #expect(try !cache.move(old.url, to: rig.server.url("/third.mp3")), "nothing is there")
    }

    @Test func anOpenEpisodeKeepsItsURL() throws {
        let (old, new) = (serve("/old.mp3"), serve("/new.mp3"))
        try rig.fetchBeforeARestart(old.url)
        let cache = try rig.makeCache()
        let listener = Listener(try cache.open(old.url))
        #expect(try !cache.move(old.url, to: new.url))
        try expectEqual(listener.bytes(), body)
    }

    /// Waits until unused episodes are closed.
    private func waitUntilForgotten(_ cache: EpisodeCache) throws {
        let group = DispatchGroup()
        group.enter()
        cache.whenSaved { group.leave() }
        group.wait()
    }
}
