import CommandLineTool
import Library
import LoopbackServer
import PodcastModel
import TestSupport
import Testing

/// Rules and retention when no daemon runs.
@Suite(.ownThread) struct RuleTests {
    @Test func aRefreshJudgesWhatItBrings() throws {
        let rig = try RefreshRig()
        let old = try rig.publish("two-episodes.xml")
        try expectEqual(rig.run("add", old.url).status, .success)
        _ = try rig.store().rules.addRule(RuleText(parsing: "title:third then queue"), feed: nil)
        try rig.publish("three-episodes-one-renamed.xml", etag: "\"2\"")
        try expectEqual(rig.run("--force").status, .success)
        let store = try rig.store()
        try expectEqual(store.episodes.episodes(store.queue.queue().entries.map(\.episode)).map(\.title), ["The third"])
        try expectEqual(rig.run("--force").status, .success)
        try expectEqual(store.queue.queue().entries.count, 1)
    }

    @Test func aRefreshDropsWhatNoPolicyKeeps() throws {
        let rig = try RefreshRig()
        let endpoint = try rig.publish("two-episodes.xml")
        try expectEqual(rig.run("add", endpoint.url).status, .success)
        try rig.store().retention.setRetention(RetentionPolicy(parsing: "newest:1"), of: nil)
        try expectEqual(rig.run("--force").status, .success)
        try expectEqual(rig.titles().count, 1)
    }

    @Test func aDaemonsLibraryIsLeftToTheDaemon() throws {
        let rig = try RefreshRig()
        let old = try rig.publish("two-episodes.xml")
        try expectEqual(rig.run("add", old.url).status, .success)
        _ = try rig.store().rules.addRule(RuleText(parsing: "then skip"), feed: nil)
        let daemon = try LibraryLock(.daemon, in: rig.data)
        try rig.publish("three-episodes-one-renamed.xml", etag: "\"2\"")
        try expectEqual(rig.run("--force").status, .success)
        try expectEqual(rig.titles().count, 3)
        try expectEqual(
            rig.store().rules.applyToNewEpisodes(nextIndex: nil, at: Timestamp(seconds: 0)).changed.count, 1)
        withExtendedLifetime(daemon) {}
    }
}
