import CommandLineTool
@testable import RefreshTool
import JSON
import LoopbackServer
import PodcastModel
import Testing
import TestSupport

/// Feeds with a content coding.
@Suite(.ownThread) struct CompressedBodyTests {
    private func publish(_ fixture: String, _ coding: String, on rig: RefreshRig) throws -> LoopbackServer.Endpoint {
        let fields = [("Content-Type", "application/rss+xml"), ("Content-Encoding", coding)]
        return rig.serve("/feed.xml", .status(200, fields: fields, body: try RefreshRig.fixture(fixture)))
    }

    @Test func aCompressedFeedIsRead() throws {
        let rig = try RefreshRig()
        let feed = try publish("two-episodes.xml.gz", "gzip", on: rig)
        try expectEqual(rig.run("add", feed.url).status, .success)
        try expectEqual(rig.titles(), ["The second", "The first"])
        expectEqual(feed.requests.first?["accept-encoding"], "gzip")
    }

    @Test(arguments: [("br", "br"), ("zst", "zstd")])
    func aCodingThatWasNotOfferedIsAFailureWithItsName(suffix: String, coding: String) throws {
        let rig = try RefreshRig()
        let feed = try publish("two-episodes.xml.\(suffix)", coding, on: rig)
        let ending = try rig.run("add", feed.url)
        #expect(ending.status != .success)
        expectContains(ending.errors, "the content coding '\(coding)' was not offered")
    }

    @Test func aBodyThatGrowsWithoutBoundIsCutOff() throws {
        let rig = try RefreshRig()
        rig.limits = FetchLimits(bodyBytes: 1 << 20)
        let feed = try publish("blanks-32-MiB.xml.gz", "gzip", on: rig)
        try expectOutcome(rig.run("add", feed.url), .badData, errors: "larger than 1 MiB")
    }

    @Test func aBodyThatIsNotWhatItsCodingSaysIsAFailure() throws {
        let rig = try RefreshRig()
        let feed = try publish("two-episodes.xml", "gzip", on: rig)
        let ending = try rig.run("add", feed.url)
        #expect(ending.status != .success)
        expectContains(ending.errors, "transfer failed")
    }
}
