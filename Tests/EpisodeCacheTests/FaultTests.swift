import Foundation
import LoopbackServer
import MediaPorts
import Testing
import TestSupport

@testable import EpisodeCache

/// Whatever a server does, every byte arrives once and in order.
@Suite(.ownThread) struct FaultTests {
    private let body = pattern(300_000)
    private let rig: CacheRig

    init() throws {
        rig = try CacheRig()
    }

    private func resource(_ faults: Fault...) -> Answer { .resource(Resource(body), faults: faults) }

    /// Fetches everything, moving the clock over each wait.
    private func fetchAll(_ endpoint: LoopbackServer.Endpoint, waits: Int = 0) throws -> Listener {
        let listener = try rig.open(endpoint.url, from: 0)
        for attempt in 1...(waits + 1) where attempt <= waits {
            #expect(
                listener.waits { snapshot in
                    guard case .waitingToRetry(attempt, _, _) = snapshot.phase else { return false }
                    return true
                })
            rig.clock.advance(seconds: 60)
        }
        #expect(listener.waitsForCompletion())
        return listener
    }

    private func expectAll(_ endpoint: LoopbackServer.Endpoint, waits: Int = 0, ranges: [String?]) throws {
        let listener = try fetchAll(endpoint, waits: waits)
        try expectEqual(listener.bytes(), body)
        expectEqual(endpoint.requests.map { $0["range"] }, ranges)
    }

    @Test func aHealthyServerIsAskedOnce() throws {
        let endpoint = rig.server.serve("/a.mp3", resource())
        let listener = try fetchAll(endpoint)
        try expectEqual(listener.bytes(), body)
        expectEqual(endpoint.requests.count, 1)
        expectEqual(endpoint.requests.first?["accept-encoding"], "identity")
        expectEqual(listener.source.snapshot.length, 300_000)
        expectEqual(listener.source.snapshot.contentType, "audio/mpeg")
        #expect(listener.source.snapshot.isSeekable)
    }

    @Test func threeRedirectsAreFollowedOnce() throws {
        let last = rig.server.serve("/d", resource(), resource())
        let (c, b) = (
            rig.server.serve("/c", .redirect(302, to: "/d")), rig.server.serve("/b", .redirect(307, to: "/c"))
        )
        let first = rig.server.serve("/a", .redirect(301, to: "/b"))
        let listener = try fetchAll(first)
        try expectEqual(listener.bytes(), body)
        expectEqual([first, b, c, last].map(\.requests.count), [1, 1, 1, 1])
    }

    @Test func chunkedEndsWithItsLastChunk() throws {
        let endpoint = rig.server.serve("/", resource(.chunked))
        let listener = try fetchAll(endpoint)
        try expectEqual(listener.bytes(), body)
        expectEqual(endpoint.requests.count, 1)
        #expect(!listener.source.snapshot.isSeekable)
        expectEqual(listener.source.snapshot.length, 300_000)
    }

    @Test func withoutLengthTheCloseIsTheEnd() throws {
        try expectAll(rig.server.serve("/", resource(.noLength)), ranges: ["bytes=0-"])
    }

    @Test func aStalledAnswerIsRequestedAgainALittleEarlier() throws {
        rig.settings.stallTimeout = .seconds(15)
        let endpoint = rig.server.serve("/", resource(.stall(at: 100_000, .gate(Gate()))), resource())
        try expectAll(endpoint, ranges: ["bytes=0-", "bytes=95904-"])
        // With it a server that names another version would send the whole file.
        expectEqual(endpoint.requests.last?["if-range"], nil)
    }

    @Test func aClosedAnswerContinuesALittleEarlier() throws {
        try expectAll(
            rig.server.serve("/", resource(.close(at: 123_457)), resource()), ranges: ["bytes=0-", "bytes=119361-"])
    }

    @Test func anEarlyCloseAndTwo503AreRetriedLater() throws {
        let endpoint = rig.server.serve("/", resource(.close(at: 100_000)), .status(503), .status(503), resource())
        try expectAll(endpoint, waits: 2, ranges: ["bytes=0-"] + Array(repeating: "bytes=95904-", count: 3))
    }

    @Test func aHostThatAnnouncesMoreThanItHasIsNotWaitedFor() throws {
        let endpoint = rig.server.serve("/x", .resource(Resource(body), faults: [.close(at: body.count - 1000)]))
        let listener = try fetchAll(endpoint, waits: 1)
        expectEqual(listener.source.snapshot.length, Int64(body.count - 1000))
        expectEqual(listener.source.snapshot.missing, 1000)
    }

    @Test func everyResetAnswerIsContinued() throws {
        let endpoint = rig.server.serve("/", resource(.resetAfter(80_000)))
        try expectAll(endpoint, ranges: ["bytes=0-", "bytes=75904-", "bytes=151808-", "bytes=227712-"])
    }

    /// A host whose machines give the same bytes different ETags or dates.
    @Test(arguments: [true, false]) func theSameBytesUnderAnotherNameEachTimeAreTaken(_ hasETag: Bool) throws {
        func named(_ number: Int, _ faults: Fault...) -> Answer {
            let date = "Mon, 0\(number) Jan 2024 00:00:00 GMT"
            let resource =
                hasETag
                ? Resource(body, etag: "\"\(number)\"", lastModified: nil)
                : Resource(body, etag: nil, lastModified: date)
            return .resource(resource, faults: faults)
        }
        let endpoint = rig.server.serve(
            "/", named(1, .reset(at: 150_000)), named(2), named(3, .reset(at: 200_000)), named(4))
        // The second answer's bytes are not taken before more of them were compared; after that names do not count.
        try expectAll(endpoint, ranges: ["bytes=0-", "bytes=145904-", "bytes=75000-", "bytes=195904-"])
    }

    @Test func anotherFileOfTheSameLengthIsNoticedByTheOverlap() throws {
        let other = Array(body.reversed())
        for etag in ["\"1\"", nil] {
            let endpoint = rig.server.serve(
                "/\(etag == nil)",
                .resource(Resource(body, etag: etag, lastModified: nil), faults: [.reset(at: 150_000)]),
                .resource(Resource(other, etag: etag, lastModified: nil)))
            let listener = try rig.open(endpoint.url, from: 0)
            expectEqual(listener.failure()?.kind, .changed)
            try expectEqual(listener.bytes(), Array(body[..<150_000]))
        }
    }

    @Test func aResetByAServerWithoutRangesIsSkippedOver() throws {
        let endpoint = rig.server.serve("/", resource(.reset(at: 100_000), .noRanges), resource(.noRanges))
        try expectAll(endpoint, ranges: ["bytes=0-", "bytes=95904-"])
    }

    @Test func refusedRangesAreSkippedOver() throws {
        let endpoint = rig.server.serve("/", resource(.reset(at: 100_000)), resource(.refusedRanges))
        try expectAll(endpoint, ranges: ["bytes=0-", "bytes=95904-", nil])
    }

    @Test func aWrongContentRangeIsNotTrusted() throws {
        let endpoint = rig.server.serve("/", resource(.reset(at: 100_000)), resource(.shiftedContentRange(7)))
        let requests = ["bytes=0-", "bytes=95904-", nil]
        try expectAll(endpoint, ranges: requests)
    }

    @Test func aFirst503IsRetriedLater() throws {
        let busy = Answer.status(503, fields: [("Retry-After", "40")], body: Array("busy".utf8))
        let endpoint = rig.server.serve("/", busy, resource())
        let listener = try fetchAll(endpoint, waits: 1)
        try expectEqual(listener.bytes(), body)
        expectContains(listener.phases, .waitingToRetry(attempt: 1, delay: 40, reason: "127.0.0.1 answered HTTP 503"))
    }

    @Test func aMissingAnswerIsRequestedAgain() throws {
        rig.settings.answerTimeout = .seconds(10)
        let endpoint = rig.server.serve("/", .after(.gate(Gate()), .status(200)), resource())
        try expectAll(endpoint, waits: 1, ranges: ["bytes=0-", "bytes=0-"])
    }

    @Test func aSlowServerIsNotHurried() throws {
        try expectAll(rig.server.serve("/", resource(.rate(1_000_000))), ranges: ["bytes=0-"])
    }

    @Test func invalidContentIsPassedOnUnchanged() throws {
        let endpoint = rig.server.serve("/", resource(.garbage(1000..<2000)))
        let listener = try fetchAll(endpoint)
        let bytes = try listener.bytes()
        expectEqual(bytes.count, body.count)
        #expect(bytes[..<1000] == body[..<1000] && bytes[2000...] == body[2000...])
    }

    @Test func aBodyShorterThanTheFeedSaidIsTheFile() throws {
        let endpoint = rig.server.serve("/", resource(.shortened(to: 150_000)))
        let listener = try fetchAll(endpoint)
        try expectEqual(listener.bytes(), Array(body[..<150_000]))
    }

    @Test func aBodyLongerThanAnnouncedEndsAtItsLength() throws {
        let endpoint = rig.server.serve("/", resource(.noRanges, .announcedLength(150_000)))
        let listener = try fetchAll(endpoint)
        try expectEqual(listener.bytes(), Array(body[..<150_000]))
    }
}

