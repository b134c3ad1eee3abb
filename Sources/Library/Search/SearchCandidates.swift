internal import LibraryModel
internal import PodcastModel
internal import SQLite

extension LibraryStore {
    /// Episodes of a filter whose numbers are kept while it is searched: so many are read in some milliseconds.
    private static let mostCandidates = 20_000

    /// The numbers of a filter's episodes without its words, ascending, when they are few; nil when they are not. Then rows
    /// that have the words need not be read to know that they do not fit.
    func searchCandidates(of filter: EpisodeFilter) throws -> [Int64]? {
        guard try isRare(filter), let view = ViewQuery(filter) else { return nil }
        let numbers: [Int64] = try connection.column(view.numbers(limit: Self.mostCandidates + 1))
        return numbers.count > Self.mostCandidates ? nil : numbers.sorted()
    }

    /// Whether a counter says that few episodes have one of a filter's conditions.
    private func isRare(_ filter: EpisodeFilter) throws -> Bool {
        if filter.showsSetAside { return false }
        var conditions = [filter.feed.map { EpisodeFilter(feed: $0) }]
        if filter.isStarred == true { conditions.append(EpisodeFilter(isStarred: true)) }
        if filter.isDownloaded == true { conditions.append(EpisodeFilter(isDownloaded: true)) }
        if filter.isInProgress == true { conditions.append(EpisodeFilter(isInProgress: true)) }
        if let isPlayed = filter.isPlayed { conditions.append(EpisodeFilter(isPlayed: isPlayed)) }
        for case let condition? in conditions {
            guard let counter = EpisodeRows.counter(condition) else { continue }
            if let count: Int = try connection.value(counter), count <= Self.mostCandidates { return true }
        }
        return false
    }
}

extension [Int64] {
    /// Where members of a range stand in an ascending list.
    func places(of range: Swift.Range<Int64>) -> Swift.Range<Int> {
        func place(_ bound: Int64) -> Int {
            var (low, high) = (0, count)
            while low < high {
                let middle = (low + high) / 2
                if self[middle] < bound { low = middle + 1 } else { high = middle }
            }
            return low
        }
        return place(range.lowerBound)..<place(range.upperBound)
    }
}
