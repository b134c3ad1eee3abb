public import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

/// Owns a model of the daemon and can call commands.
public protocol ModelHolder: AnyObject {
    var model: ClientModel { get set }
    /// Calls a command. `done` gets nil if there is no reply.
    func read<Called: Command>(_ command: Called, done: @escaping (Called.Reply?) -> Void)
}

/// Keeps the model current: reads the wanted lists again when the daemon reports that the lists have changed. A read that failed is
/// repeated with the next event of any part.
public final class ModelReader {
    // The holder owns its reader.
    private unowned let holder: any ModelHolder
    private var wanted: StatusParts = []
    private var underWay: StatusParts = []
    /// Called with each change of episodes; a function that returns false is removed.
    public var onEpisodes: [(EventReply) -> Bool] = []
    public var onChange: (StatusParts) -> Void = { _ in }

    public init(_ holder: any ModelHolder) { self.holder = holder }

    /// Keeps the rows of the queue or of the feeds from now on.
    public func want(_ part: StatusPart) {
        wanted.insert(.init(part))
        read(part)
    }

    public func receive(_ event: ConnectionEvent) {
        holder.model.apply(event)
        switch event {
        case .greeted: underWay = []
        case .lost: break
        case .snapshot: changed(.all)
        case .changed(let change):
            if change.part == .episodes { onEpisodes.removeAll { !$0(change) } }
            changed(.init(change.part))
        }
    }

    private func changed(_ parts: StatusParts) {
        for part in holder.model.partsToReload.members where wanted.contains(part) { read(part) }
        onChange(parts)
    }

    private func read(_ part: StatusPart) {
        guard !underWay.contains(part) else { return }
        underWay.insert(.init(part))
        switch part {
        case .queue: readQueue(QueueListReply())
        case .feeds: readFeedList(FeedListReply(), at: holder.model.revision(of: .feeds))
        case .player, .episodes, .activities, .outputs, .settings, .playlists, .rules, .downloads, .sync: done(part)
        }
    }

    private func done(_ part: StatusPart) {
        underWay.remove(.init(part))
        onChange(.init(part))
    }

    private func readQueue(_ start: QueueListReply) {
        let after = start.entries.last?.index ?? 0
        holder.read(
            ListQueue {
                $0.after = after
                $0.limit = 1_000
            }
        ) { [weak self] page in
            guard let self, let page else { return self?.done(.queue) ?? () }
            // Otherwise the queue has changed between two pages, or since the page was made.
            let isOneQueue = after == 0 || page.extent.revision == start.extent.revision
            guard isOneQueue, page.extent.revision >= holder.model.queue.revision else {
                return readQueue(QueueListReply())
            }
            var list = page
            list.entries = start.entries + page.entries
            if page.hasAfter && !page.entries.isEmpty { return readQueue(list) }
            list.hasAfter = false
            holder.model.apply(list)
            done(.queue)
        }
    }

    /// - Parameter revision: the number of the last event of the feeds before the first page. A page of feeds has no revision, so the list
    ///   is read again if another event has come.
    private func readFeedList(_ start: FeedListReply, at revision: UInt64) {
        let after = start.rows.last?.key
        holder.read(
            ListFeeds {
                $0.after = after
                $0.limit = 1_000
            }
        ) { [weak self] page in
            guard let self else { return }
            let present = holder.model.revision(of: .feeds)
            guard present == revision else { return readFeedList(FeedListReply(), at: present) }
            guard let page else { return done(.feeds) }
            var list = page
            list.rows = start.rows + page.rows
            if page.hasAfter && !page.rows.isEmpty { return readFeedList(list, at: revision) }
            holder.model.apply(list)
            done(.feeds)
        }
    }
}
