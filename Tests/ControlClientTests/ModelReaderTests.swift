import ControlClient
import ControlLanguage
import ControlProtocol
import JSON
import PodcastModel
import TestSupport
import Testing

/// Lists that change while they are read.
@Suite struct ModelReaderTests {
    /// A holder whose calls the test answers.
    private final class Holder: ModelHolder {
        var model = ClientModel()
        private var calls: [(JSONValue?) -> Void] = []
        private(set) var parameters: [JSONValue?] = []

        func read<Called: Command>(_ command: Called, done: @escaping (Called.Reply?) -> Void) {
            parameters.append(command.params)
            calls.append { done($0.flatMap(Called.Reply.init(json:))) }
        }

        func answer(_ reply: some ReplyObject) { calls.removeFirst()(reply.json) }
        var isWaiting: Bool { !calls.isEmpty }
    }

    private let holder: Holder
    private let reader: ModelReader

    init() {
        holder = Holder()
        reader = ModelReader(holder)
    }

    private func page(_ ids: Range<Int64>, of length: Int, revision: UInt64) -> QueueListReply {
        let entries = ids.map { EntryReply(id: EntryID($0), index: Int($0), isCurrent: false, episode: nil) }
        return QueueListReply(
            entries, extent: QueueExtent(length: length, index: nil, revision: revision),
            hasAfter: Int(ids.upperBound) <= length)
    }

    @Test func aQueueThatChangesBetweenTwoPagesIsReadFromItsBeginning() {
        reader.want(.queue)
        holder.answer(page(1..<3, of: 3, revision: 5))
        holder.answer(page(3..<4, of: 3, revision: 6))
        expectEqual(holder.parameters.last, holder.parameters.first)
        expectEqual(holder.model.entries, [])
        holder.answer(page(1..<4, of: 3, revision: 6))
        expectEqual(holder.model.entries.map(\.id.rawValue), [1, 2, 3])
        #expect(!holder.isWaiting)
    }

    @Test func aQueueThatChangesWhileItIsReadIsReadAgain() {
        reader.want(.queue)
        let extent = QueueExtent(length: 1, index: nil, revision: 6)
        reader.receive(.changed(EventReply(sequence: 8, part: .queue, value: extent.json)))
        holder.answer(page(1..<3, of: 2, revision: 5))
        holder.answer(page(1..<2, of: 1, revision: 6))
        expectEqual(holder.model.entries.map(\.id.rawValue), [1])
        #expect(!holder.isWaiting && holder.model.partsToReload.members.isEmpty)
    }

    @Test func feedsThatChangeWhileTheyAreReadAreReadAgain() {
        reader.want(.feeds)
        reader.receive(.changed(EventReply(sequence: 8, part: .feeds, value: .null)))
        holder.answer(FeedListReply())
        #expect(holder.isWaiting)
        let feed = Feed(id: FeedID(1), url: "", title: "Tides", subscribed: Timestamp(seconds: 0))
        holder.answer(FeedListReply([FeedReply(feed, key: "1")], hasAfter: false))
        expectEqual(holder.model.feeds.map(\.feed.title), ["Tides"])
        #expect(!holder.isWaiting)
    }
}
