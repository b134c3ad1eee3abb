@testable import DaemonCore
import ControlLanguage
import ControlProtocol
import Library
import PodcastModel
import TestSupport
import Testing

@Suite struct RuleCommandTests {
    /// More than one commit takes.
    private let titles = (1...450).map { "Part \($0)" }

    private func addRule(_ text: String, _ daemon: TestDaemon) async throws {
        try await daemon.parts.library.perform { _ = try $0.rules.addRule(RuleText(parsing: text), feed: nil) }
    }

    @Test func newEpisodesAreJudgedUntilNoneIsLeft() async throws {
        try await TestDaemon.run { daemon in
            try await addRule("title:part then queue", daemon)
            // The back catalogue is not judged.
            _ = try await daemon.addEpisodes("Old")
            _ = try await daemon.addEpisodes(["Old"] + titles)
            await expectEqual(daemon.parts.rules.applyToNew(), titles.count)
            expectEqual(daemon.parts.queue.snapshot.count, titles.count)
            await expectEqual(daemon.parts.rules.applyToNew(), 0)
        }
    }

    @Test func storedEpisodesAreJudgedOnRequest() async throws {
        try await TestDaemon.run { daemon in
            _ = try await daemon.addEpisodes(titles)
            try await addRule("title:\"part 77\" then played", daemon)
            let reply = try await daemon.parts.rules.apply(ApplyRules { $0.isOfAll = true })
            expectEqual(reply.judged, titles.count)
            expectEqual(reply.changed, 1)
        }
    }

    @Test func aDryRunListsChangesAndLeavesTheQueue() async throws {
        try await TestDaemon.run { daemon in
            _ = try await daemon.addEpisodes(titles)
            try await addRule("title:\"part 7\" then next", daemon)
            let trial = try await daemon.parts.rules.apply(ApplyRules { ($0.isOfAll, $0.isTrial) = (true, true) })
            expectEqual(trial.changed, 11)
            expectEqual(trial.episodes.count, 11)
            #expect(trial.episodes.allSatisfy { $0.action == "next" && $0.why == "rule 1: title:\"part 7\"" })
            expectEqual(daemon.parts.queue.snapshot.count, 0)
            let applied = try await daemon.parts.rules.apply(ApplyRules { $0.isOfAll = true })
            #expect(applied.changed == 11 && applied.episodes.isEmpty)
            expectEqual(daemon.parts.queue.snapshot.count, 11)
        }
    }
}
