internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

/// A list that is longer than memory allows: pages are asked for when a row of theirs is shown, by the key of the row before
/// or after them, and forgotten when the view is elsewhere. Their keys stay.
struct PagedRows<Row> {
    /// A page as the daemon answered it.
    struct Page {
        var rows: [Row]
        /// The key of each row.
        var keys: [String]
        /// Where the list goes on after this page, or before it if it was asked for backwards; nil at the end.
        var next: String?
        var count: RowCount
    }

    /// What to ask for.
    enum Request: Equatable {
        /// The page after the known ones; `after` is nil for the first.
        case extend(after: String?)
        /// The page before the known end of the list.
        case extendBack(before: String)
        case last
        /// A page that was forgotten: its place among the pages, and how many rows to ask for.
        case again(Int, after: String?, limit: Int)
    }

    private struct Known {
        /// Of the first row.
        var start: Int
        var count: Int
        /// The `after` with which it was asked for.
        var after: String?
        /// The key of its last row.
        var last: String
        var rows: [Row]?
    }

    /// Rows of a page.
    static var pageLength: Int { 100 }
    /// Pages whose rows are kept.
    private static var mostPages: Int { 12 }

    /// Pages from the beginning.
    private var head: [Known] = []
    /// The key after which the next page comes; nil if it is the first or there is none.
    private var headNext: String?
    private var headIsWhole = false
    /// Rows at the end, of which the first pages are not known: at most `pageLength` × 4.
    private var tail: [Row] = []
    private var tailNext: String?
    /// The list's length in the daemon's last reply.
    private(set) var total = RowCount.exactly(0)
    private(set) var isLoaded = false
    /// The row that was asked for last.
    private var wanted = 0

    private var headCount: Int { head.last.map { $0.start + $0.count } ?? 0 }

    /// Rows of the whole list, as far as is known.
    var count: Int {
        if headIsWhole { return headCount }
        return max(total.count, headCount + tail.count + (isLoaded ? 1 : 0))
    }

    /// Nil while it is not loaded.
    mutating func row(at index: Int) -> Row? {
        wanted = index
        return peek(index)
    }

    func peek(_ index: Int) -> Row? {
        if index < headCount {
            guard let page = page(of: index) else { return nil }
            return head[page].rows?[index - head[page].start]
        }
        let place = index - (count - tail.count)
        return tail.indices.contains(place) ? tail[place] : nil
    }

    /// Replaces a loaded row.
    mutating func replace(where isSame: (Row) -> Bool, with row: Row) {
        for page in head.indices {
            if let index = head[page].rows?.firstIndex(where: isSame) { head[page].rows?[index] = row }
        }
        for index in tail.indices where isSame(tail[index]) { tail[index] = row }
    }

    func firstIndex(near index: Int, where isSame: (Row) -> Bool) -> Int? {
        for offset in 0..<(2 * Self.pageLength) {
            for candidate in [index + offset, index - offset] where candidate >= 0 && candidate < count {
                if let row = peek(candidate), isSame(row) { return candidate }
            }
        }
        return nil
    }

    private func page(of index: Int) -> Int? {
        var (low, high) = (0, head.count)
        while low < high {
            let middle = (low + high) / 2
            if head[middle].start + head[middle].count <= index { low = middle + 1 } else { high = middle }
        }
        return low < head.count ? low : nil
    }

    /// The request that loads missing rows of a range or just after it; nil if none is missing.
    ///
    /// - Parameter rows: those that are visible.
    func request(for rows: ClosedRange<Int>) -> Request? {
        if !isLoaded { return .extend(after: nil) }
        for index in [rows.lowerBound, rows.upperBound, rows.upperBound + Self.pageLength / 2] where index < count {
            if peek(index) != nil { continue }
            if index < headCount, let page = page(of: index) {
                let known = head[page]
                return .again(page, after: known.after, limit: min(1_000, known.count + Self.pageLength))
            }
            if headIsWhole { continue }
            // The nearer end; the list must have a known length for counting from its end.
            let fromEnd = count - tail.count - index
            if total.isExact, fromEnd < index - headCount {
                if tail.isEmpty { return .last }
                if tail.count < Self.pageLength * 4, let tailNext { return .extendBack(before: tailNext) }
            }
            return .extend(after: headNext)
        }
        return nil
    }

    /// Takes the answer to a request.
    mutating func take(_ page: Page, for request: Request) {
        isLoaded = true
        total = page.count
        switch request {
        case .extend(let after):
            guard after == headNext || head.isEmpty else { return }
            if !page.rows.isEmpty, let last = page.keys.last {
                head.append(
                    Known(start: headCount, count: page.rows.count, after: after, last: last, rows: page.rows))
            }
            headNext = page.next
            if page.next == nil {
                headIsWhole = true
                tail = []
            } else if total.isExact, headCount + tail.count > total.count {
                // The pages from both ends have met.
                tail.removeFirst(min(tail.count, headCount + tail.count - total.count))
            }
        case .extendBack(let before):
            guard before == tailNext else { return }
            tail = page.rows + tail
            tailNext = page.next
            tail.removeFirst(min(tail.count, max(0, headCount + tail.count - total.count)))
        case .last:
            tail = page.rows
            tailNext = page.next
            tail.removeFirst(min(tail.count, max(0, headCount + tail.count - total.count)))
        case .again(let index, let after, _):
            guard head.indices.contains(index), head[index].after == after else { return }
            // The page ends with the row that ended it before, also if rows came or went in between.
            guard let last = page.keys.firstIndex(of: head[index].last) else {
                self = Self(total: page.count)
                return
            }
            head[index].rows = Array(page.rows[...last])
            head[index].count = last + 1
            for later in head.indices.dropFirst(index + 1) {
                head[later].start = head[later - 1].start + head[later - 1].count
            }
        }
        forgetFarPages()
    }

    init() {}

    private init(total: RowCount) {
        self.total = total
    }

    /// Forgets the rows, because the list has changed; what is visible is asked for again.
    mutating func reload() {
        for page in head.indices { head[page].rows = nil }
        tail = []
        tailNext = nil
        // What came after the last page is asked for anew, too.
        if headIsWhole, let last = head.popLast() {
            headIsWhole = false
            headNext = last.after
        }
        if head.isEmpty { isLoaded = false }
    }

    private mutating func forgetFarPages() {
        let loaded = head.indices.filter { head[$0].rows != nil }
        guard loaded.count > Self.mostPages else { return }
        let starts = head.map(\.start)
        let nearest = loaded.sorted { abs(starts[$0] - wanted) < abs(starts[$1] - wanted) }
        for page in nearest.dropFirst(Self.mostPages) {
            head[page].rows = nil
        }
    }
}
