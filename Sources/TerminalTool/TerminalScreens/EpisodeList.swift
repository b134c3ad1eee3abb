internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

/// Episodes of a feed, of a playlist or of all feeds: a section that asks the daemon for pages.
final class EpisodeList: ListSection {
    enum Scope: Hashable {
        case all
        case feed(FeedID)
        case playlist(String)
    }

    private let context: ScreenContext
    private let scope: Scope
    private var rows = PagedRows()
    /// The rows without a search, while there is one.
    private var allRows: PagedRows?
    private var text: String?
    /// Of the pages that were asked for; an answer to earlier ones is not used.
    private var generation = 0
    private var isWaiting = false
    /// The name of the playlist, if its rows can be removed and moved.
    private var editable: String?
    /// The row that gets the cursor, until it is read.
    private var sought: EpisodeID?
    var count: RowCount { rows.total }
    var onChange: () -> Void = {}

    init(_ context: ScreenContext, _ scope: Scope) {
        self.context = context
        self.scope = scope
    }

    override var isLoaded: Bool { rows.isLoaded }
    override var rowCount: Int { rows.count }
    override var total: Int { rows.total.count }
    override var isTotalExact: Bool { rows.total.isExact }
    override func style(at index: Int) -> TableRow.Style { context.isWide ? .columns : .media }
    override func fill(_ row: inout TableRow, at index: Int) {
        guard let episode = rows[index] else { return row.title = "…" }
        row.leadsFurther = true
        row.show(episode, context, showsFeed: !isOfOneFeed)
    }

    private var isOfOneFeed: Bool { if case .feed = scope { true } else { false } }

    override func select(at index: Int) { if let episode = rows[index] { context.open(.episode(episode.id)) } }
    override func subject(at index: Int) -> Subject? { rows[index].map { .episode($0) } }
    override func identity(at index: Int) -> Int64? { rows[index]?.id.rawValue }
    override func index(of identity: Int64, near index: Int) -> Int? { rows.index(of: EpisodeID(identity)) }

    override func search(_ text: String?) {
        let text = text.flatMap(\.nonEmpty)
        if text == self.text { return }
        if self.text == nil { allRows = rows }
        self.text = text
        sought = nil
        generation += 1
        isWaiting = false
        rows = text == nil ? allRows ?? PagedRows() : PagedRows()
        if text == nil { allRows = nil }
    }

    override func endSearch(at index: Int) -> Int? {
        let kept = rows[index]?.id
        search(nil)
        let index = kept.flatMap { rows.index(of: $0) }
        if index == nil {
            rows = PagedRows()
            sought = kept
        }
        return index
    }

    // MARK: entries of a playlist by hand

    override func editingStyle(at index: Int) -> EditingStyle { editable == nil ? .none : .delete }
    override func canMove(at index: Int) -> Bool { editable != nil && text == nil }

    override func delete(at index: Int) {
        guard let editable, let episode = rows[index] else { return }
        let command = DropFromPlaylist {
            $0.name = editable
            $0.what = [text == nil ? "#\(index + 1)" : episode.id.label]
        }
        context.run(command) { [context] _ in context.promise("removed \(episode.title) from \(editable)") }
    }

    override func move(_ index: Int, to target: Int) {
        guard let editable else { return }
        context.run(
            MoveInPlaylist {
                $0.name = editable
                $0.from = "#\(index + 1)"
                $0.to = target + 1
            })
    }

    // MARK: order

    /// Nil for the order of a playlist.
    var isOldestFirst: Bool? { if case .playlist = scope { nil } else { context.oldestFirst.contains(scope) } }

    override func reverse() -> Bool {
        if isOldestFirst == nil { return false }
        context.oldestFirst.formSymmetricDifference([scope])
        rows = PagedRows()
        allRows = allRows.map { _ in PagedRows() }
        reload()
        return true
    }

    // MARK: pages

    /// Asks for what is missing of the visible rows.
    func load(_ visible: ClosedRange<Int>) {
        guard !isWaiting, let request = sought == nil ? rows.request(for: visible) : rows.continuation else { return }
        isWaiting = true
        let generation = generation
        fetch(page(for: request), matching: text) { [weak self] list in
            guard let self, self.generation == generation else { return }
            isWaiting = false
            guard let list else { return }
            rows.receive(list, for: request)
            onChange()
            guard let sought else { return }
            let index = rows.index(of: sought)
            if index != nil || rows.continuation == nil { self.sought = nil }
            if let index { onReturn(index) }
        }
    }

    private func page(for request: PagedRows.Request) -> PageRequest {
        var page = PageRequest()
        page.limit = sought == nil ? PagedRows.pageLength : PagedRows.mostRows
        switch request {
        case .first: break
        case .last: page.isLast = true
        case .after(let key): page.after = key
        case .before(let key): page.before = key
        case .again(let key, let limit):
            page.after = key
            page.limit = limit
        }
        return page
    }

    /// Sends a text with a colon as a filter expression; searches for its words if the daemon rejects that.
    private func fetch(_ page: PageRequest, matching text: String?, done: @escaping (EpisodeListReply?) -> Void) {
        guard let text, text.contains(":") else { return fetch(page, search: text, done: done) }
        fetch(page, filter: text) { [weak self] list in
            if list == nil { self?.fetch(page, search: text, done: done) } else { done(list) }
        }
    }

    private func fetch(
        _ page: PageRequest, search text: String? = nil, filter: String? = nil,
        done: @escaping (EpisodeListReply?) -> Void
    ) {
        if case .playlist(let name) = scope {
            let command = ShowPlaylist {
                $0.name = name
                $0.search = text
                $0.searchesFeedTitles = text != nil
                $0.filter = filter
                $0.page = page
            }
            return context.read(command) { [weak self] page in
                if let page { self?.editable = page.isByHand ? page.name : nil }
                done(page?.list)
            }
        }
        let command = ListEpisodes {
            $0.search = text
            $0.filter = filter
            $0.page = page
            $0.order = isOldestFirst == true ? .oldestFirst : .newestFirst
            if case .feed(let feed) = scope { $0.feed = feed.label } else { $0.searchesFeedTitles = text != nil }
        }
        context.read(command, done: done)
    }

    // MARK: changes

    /// Takes a change of the daemon's episodes: the rows of the event, else what is visible is read again.
    func apply(_ change: EventReply) {
        guard let changed = change.updatedEpisodes else { return reload() }
        for row in changed {
            rows.replace(row)
            allRows?.replace(row)
        }
        onChange()
    }

    func reload() {
        generation += 1
        isWaiting = false
        rows.reload()
        allRows?.reload()
        onChange()
    }
}
