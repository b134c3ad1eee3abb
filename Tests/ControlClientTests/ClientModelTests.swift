import ControlClient
import ControlLanguage
import ControlProtocol
import JSON
import PodcastModel
import Reporting
import Testing
import TestSupport

@Suite(.ownThread) struct ClientModelTests {
    private let playing: JSONValue = ["state": "playing", "position": 10, "instant": 1_000_000_000, "pace": 2]

    private func snapshot(_ values: [StatusPart: JSONValue], sequence: UInt64 = 7) -> ConnectionEvent {
        var parts = SnapshotReply.Parts()
        for (part, value) in values { parts[part] = value }
        return .snapshot(SnapshotReply(sequence: sequence, parts: parts))
    }

    private func changed(_ part: StatusPart, _ value: JSONValue = .null, sequence: UInt64 = 8) -> ConnectionEvent {
        .changed(EventReply(sequence: sequence, part: part, value: value))
    }

    @Test func aSnapshotSetsTheValuesOfItsPartsAndNoOthers() {
        var model = ClientModel()
        model.apply(changed(.activities, [["id": 1, "message": "Refreshing feeds"]], sequence: 3))
        model.apply(
            snapshot([.player: playing, .outputs: [["name": "default", "specification": "null", "enabled": true]]]))
        expectEqual(model.player.state, .playing)
        expectEqual(model.outputs, [OutputReply(OutputSetup("default", "null"))])
        expectEqual(model.activities.map(\.message), ["Refreshing feeds"])
        expectEqual(model.revision(of: .player), 7)
        expectEqual(model.revision(of: .activities), 3)
        expectEqual(model.partsToReload.members, [])
    }

    @Test func anEventReplacesTheValueOfItsPart() {
        var model = ClientModel()
        model.apply(snapshot([.player: playing]))
        model.apply(changed(.player, ["state": "paused", "position": 12]))
        expectEqual(model.player.state, .paused)
        expectEqual(model.player.pace, 0)
        expectEqual(model.revision(of: .player), 8)
    }

    @Test func aValueThatCannotBeReadLeavesTheLastOne() {
        var model = ClientModel()
        model.apply(snapshot([.player: playing]))
        model.apply(changed(.player, ["state": "dancing"]))
        expectEqual(model.player.state, .playing)
    }

    @Test func aListIsReloadedAfterEachChangeUntilItsRowsAreThere() {
        var model = ClientModel()
        model.apply(changed(.queue, ["length": 2, "index": 1]))
        model.apply(changed(.settings))
        expectEqual(model.queue, QueueExtent(length: 2, index: 1))
        expectEqual(model.partsToReload.members, [.queue])
        let entry = EntryReply(id: EntryID(4), index: 1, isCurrent: true, episode: nil)
        model.apply(QueueListReply([entry], extent: QueueExtent(length: 1, index: 1), hasAfter: false))
        expectEqual(model.entries, [entry])
        expectEqual(model.queue.length, 1)
        expectEqual(model.partsToReload.members, [])
    }

    // MARK: changes of feeds and episodes

    private func feed(_ id: Int64, _ title: String) -> FeedReply {
        FeedReply(Feed(id: FeedID(id), url: "https://x.example/\(id)", title: title, subscribed: Timestamp(seconds: 0)))
    }

    private func listed(
        _ part: StatusPart, _ changes: [RowChange], since: UInt64 = 1, isComplete: Bool = true, value: JSONValue = .null
    ) -> ConnectionEvent {
        var event = EventReply(sequence: 9, part: part, value: value)
        (event.since, event.revision, event.changes) = (since, since + 1, changes)
        if !isComplete { event.needsReload = true }
        return .changed(event)
    }

    private func changed(_ feed: FeedReply, _ kind: RowChange.Kind = .update) -> RowChange {
        var change = RowChange(kind, feed.feed.id.rawValue)
        change.row = feed.json
        return change
    }

    @Test func rowsOfEventsReplaceThoseOfTheirFeeds() {
        var model = ClientModel()
        model.apply(FeedListReply([feed(1, "Alpha"), feed(2, "Delta")], hasAfter: false))
        model.apply(
            listed(
                .feeds, [changed(feed(3, "beta"), .insert), changed(feed(2, "Echo")), RowChange(.delete, 1)]))
        #expect(model.partsToReload.members == [] && model.feeds.map(\.feed.title) == ["beta", "Echo"])
        // The first refresh gives a feed its title.
        model.apply(listed(.feeds, [changed(feed(3, "Foxtrot"))], since: 2))
        expectEqual(model.feeds.map(\.feed.title), ["Echo", "Foxtrot"])
        model.apply(listed(.feeds, [RowChange(.update, 3)], since: 3))
        expectEqual(model.partsToReload.members, [.feeds])
    }

    @Test func anEventThatOnlyUpdatesEpisodesHasTheirRows() {
        var queued = EpisodeReply()
        queued.key = "k"
        var change = RowChange(.update, 0, [.mark])
        change.row = queued.json
        var event = EventReply(sequence: 1, part: .episodes, value: .null)
        event.changes = [change]
        expectEqual(event.updatedEpisodes, [queued])
        var model = modelWithQueue()
        let isQueued = model.apply(queued)
        #expect(isQueued)
        expectEqual(model.entries.map { $0.episode?.key }, ["k", "k", "k"])
        event.changes.append(RowChange(.update, 5))
        expectEqual(event.updatedEpisodes, nil)
        event.changes = [RowChange(.insert, 5)]
        expectEqual(event.updatedEpisodes, nil)
    }

