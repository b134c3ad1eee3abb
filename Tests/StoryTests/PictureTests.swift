import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// Covers of feeds and episodes.
@Suite(.ownThread, .timeLimit(.minutes(5)))
struct PictureTests {
    private let server: LoopbackServer
    private let feed: LoopbackServer.Endpoint
    private let cover: LoopbackServer.Endpoint
    private let broken: LoopbackServer.Endpoint
    private let covered: LoopbackServer.Endpoint
    private let daemon: RunningDaemon

    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "AVDecodingTests/Fixtures")

    init() throws {
        let picture = try Data(contentsOf: Self.fixtures.appending(path: "opaque.png"))
        server = try LoopbackServer()
        cover = server.serve("/cover.png") { _ in
            .resource(Resource(Array(picture), contentType: "image/png", etag: nil, lastModified: nil))
        }
        broken = server.serve("/broken.png") { _ in
            .resource(Resource(Array("none".utf8), contentType: "image/png", etag: nil, lastModified: nil))
        }
        let audio = try Data(contentsOf: Self.fixtures.appending(path: "covered.mp3"))
        covered = server.serve("/covered.mp3", .resource(Resource(Array(audio))))
        let document = """
            <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>Show</title>
            <itunes:image href="\(cover.url)"/>
            <item><title>Plain</title><guid>1</guid><enclosure url="1.mp3" type="audio/mpeg" length="1"/></item>
            <item><title>Broken</title><guid>2</guid><enclosure url="2.mp3" type="audio/mpeg" length="1"/>
            <itunes:image href="\(broken.url)"/></item>
            <item><title>Covered</title><guid>3</guid><enclosure url="\(covered.url)" type="audio/mpeg" length="1"/></item>
            </channel></rss>
            """
        feed = server.serve("/feed.xml") { _ in
            .resource(
                Resource(Array(document.utf8), contentType: "application/rss+xml", etag: nil, lastModified: nil))
        }
        daemon = try RunningDaemon(in: try Scratch())
        let subscribed = try ctl("subscribe", feed.url)
        try #require(subscribed.status == 0, "\(subscribed.errors)")
    }

    private func ctl(_ arguments: String...) throws -> (status: Int32?, output: [UInt8], errors: String) {
        let file = daemon.scratch.path + "/picture-\(UUID().uuidString)"
        _ = FileManager.default.createFile(atPath: file, contents: nil)
        let output = try FileHandle(forWritingTo: URL(filePath: file))
        defer { try? output.close() }
        let collected = try CollectedOutput.of(
            Launch(
                Programs.path("podcastctl"), ["--socket", daemon.socketPath] + arguments,
                environment: ["PATH=/usr/bin:/bin", "HOME=\(daemon.scratch.path)"]),
            limit: 1 << 20, outputTo: output.fileDescriptor)
        guard case .exited(let status) = collected.status else { return (nil, [], "") }
        return (
            status, [UInt8](try Data(contentsOf: URL(filePath: file))),
            String(decoding: collected.errors, as: UTF8.self)
        )
    }

    @Test func aFeedAndAnEpisodeWithoutACoverOfItsOwnHaveTheSame() throws {
        let ofFeed = try ctl("picture", "f1", "--size", "20")
        expectEqual(ofFeed.status, 0, "\(ofFeed.errors)")
        #expect(ofFeed.output.starts(with: [0xFF, 0xD8, 0xFF]))
        let ofEpisode = try ctl("picture", "plain", "--size", "20")
        expectEqual(ofEpisode.output, ofFeed.output)
        expectEqual(cover.requests.count, 1, "the small copy is kept")
    }

    @Test func theCoverInAFileOnDiskComesBeforeTheFeeds() throws {
        let before = try ctl("picture", "covered", "--size", "20")
        expectEqual(before.status, 0, "\(before.errors)")
        try expectEqual(ctl("picture", "f1", "--size", "20").output, before.output)
        #expect(covered.requests.isEmpty, "nothing is fetched for a picture")
        try expectEqual(ctl("download", "covered", "--wait").status, 0)
        // At once, and from what is kept.
        for _ in 0..<2 {
            let reply = try daemon.connect().call(GetPicture { ($0.what, $0.size) = ("covered", 20) })
            #expect(reply.url == covered.url && !reply.data.isEmpty)
        }
        #expect(try ctl("picture", "covered", "--size", "20").output.starts(with: [0xFF, 0xD8, 0xFF]))
    }

    @Test func aSingleFileHasTheCoverInIt() throws {
        let audio = try Data(contentsOf: Self.fixtures.appending(path: "covered.mp3"))
        let loose = server.serve("/loose.mp3", .resource(Resource(Array(audio))))
        try expectEqual(ctl("add", loose.url).status, 0)
        let client = try daemon.connect()
        func hasPicture(_ word: String) throws -> Bool { try client.call(ShowEpisode { $0.episode = word }).hasPicture }
        try expectContains(ctl("picture", "loose.mp3").errors, "names no picture")
        #expect(try hasPicture("plain") && !hasPicture("loose.mp3"))
        try expectEqual(ctl("download", "loose.mp3", "--wait").status, 0)
        #expect(try hasPicture("loose.mp3"))
        #expect(try ctl("picture", "loose.mp3").output.starts(with: [0xFF, 0xD8, 0xFF]))
    }

    @Test func aProgramCanAskForPixels() throws {
        let pixmap = try ctl("picture", "f1", "--size", "20", "--encoding", "ppm")
        #expect(pixmap.output.starts(with: Array("P6\n20 10\n255\n".utf8)), "\(pixmap.errors)")
        #expect(PictureFormat.ppm.longestSide * PictureFormat.ppm.longestSide * 4 < Outgoing.maximumLine - 4096)
    }

    @Test func whatIsNoPictureIsRefusedWithTheCause() throws {
        try expectOutcome(daemon.ctl("picture", "broken"), 65, errors: "no picture that can be decoded")
        try expectOutcome(daemon.ctl("picture", "broken"), 75, errors: "tried again after an hour")
    }
}
