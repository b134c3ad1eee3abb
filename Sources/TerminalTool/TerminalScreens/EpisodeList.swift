internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import TableUI

/// Episodes of a feed, of a playlist or of all feeds: a section that asks the daemon for pages.
final class EpisodeList: ListSection {
    enum Scope {
        case all
        case feed(FeedID)
        case playlist(String)
    }

    private let context: ScreenContext
    private let scope: Scope
    private var rows = PagedRows<Episode>()
    /// The rows without a search, while there is one.
    private var allRows: PagedRows<Episode>?
    private var text: String?
    /// Of the pages that were asked for; an answer to earlier ones is not used.
    private var generation = 0
    private var isWaiting = false
    /// Rows without a search; nil while the daemon has not counted them.
    private var unfilteredTotal: Int?
    override var wholeTotal: Int? { unfilteredTotal }
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
        guard let episode = rows.row(at: index) else {
            row.title = "…"
            return
        }
        row.leadsFurther = true
        row.show(episode, context, showsFeed: !isOfOneFeed)
    }

    private var isOfOneFeed: Bool { if case .feed = scope { true } else { false } }

    override func select(at index: Int) { if let episode = rows.peek(index) { context.open(.episode(episode.id)) } }
    override func subject(at index: Int) -> Subject? { rows.peek(index).map { .episode($0) } }
    override func identity(at index: Int) -> Int64? { rows.peek(index)?.id.rawValue }
    override func index(of identity: Int64, near index: Int) -> Int? {
        rows.firstIndex(near: index) { $0.id.rawValue == identity }
    }

    override func search(_ text: String?) {
        let text = text.flatMap { $0.isEmpty ? nil : $0 }
        if text == self.text { return }
        if self.text == nil { allRows = rows }
        self.text = text
        if allRows?.isLoaded == false { countAll() }
        generation += 1
        isWaiting = false
        rows = text == nil ? allRows ?? PagedRows() : PagedRows()
        if text == nil { allRows = nil }
    }

    // MARK: pages

    /// Asks for what is missing of the visible rows.
    func load(_ visible: ClosedRange<Int>) {
        guard !isWaiting, let request = rows.request(for: visible) else { return }
        isWaiting = true
        let generation = generation
        fetch(page(for: request), matching: text) { [weak self] list in
            guard let self, self.generation == generation else { return }
            isWaiting = false
            guard let list else { return }
            if text == nil { unfilteredTotal = list.count.count }
            rows.take(
                .init(
                    rows: list.episodes.map(\.episode), keys: list.episodes.map { $0.key ?? "" }, next: list.next,
                    count: list.count), for: request)
            onChange()
        }
    }

    private func countAll() {
        var page = PageRequest()
        page.limit = 1
        fetch(page, matching: nil) { [weak self] list in
            guard let self, let list else { return }
            unfilteredTotal = list.count.count
            onChange()
        }
    }

    private func page(for request: PagedRows<Episode>.Request) -> PageRequest {
        var page = PageRequest()
        page.limit = PagedRows<Episode>.pageLength
        switch request {
        case .extend(let after): page.after = after
        case .extendBack(let before): page.before = before
        case .last: page.isLast = true
        case .again(_, let after, let limit): (page.after, page.limit) = (after, limit)
        }
        return page
    }

    private func fetch(
        _ page: PageRequest, matching text: String?, done: @escaping (EpisodeListReply?) -> Void
    ) {
        switch scope {
        case .playlist(let name):
            let command = ShowPlaylist {
                ($0.name, $0.search, $0.searchesFeedTitles, $0.page) = (name, text, text != nil, page)
            }
            context.read(command) { done($0?.list) }
        case .all:
            let command = ListEpisodes {
                ($0.search, $0.searchesFeedTitles, $0.order, $0.page) = (text, text != nil, .newest, page)
            }
            context.read(command, done: done)
        case .feed(let feed):
            context.read(
                ListEpisodes { ($0.feed, $0.search, $0.order, $0.page) = (feed.label, text, .newest, page) }, done: done
            )
        }
    }

    // MARK: changes

    /// Takes a change of the daemon's episodes: the rows of the event, else what is visible is read again.
    func apply(_ change: EventReply) {
        guard let changed = change.updatedEpisodes else { return reload() }
        for episode in changed.map(\.episode) {
            rows.replace(where: { $0.id == episode.id }, with: episode)
            allRows?.replace(where: { $0.id == episode.id }, with: episode)
        }
        onChange()
    }

    func reload() {
        generation += 1
        isWaiting = false
        rows.reload()
        allRows?.reload()
        if text != nil { countAll() }
        onChange()
    }
}

extension TableRow {
    /// An episode as lists show it.
    mutating func show(_ episode: Episode, _ context: ScreenContext, showsFeed: Bool) {
        title = episode.title
        detail = episode.duration?.description ?? ""
        isStarred = episode.state.isStarred
        isDimmed = episode.state.isPlayed || episode.state.hiddenReason != nil
        isCurrent = context.model.player.episode?.id == episode.id
        download = episode.state.isDownloaded ? .onDisk : .none
        if let duration = episode.duration, duration > .zero, episode.state.hasBegun {
            progress = episode.state.position.seconds / duration.seconds
        }
        if style == .columns { return showInColumns(episode, context, showsFeed: showsFeed) }
        subtitle = context.times.date(episode.published)
        if showsFeed { subtitle += "  \(episode.feedTitle)" }
        if let note = episode.state.note { subtitle += "  \(note)" }
    }

    private mutating func showInColumns(_ episode: Episode, _ context: ScreenContext, showsFeed: Bool) {
        subtitle = episode.state.note ?? ""
        if showsFeed { cells.append(Cell(episode.feedTitle, width: min(40, context.columns / 4))) }
        cells.append(Cell(context.times.date(episode.published), width: 10))
        cells.append(Cell(detail, width: 9, isAtRight: true))
    }
}