    @Test func aListWhoseChangesAreUnknownIsReadAgain() {
        let unfitting: [ConnectionEvent] = [
            listed(.feeds, [], since: 2, isComplete: false), listed(.feeds, [changed(feed(1, "Alpha"))], since: 7),
            listed(.feeds, (1...60).map { RowChange(.update, $0) }, since: 2), changed(.feeds),
        ]
        for event in unfitting {
            var model = ClientModel()
            model.apply(FeedListReply([feed(1, "Alpha")], hasAfter: false))
            model.apply(listed(.feeds, [changed(feed(1, "Alpha"))]))
            expectEqual(model.partsToReload.members, [])
            model.apply(event)
            expectEqual(model.partsToReload.members, [.feeds])
        }
    }

    // MARK: changes of the queue

    /// A model that has read a queue of three entries at revision 5.
    private func modelWithQueue() -> ClientModel {
        var model = ClientModel()
        let entries = (1...3).map {
            EntryReply(id: EntryID(Int64($0)), index: $0, isCurrent: $0 == 1, episode: EpisodeReply())
        }
        model.apply(
            QueueListReply(entries, extent: QueueExtent(length: 3, index: 1, revision: 5), hasAfter: false))
        return model
    }

    private func edited(
        _ changes: [RowChange], since: UInt64 = 5, length: Int, index: Int? = 1, isComplete: Bool = true
    ) -> ConnectionEvent {
        let extent = QueueExtent(length: length, index: index, revision: since + 1)
        return listed(.queue, changes, since: since, isComplete: isComplete, value: extent.json)
    }

    @Test func changesOfTheQueueAreAppliedToItsEntries() {
        var model = modelWithQueue()
        model.apply(
            edited([RowChange(.delete, 2, index: 2), RowChange(.move, 3, index: 1, from: 2)], length: 2, index: 2))
        expectEqual(model.entries.map(\.id.rawValue), [3, 1])
        expectEqual(model.entries.map(\.index), [1, 2])
        expectEqual(model.entries.map(\.isCurrent), [false, true])
        expectEqual(model.partsToReload.members, [])
    }

    @Test func anInsertedEntryIsInItsPlaceUntilItsEpisodeIsRead() {
        var model = modelWithQueue()
        model.apply(edited([RowChange(.insert, 9, episode: EpisodeID(4), index: 2)], length: 4))
        expectEqual(model.entries.map(\.id.rawValue), [1, 9, 2, 3])
        expectEqual(model.entries[1].episode, nil)
        expectEqual(model.partsToReload.members, [.queue])
        // The next change still applies.
        model.apply(edited([RowChange(.delete, 9, index: 2)], since: 6, length: 3))
        expectEqual(model.entries.map(\.id.rawValue), [1, 2, 3])
    }

    @Test func anotherCurrentEntryNeedsNoReading() {
        var model = modelWithQueue()
        let extent = QueueExtent(length: 3, index: 3, revision: 5)
        model.apply(changed(.queue, extent.json))
        expectEqual(model.entries.map(\.isCurrent), [false, false, true])
        expectEqual(model.partsToReload.members, [])
    }

    @Test func aQueueWhoseChangesAreUnknownIsReadAgain() {
        let unfitting: [ConnectionEvent] = [
            edited([], length: 9, isComplete: false), edited([RowChange(.delete, 2, index: 2)], since: 7, length: 2),
            edited([RowChange(.delete, 2, index: 1)], length: 2),
            edited([RowChange(.move, 2, index: 1, from: 8)], length: 3),
            edited([RowChange(.insert, 8, index: 9)], length: 4), changed(.queue, ["length": 2, "index": 1]),
        ]
        for event in unfitting {
            var model = modelWithQueue()
            model.apply(event)
            expectEqual(model.partsToReload.members, [.queue])
        }
    }

    @Test func afterALostConnectionTheQueueIsReadAgain() {
        var model = modelWithQueue()
        model.apply(.lost(.closed))
        model.apply(snapshot([.queue: QueueExtent(length: 3, index: 1, revision: 5).json]))
        expectEqual(model.partsToReload.members, [.queue])
    }

    @Test func aLostConnectionLeavesTheLastValues() {
        var model = ClientModel()
        model.apply(.greeted(HelloReply(server: VersionReply(version: "1"), permission: .control)))
        model.apply(snapshot([.player: playing]))
        expectEqual(model.greeting?.permission, .control)
        model.apply(.lost(.closed))
        expectEqual(model.greeting, nil)
        expectEqual(model.player.state, .playing)
    }

    @Test func thePositionRunsOnAtThePaceUpToTheEnd() throws {
        var player = try #require(PlayerReply(json: playing))
        expectEqual(player.position(at: Instant(nanoseconds: 1_000_000_000)), MediaTime(seconds: 10))
        expectEqual(player.position(at: Instant(nanoseconds: 3_500_000_000)), MediaTime(seconds: 15))
        // An instant before the value's own changes nothing.
        expectEqual(player.position(at: Instant(nanoseconds: 0)), MediaTime(seconds: 10))
        player.duration = MediaTime(seconds: 12)
        expectEqual(player.position(at: Instant(nanoseconds: 3_500_000_000)), MediaTime(seconds: 12))
        // A duration that was estimated too short does not take the position back.
        player.duration = MediaTime(seconds: 9)
        expectEqual(player.position(at: Instant(nanoseconds: 3_500_000_000)), MediaTime(seconds: 10))
        player.pace = 0
        expectEqual(player.position(at: Instant(nanoseconds: 3_500_000_000)), MediaTime(seconds: 10))
    }
}