/// Permanent failures report their reason and leave no wrong files.
@Suite(.ownThread) struct FinalFaultTests {
    private let rig: CacheRig
    init() throws { rig = try CacheRig() }

    private func failure(_ answers: Answer...) throws -> (MediaFailure?, LoopbackServer.Endpoint) {
        let (first, rest) = (answers[0], answers.dropFirst().last)
        let endpoint = rest.map { rig.server.serve("/x", first, $0) } ?? rig.server.serve("/x", first)
        let listener = try rig.open(endpoint.url, from: 0)
        return (listener.failure(), endpoint)
    }

    @Test func aBodyThatIsCompressedAlthoughThatWasDeclinedIsDecoded() throws {
        // `printf hello | gzip -n`
        let gzip: [UInt8] = [
            0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0,
        ]
        let endpoint = rig.server.serve("/x", .status(200, fields: [("Content-Encoding", "gzip")], body: gzip))
        let listener = try rig.open(endpoint.url, from: 0)
        #expect(listener.waitsForCompletion())
        try expectEqual(listener.bytes(), Array("hello".utf8))
        expectEqual(listener.source.snapshot.length, 5)
        expectEqual(endpoint.requests.count, 2)
    }

    @Test func aStreamOfAShoutcastServerOfVersion1IsLive() throws {
        let head = "ICY 200 OK\r\nicy-notice1: SHOUTcast/Linux v1.9.8\r\nicy-name: Radio\r\n\r\n"
        let endpoint = rig.server.serve("/x", .raw(Array(head.utf8) + pattern(5000)))
        let listener = try rig.open(endpoint.url, from: 0)
        #expect(listener.waitsForBytes(0..<5000))
        try expectEqual(listener.bytes().prefix(5000).elementsEqual(pattern(5000)), true)
        #expect(listener.source.snapshot.isLive)
    }

