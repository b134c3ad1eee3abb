import Foundation
import LoopbackServer
import MediaPorts
import Testing
import TestSupport

@testable import EpisodeCache

@Suite(.ownThread) struct CacheLimitTests {
    private let rig: CacheRig
    init() throws { rig = try CacheRig() }

    private func fill(_ cache: EpisodeCache, _ path: String) throws -> Listener {
        let endpoint = rig.server.serve(path, .resource(Resource(pattern(100_000))))
        let listener = Listener(try cache.open(endpoint.url), from: 0)
        #expect(listener.waitsForCompletion())
        return listener
    }

    @Test func theLeastRecentlyUsedGoFirstButNeverOpenOrPinnedOnes() throws {
        rig.sizeLimit = 250_000
        let cache = try rig.makeCache()
        let open = try fill(cache, "/open")
        for name in ["/pinned", "/old", "/new"] {
            try fill(cache, name).source.close()
            if name == "/pinned" { try cache.setPinned(true, url: rig.server.url(name)) }
        }
        cache.finish()
        let before = cache.usage()
        #expect(before >= 400_000)
        // Times of use that differ for certain.
        let age = ["/pinned": 300.0, "/old": 200, "/new": 100]
        for name in try rig.files(".index") {
            let path = rig.folder + "/" + name
            let text = try String(contentsOfFile: path, encoding: .utf8)
            for (key, seconds) in age where text.contains(key + "\n") {
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSinceNow: -seconds)], ofItemAtPath: path)
            }
        }
        cache.trim(to: cache.sizeLimit)
        let left = try rig.files(".index").map { try String(contentsOfFile: rig.folder + "/" + $0, encoding: .utf8) }
        expectEqual(left.count, 2)
        #expect(left.contains { $0.contains("/pinned\n") })
        #expect(left.contains { $0.contains("/open\n") })
        try expectEqual(open.bytes().count, 100_000)
    }
}
