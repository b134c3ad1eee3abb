internal import ControlProtocol
internal import PodcastModel

/// The part of a long list of episodes that is in memory. Pages extend this window when rows near its ends are shown, and
/// rows at the other end are forgotten. A jump to the first or the last row begins a new window.
struct PagedRows {
    enum Request: Equatable {
        case first, last
        case after(String)
        case before(String)
        /// The rows of the window after they may have changed: those after the row with this key; nil for the first rows.
        case again(after: String?, limit: Int)
    }

    static let pageLength = 100
    /// Rows of the window. A reply has at most 1,000.
    static let mostRows = 900

    private var rows: [EpisodeReply] = []
    /// The index of the window's first row in the list.
    private var start = 0
    /// Whether the window ends with the last row of the list.
    private var isAtEnd = false
    /// Whether the list has changed since the window was read.
    private var isStale = false
    /// The list's length in the daemon's last reply.
    private(set) var total = RowCount.exactly(0)
    private(set) var isLoaded = false

    private var end: Int { start + rows.count }

    /// Rows of the whole list, as far as is known.
    var count: Int { isAtEnd ? end : max(total.count, end + (isLoaded ? 1 : 0)) }

    /// Nil while the row is not loaded.
    subscript(index: Int) -> Episode? { rows.indices.contains(index - start) ? rows[index - start].episode : nil }

    /// Shows the new content of an episode, at the episode's place.
    mutating func replace(_ row: EpisodeReply) {
        for index in rows.indices where rows[index].episode.id == row.episode.id {
            let key = rows[index].key
            rows[index] = row
            rows[index].key = key
        }
    }

    func index(of episode: EpisodeID) -> Int? {
        rows.firstIndex { $0.episode.id == episode }.map { start + $0 }
    }

    /// The request for the rows after the window; nil at the end of the list.
    var continuation: Request? {
        if !isLoaded { return .first }
        return isAtEnd ? nil : rows.last?.key.map { .after($0) }
    }

    /// Reads the window again with the next request, because the list has changed.
    mutating func reload() { isStale = true }

    /// The request for rows that are missing of the shown rows, or near them; nil if no row is missing.
    mutating func request(for visible: ClosedRange<Int>) -> Request? {
        if !isLoaded || isStale && rows.isEmpty { return .first }
        let near = (visible.lowerBound - Self.pageLength / 2)...(visible.upperBound + Self.pageLength / 2)
        if isStale, near.overlaps(start..<end) { return requestAgain(near) }
        for index in [visible.lowerBound, visible.upperBound, near.lowerBound, near.upperBound]
        where (0..<count).contains(index) && self[index] == nil {
            // Jumps to an end of the list if it is nearer to the row than the window is.
            if index < start { return index < start - index ? .first : rows.first?.key.map { .before($0) } ?? .first }
            if total.isExact, count - index < index - end { return .last }
            return rows.last?.key.map { .after($0) } ?? .first
        }
        return nil
    }

    /// Shortens the window to the rows that are near, and requests these.
    private mutating func requestAgain(_ near: ClosedRange<Int>) -> Request {
        shorten(to: rows.indices.clamped(to: near.lowerBound - start..<near.upperBound + 1 - start))
        var before: String?
        if start > 0, let first = rows.first {
            before = first.key
            shorten(to: 1..<rows.count)
        }
        return .again(after: before, limit: rows.count + Self.pageLength)
    }

    private mutating func shorten(to range: Range<Int>) {
        if range.upperBound < rows.count { isAtEnd = false }
        rows = Array(rows[range])
        start += range.lowerBound
    }

    mutating func receive(_ page: EpisodeListReply, for request: Request) {
        isLoaded = true
        total = page.count
        let new = page.episodes
        let isLast = page.next == nil
        switch request {
        case .first, .last, .again:
            rows = new
            isStale = false
            isAtEnd = isLast || request == .last
            if request == .first { start = 0 }
            if request == .last { start = isLast ? 0 : max(1, total.count - new.count) }
            // All rows from here on have gone.
            if rows.isEmpty, start > 0 { self = Self() }
        case .after(let key):
            guard rows.last?.key == key else { return }
            rows += new
            isAtEnd = isLast
            shorten(to: max(0, rows.count - Self.mostRows)..<rows.count)
        case .before(let key):
            guard rows.first?.key == key else { return }
            rows = new + rows
            start = isLast ? 0 : max(1, start - new.count)
            shorten(to: 0..<min(rows.count, Self.mostRows))
        }
    }
}