    @Test func aBodyWithAnUnknownCodingFailsPermanentlyWithItsReason() throws {
        let (failure, endpoint) = try failure(
            .status(200, fields: [("Content-Encoding", "br")], body: pattern(5000)))
        expectEqual(failure?.kind, .network)
        expectEqual(failure?.message, "127.0.0.1: the content coding 'br' was not offered")
        expectEqual(endpoint.requests.count, 2)
    }

    @Test(
        arguments: [
            ("#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:10,\na.ts\n", "an HLS stream, which podcastd cannot play"),
            ("\u{FEFF}#EXTM3U\n#EXTINF:10,\na.mp3\n", "a playlist instead of audio"),
            ("[playlist]\nFile1=http://h/a.mp3\n", "a playlist instead of audio"),
            ("http://h/a.mp3\n", "a playlist instead of audio"), ("", "an empty file"),
        ])
    func aFileThatIsNoAudioIsRefusedByItsName(text: String, name: String) throws {
        let (failure, _) = try failure(.resource(Resource(Array(text.utf8))))
        expectEqual(failure, MediaFailure(.notAudio, "127.0.0.1 sent \(name)"))
        try expectEqual(rig.files(".bytes"), [])
    }

    @Test func aRefusalOfTheUserAgentNamesTheOption() throws {
        try expectEqual(failure(.status(403)).0?.message.contains("--user-agent"), true)
    }

    @Test(arguments: [403, 404, 410]) func aRefusalNamesTheCommandThatGetsANewAddress(code: Int) throws {
        let (failure, endpoint) = try failure(.status(code))
        for words in ["127.0.0.1", "'podcastctl refresh FEED'"] {
            expectEqual(failure?.message.contains(words), true)
        }
        expectEqual(endpoint.requests.count, 1)
    }

    @Test func aRedirectLoopFailsPermanently() throws {
        let (failure, endpoint) = try failure(.redirect(302, to: "/x"))
        expectEqual(failure?.kind, .network)
        #expect(endpoint.requests.count <= 21)
    }

