@testable import Library
import PodcastModel
import SQLite
import TestSupport
import Testing

struct EmptyActTests {
    @Test func whatChangesNothingIsNotAnActAndLeavesWhatCanBeDoneAgain() throws {
        let (store, ids) = try storeWithThree()
        let feed = try store.episodes.episode(ids[0]).feed
        let entries = try store.queue.insertEntries([ids[0], ids[1]], at: 0)
        try store.episodes.setPlayed(true, [ids[0]], at: day0)
        try store.retention.setRetention(RetentionPolicy(parsing: "newest:5"), of: nil)
        try store.episodes.setStarred(true, [ids[1]])
        let expected = try store.history.undoableSteps().dropFirst().map(\.act)
        try expectEqual(store.history.undoLast()?.kind, .starred)
        try store.queue.moveEntries([entries[0].id], to: 0)
        try store.queue.moveEntries([entries[1].id], to: 9)
        try store.episodes.setPlayed(true, [ids[0]], at: day0.adding(days: 1))
        try store.episodes.setPlayed(false, [ids[2]], at: day0)
        try store.retention.setRetention(RetentionPolicy(parsing: "newest:5"), of: nil)
        try store.retention.setRetention(nil, of: feed)
        try store.feeds.setSetting("title", to: nil, of: feed)
        try store.episodes.setNote(nil, of: ids[0])
        try store.episodes.setStarred(false, ids)
        try expectEqual(store.history.undoableSteps().map(\.act), Array(expected))
        try expectEqual(store.history.redoLast()?.kind, .starred)
    }
}

/// The first listed step is the one that is undone, with what it names and counts.
struct AnnouncedUndoTests {
    private let library: TemporaryLibrary
    private let store: LibraryStore
    private let ids: [EpisodeID]

    init() throws {
        (library, store) = try openLibrary()
        _ = try store.addFeed(items: (1...5).map { item($0) })
        ids = try store.all(order: .oldestFirst).map(\.id)
    }

    private func setVolume(from old: Int, to new: Int, at time: Timestamp = day0) throws {
        let change = SettingChange(.volume, from: "\(old)", to: "\(new)")
        try store.history.recordSettings([change], as: .set, title: "volume", at: time)
    }

    @Test func volumeThatReturnsToItsStartIsNoStep() throws {
        try store.episodes.setStarred(true, [ids[0]])
        try setVolume(from: 100, to: 80)
        try setVolume(from: 80, to: 100)
        try expectEqual(store.history.undoableSteps().map(\.act), [.starred])
    }

    @Test func volumeThatIsTurnedInStepsIsUndoneAsOne() throws {
        try setVolume(from: 100, to: 80)
        try setVolume(from: 80, to: 60)
        try setVolume(from: 60, to: 30)
        try expectEqual(store.history.undoableSteps().map(\.count), [1])
        try expectEqual(
            store.history.undoLast()?.settings, [ClientSetting(.volume, "100", replaced: "30")])
    }

    @Test func aSliderThatIsDraggedBackIsNoStep() throws {
        try store.episodes.savePosition(MediaTime(seconds: 9), of: ids[0], at: day0, isDurable: true)
        try store.history.recordSeek(of: ids[0], from: MediaTime(seconds: 50), at: day0)
        try store.episodes.savePosition(MediaTime(seconds: 50), of: ids[0], at: day0, isDurable: true)
        try store.history.recordSeek(of: ids[0], from: MediaTime(seconds: 9), at: day0)
        #expect(try store.history.undoableSteps().isEmpty)
        try expectEqual(store.episodes.episode(ids[0]).state.position, MediaTime(seconds: 50))
    }

    @Test func aStepWithoutEffectIsReportedInsteadOfUndoingAnother() throws {
        try store.episodes.setStarred(true, [ids[0]])
        try store.episodes.setNote("remember", of: ids[1])
        let note = try #require(try store.history.undoableSteps().first)
        try library.connection().run("DELETE FROM note")
        let told = try #require(try store.history.undoLast())
        #expect(told.kind == .noted && told.title == note.title && told.obstacle != nil)
        try expectEqual(store.history.undoLast()?.kind, .starred)
    }

    @Test func aMoveNamesAndCountsTheMovedEntries() throws {
        let entries = try store.queue.insertEntries(ids, at: 0)
        // Until there is no room between two places, so that all entries are renumbered.
        for turn in 0..<25 {
            let order = try store.queue.queue().entries
            try store.queue.moveEntries(order.suffix(2).map(\.id), to: 1)
            let step = try #require(try store.history.undoableSteps().first)
            let first = try store.episodes.episode(order[entries.count - 2].episode).title
            #expect(step.act == .moved && step.count == 2 && step.title == first, "turn \(turn)")
            if turn % 5 == 4 {
                let undone = try #require(try store.history.undoLast())
                #expect(undone.title == first && undone.entries == 2)
                try expectEqual(store.queue.queue().entries, order)
                try expectEqual(store.history.steps(.redo, at: day0).map(\.count), [2])
                _ = try store.history.redoLast()
            }
        }
    }

    @Test func anAdditionCountsItsOwnEntriesWhenOthersGiveWay() throws {
        for index in 0..<25 {
            _ = try store.queue.insertEntries([ids[index % 5]], at: index == 0 ? 0 : 1)
            let step = try #require(try store.history.undoableSteps().first)
            #expect(step.act == .added && step.count == 1)
            expectEqual(step.title, try store.episodes.episode(ids[index % 5]).title)
        }
    }

    @Test(arguments: UInt64(1)...12)
    func theFirstListedStepIsTheOneThatIsUndone(seed: UInt64) throws {
        var random = SeededNumbers(state: seed)
        var (volume, queue) = (100, [QueueEntry]())
        for number in 0..<60 {
            let time = day0.adding(seconds: Int64(number * Int.random(in: 1...40, using: &random)))
            let some = Array(ids.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)))
            queue = try store.queue.queue().entries
            switch Int.random(in: 0..<9, using: &random) {
            case 0: try store.episodes.setStarred(Bool.random(using: &random), some)
            case 1: try store.episodes.setPlayed(Bool.random(using: &random), some, at: time)
            case 2: try store.episodes.setNote(["a", "b", nil].randomElement(using: &random)!, of: some[0])
            case 3: _ = try store.queue.insertEntries(some, at: Int.random(in: 0...queue.count, using: &random))
            case 4: try store.queue.removeEntries(queue.shuffled(using: &random).prefix(2).map(\.id))
            case 5:
                let moved = queue.prefix(Int.random(in: 0...3, using: &random)).map(\.id)
                if !moved.isEmpty {
                    try store.queue.moveEntries(moved, to: Int.random(in: 0...queue.count, using: &random))
                }
            case 6:
                try store.history.recordSeek(
                    of: some[0], from: MediaTime(seconds: Double(Int.random(in: 1...3, using: &random))), at: time)
            case 7:
                let wanted = [80, 90, 100].randomElement(using: &random)!
                if wanted != volume { try setVolume(from: volume, to: wanted, at: time) }
                volume = wanted
            default:
                let listed = try store.history.steps(.undo, at: time).first
                let done = try store.history.turnLast(.undo, step: nil, at: time)
                #expect(done?.kind == listed?.act && done?.obstacle == nil, "act \(number)")
                let (named, shown): (String, String) = (
                    done?.title ?? done?.episodes.first?.title ?? "", listed?.title ?? ""
                )
                expectEqual(named, shown)
                if let setting = done?.settings.first { volume = Int(setting.value ?? "100") ?? 100 }
            }
        }
    }
}
