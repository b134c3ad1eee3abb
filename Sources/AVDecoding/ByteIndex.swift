internal import PodcastModel

/// Places of packets in a format without times, about one a second, recorded while it is decoded from the beginning.
struct ByteIndex {
    struct Entry: Equatable {
        /// File offset of the packet.
        var offset: Int64
        var time: MediaTime
    }

    private var entries: [Entry] = []
    /// 100,000 entries are 27 hours and 1.6 MB.
    private static let limit = 100_000
    private static let step = MediaTime(milliseconds: 1000)

    mutating func note(_ entry: Entry) {
        guard entries.count < Self.limit else { return }
        if let last = entries.last, entry.time < last.time + Self.step || entry.offset <= last.offset { return }
        entries.append(entry)
    }

    /// The last entry before a time; nil if the decoded part ends farther before it than a distance.
    func entry(before time: MediaTime, within distance: MediaTime) -> Entry? {
        guard let last = entries.last, time <= last.time + distance else { return nil }
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].time <= time { low = middle + 1 } else { high = middle }
        }
        return entries[max(0, low - 1)]
    }

    /// Nil if less than five seconds were recorded.
    var bytesPerSecond: Double? {
        guard let first = entries.first, let last = entries.last, entries.count > 5 else { return nil }
        return Double(last.offset - first.offset) / (last.time - first.time).seconds
    }
}
