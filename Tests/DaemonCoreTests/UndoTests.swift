@testable import DaemonCore
import Configuration
import ControlLanguage
import Foundation
import Library
import Playback
import PodcastModel
import TestSupport
import Testing

@Suite struct UndoTests {
    /// An episode with a saved position, and its entry in the queue.
    private func entry(_ daemon: TestDaemon, _ episode: EpisodeID, at seconds: Double) async throws -> QueueEntry {
        try await daemon.parts.library.perform {
            try $0.episodes.savePosition(
                MediaTime(seconds: seconds), of: episode, at: Timestamp(seconds: 100), isDurable: true)
        }
        return try await daemon.parts.queue.add([episode], at: nil)[0]
    }

    @Test func undoingASeekSeeksBackToThePosition() async throws {
        try await TestDaemon.run { daemon in
            let (parts, episode) = (daemon.parts, try await daemon.addEpisodes("Alpha")[0])
            try await parts.play(entry(daemon, episode, at: 60), at: nil, isNew: false)
            try await parts.seek(to: .absolute(MediaTime(seconds: 300)))
            expectEqual(parts.player.status.position, MediaTime(seconds: 300))
            try await expectEqual(parts.undo(.undo).kind, .seek)
            expectEqual(parts.player.status.position, MediaTime(seconds: 60))
        }
    }

    @Test func aPositionThatAStartElsewhereReplacesIsUndone() async throws {
        try await TestDaemon.run { daemon in
            let (parts, episode) = (daemon.parts, try await daemon.addEpisodes("Alpha")[0])
            try await parts.play(entry(daemon, episode, at: 540), at: .zero, isNew: true)
            expectEqual(parts.player.status.position, .zero)
            try await expectEqual(parts.undo(.undo).kind, .seek)
            expectEqual(parts.player.status.position, MediaTime(seconds: 540))
        }
    }

    @Test func undoingTheSeekOfAnotherEpisodeLeavesThePlayerAlone() async throws {
        try await TestDaemon.run { daemon in
            let (parts, episodes) = (daemon.parts, try await daemon.addEpisodes("Alpha", "Beta"))
            let first = try await entry(daemon, episodes[0], at: 60)
            let second = try await entry(daemon, episodes[1], at: 30)
            try await parts.play(first, at: nil, isNew: false)
            try await parts.seek(to: .absolute(MediaTime(seconds: 300)))
            try await parts.play(second, at: nil, isNew: false)
            try await expectEqual(parts.undo(.undo).kind, .seek)
            expectEqual(parts.player.status.entry, second)
            // The saved position of the second episode, or the beginning until it is read.
            expectContains([.zero, MediaTime(seconds: 30)], parts.player.status.position)
        }
    }

    @Test func aSettingIsUndoneInOrderWithOtherActsAndDoneAgain() async throws {
        try await TestDaemon.run { daemon in
            let (parts, episode) = (daemon.parts, try await daemon.addEpisodes("Alpha")[0])
            func mono() -> String? { parts.settings.current.settings.value(of: "playback.mono", from: .client) }
            try await parts.changeSetting("playback.mono", to: "yes", as: .set)
            try await parts.library.perform { try $0.episodes.setStarred(true, [episode]) }
            try await parts.changeSetting("playback.mono", to: "no", as: .set)
            _ = try await parts.undo(.undo)
            expectEqual(mono(), "yes")
            try await expectEqual(parts.undo(.undo).kind, .starred)
            _ = try await parts.undo(.undo)
            expectEqual(mono(), nil)
            for _ in 1...3 { _ = try await parts.undo(.redo) }
            expectEqual(mono(), "no")
        }
    }

    @Test func aSettingThatCannotBeStoredCanBeUndoneLater() async throws {
        try await TestDaemon.run { daemon in
            let parts = daemon.parts
            try await parts.changeSetting("playback.mono", to: "yes", as: .set)
            // A folder in its place takes no file.
            let file = parts.places.data.clientSettings
            try FileManager.default.removeItem(atPath: file)
            try FileManager.default.createDirectory(atPath: file + "/full", withIntermediateDirectories: true)
            let failure = await #expect(throws: ControlError.self) { try await parts.undo(.undo) }
            expectEqual(failure?.code, .storageFailed)
            try FileManager.default.removeItem(atPath: file)
            try await expectEqual(parts.undo(.undo).title, "playback.mono")
            expectEqual(parts.settings.current.settings.value(of: "playback.mono", from: .client), nil)
        }
    }

    @Test func withoutAnActionThereIsNothingToUndo() async throws {
        try await TestDaemon.run { daemon in
            let parts = daemon.parts
            try await expectEqual(parts.undo(.undo).kind, .subscribed)
            let undone = await #expect(throws: ControlError.self) { try await parts.undo(.undo) }
            expectEqual(undone?.what, "there is nothing to undo")
            try await expectEqual(parts.undo(.redo).kind, .subscribed)
            let redone = await #expect(throws: ControlError.self) { try await parts.undo(.redo) }
            expectEqual(redone?.what, "there is nothing to redo")
        }
    }

    @Test func anActThatAnotherClientHasUndoneIsNotMistakenForAnother() async throws {
        try await TestDaemon.run { daemon in
            let parts = daemon.parts
            let acts = try await parts.library.read { try $0.history.steps(.undo, at: Timestamp(seconds: 100)) }
            let act = try #require(acts.first).id
            _ = try await parts.undo(.undo, act: act)
            let error = await #expect(throws: ControlError.self) { try await parts.undo(.undo, act: act) }
            #expect(error?.code == .conflict && error?.status == 75)
        }
    }

    @Test func anEntryThatUndoBringsBackIsReportedWithItsEpisode() async throws {
        let daemon = try await TestDaemon()
        let queue = daemon.parts.queue
        _ = try await queue.add(try await daemon.addEpisodes("Blue"), at: nil)
        let revision = queue.extent.revision
        try await queue.clear()
        _ = try await daemon.parts.undo(.undo)
        try await queue.clear()
        _ = try await daemon.parts.undo(.undo)
        expectEqual(daemon.parts.update(of: .queue, since: revision).changes?.last?.kind, .insert)
        await daemon.stop()
    }
}
