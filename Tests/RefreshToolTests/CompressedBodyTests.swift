import CommandLineTool
import FeedRefresh
import JSON
import LoopbackServer
import PodcastModel
import Testing

/// Codings of a body as servers send them: the suffix of the fixture and what `Content-Encoding` calls it.
struct CompressedBodyTests {
    private static let codings = [("gz", "gzip"), ("br", "br"), ("zst", "zstd")]

    private func publish(_ fixture: String, _ coding: String, on rig: RefreshRig) throws -> LoopbackServer.Endpoint {
        let fields = [("Content-Type", "application/rss+xml"), ("Content-Encoding", coding)]
        return rig.server.serve("/feed.xml", .status(200, fields: fields, body: try RefreshRig.fixture(fixture)))
    }

    @Test(arguments: codings)
    func aCompressedFeedIsRead(suffix: String, coding: String) throws {
        let rig = try RefreshRig()
        let feed = try publish("two-episodes.xml.\(suffix)", coding, on: rig)
        #expect(try rig.run("add", feed.url).status == .success)
        #expect(try rig.titles() == ["The second", "The first"])
        #expect(feed.requests.first?["accept-encoding"]?.contains(coding) == true)
    }

    @Test(arguments: codings)
    func aBodyThatGrowsWithoutBoundIsCutOff(suffix: String, coding: String) throws {
        let rig = try RefreshRig()
        rig.limits = FetchLimits(bodyBytes: 1 << 20)
        let feed = try publish("blanks-32-MiB.xml.\(suffix)", coding, on: rig)
        let ending = try rig.run("add", feed.url)
        #expect(ending.status == .badData)
        #expect(ending.errors.contains("larger than 1 MiB"))
    }

    @Test(arguments: codings)
    func aBodyThatIsNotWhatItsCodingSaysIsAFailure(suffix: String, coding: String) throws {
        let rig = try RefreshRig()
        let feed = try publish("two-episodes.xml", coding, on: rig)
        let ending = try rig.run("add", feed.url)
        #expect(ending.status != .success)
        #expect(ending.errors.contains("the transfer failed"))
    }
}
