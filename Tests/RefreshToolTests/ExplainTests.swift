import Library
import CommandLineTool
import Foundation
import JSON
import LibraryModel
import LoopbackServer
import PodcastModel
import Testing

struct ExplainTests {
    @Test func aFeedIsExplainedFromRedirectsToTheNextTry() throws {
        let rig = try RefreshRig()
        let feed = try rig.publish("two-episodes.xml")
        #expect(try rig.run("add", feed.url).status == .success)
        let moved = rig.server.serve("/feed.xml", .redirect(301, to: "/new.xml"))
        let new = try rig.publish("bare-ampersand.xml", at: "/new.xml", etag: "\"new\"")
        let before = try rig.store().feed(FeedID(1))
        let ending = try rig.run("explain", "two epi")
        #expect(ending.status == .success)
        for part in [
            "next due        20", "301 for good to \(new.url)", "ETag: \"new\"", "1 repair", "  ETag            \"1\"",
        ] {
            #expect(ending.output.contains(part))
        }
        #expect(try rig.store().feed(FeedID(1)) == before)
        withExtendedLifetime(moved) {}
    }

    @Test func anAddressOutsideTheLibraryIsExplainedToo() throws {
        let rig = try RefreshRig()
        let feed = try rig.publish("two-episodes.xml")
        let ending = try rig.run("explain", "--json", feed.url)
        #expect(ending.json["fetch"]?["outcome"] == "feed" && ending.json["fetch"]?["items"] == 2)
        #expect(ending.json["library"] == nil)
        #expect(try rig.run("explain", "nonesuch").status == .noInput)
    }

    @Test func aFailureIsPartOfTheExplanation() throws {
        let rig = try RefreshRig()
        let ending = try rig.run("explain", rig.server.url("/missing"))
        #expect(ending.status == .badData)
        #expect(ending.output.contains("failed: is not there (status 404)"))
    }
}