    @Test func aRedirectToAFileFailsPermanently() throws {
        try expectEqual(failure(.redirect(302, to: "file:///etc/passwd")).0?.kind, .network)
    }

    @Test func aPrivateAddressIsRefusedAndNamedOnce() throws {
        let failure = try failure(.redirect(302, to: "http://169.254.169.254/x")).0
        expectEqual(failure?.kind, .forbidden)
        expectEqual(failure?.message.hasPrefix("169.254.169.254 has a private address"), true)
    }

    @Test func aWebPageIsNotAudioAndIsNotKept() throws {
        let page = Resource(
            Array("\n <!DOCTYPE html><html><title>Log in</title>".utf8) + pattern(500),
            contentType: "text/html; charset=utf-8")
        let (failure, _) = try failure(.resource(page))
        expectEqual(failure, MediaFailure(.notAudio, "127.0.0.1 sent a web page instead of audio"))
        try expectEqual(rig.files(".bytes"), [])
        try expectEqual(rig.files(".index"), [])
    }

    @Test func aShortWebPageIsRecognizedToo() throws {
        let page = Resource(Array("<html>no</html>".utf8), contentType: "text/html")
        try expectEqual(failure(.resource(page)).0?.kind, .notAudio)
    }

    @Test func audioWithTheContentTypeOfAWebPageIsAccepted() throws {
        let body = pattern(10_000)
        let endpoint = rig.server.serve("/", .resource(Resource(body, contentType: "text/html")))
        let listener = try rig.open(endpoint.url, from: 0)
        #expect(listener.waitsForCompletion())
        try expectEqual(listener.bytes(), body)
    }

    @Test func aChangedFileIsNeverMixedAndIsFetchedAgainNextTime() throws {
        let (old, new) = (pattern(200_000), Array(pattern(200_000).reversed()))
        let endpoint = rig.server.serve(
            "/", .resource(Resource(old), faults: [.reset(at: 100_000)]), .resource(Resource(new, etag: "\"2\"")))
        let listener = try rig.open(endpoint.url, from: 0)
        expectEqual(listener.failure()?.kind, .changed)
        // The old bytes can still be read; the next user gets only the new file.
        try expectEqual(listener.bytes(), Array(old[..<100_000]))
        let next = try rig.open(endpoint.url, from: 0)
        #expect(next.waitsForCompletion())
        try expectEqual(next.bytes(), new)
        expectEqual(endpoint.requests.last?["if-range"], nil)
    }

    @Test func aDeadServerIsRetriedAndThenGivenUp() throws {
        let port = try RefusingPort()
        let listener = try rig.open(port.url("/a.mp3"), from: 0)
        #expect(listener.waits { $0.isWaitingToRetry })
        rig.clock.advance(seconds: 31)
        let failure = try #require(listener.failure())
        expectEqual(failure.kind, .network)
        expectContains(failure.message, "tried for 31 s")
    }

    @Test func anUnknownHostNameIsRetriedLikeOtherNetworkFailures() throws {
        let listener = try rig.open("http://nowhere.invalid/a.mp3", from: 0)
        // The first retry uses libcurl's handle of the failed request again.
        for attempt in 1...2 {
            #expect(
                listener.waits {
                    guard case .waitingToRetry(attempt, _, let reason) = $0.phase else { return $0.failure != nil }
                    return reason.contains("unknown host nowhere.invalid")
                })
            expectEqual(listener.source.snapshot.failure, nil)
            rig.clock.advance(seconds: 2)
        }
    }

    @Test(arguments: ["file:///etc/passwd", "/etc/passwd", "ftp://127.0.0.1/x", ""])
    func otherSchemesAreRefusedAtOnce(url: String) throws {
        let cache = try rig.makeCache()
        #expect(throws: MediaFailure.self) { try cache.open(url) }
    }

    @Test func aCompressedFileThatGrowsWithoutBoundIsCutOff() throws {
        let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "RefreshToolTests/Fixtures/blanks-32-MiB.xml.gz")
        let bomb = [UInt8](try Data(contentsOf: fixtures))
        rig.settings.plan.maximumLength = 1 << 20
        let endpoint = rig.server.serve("/x", .status(200, fields: [("Content-Encoding", "gzip")], body: bomb))
        let listener = try rig.open(endpoint.url, from: 0)
        expectEqual(listener.failure()?.kind, .notAudio)
        #expect(listener.source.snapshot.available.allSatisfy { $0.upperBound <= 2 << 20 })
    }
}
