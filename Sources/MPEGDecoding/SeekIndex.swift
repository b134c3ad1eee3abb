internal import PodcastModel

/// Where MPEG frames stand, noted while they are decoded one after another from the beginning: seeking to a noted place is
/// exact, and what is decoded there is, to the bit, what was decoded before.
struct SeekIndex {
    struct Entry: Equatable {
        /// The file's byte where the MPEG frame begins.
        var offset: Int64
        /// Its first sample's place in what is heard; negative inside the encoder's delay.
        var position: Int64
        /// Frames of PCM per second there.
        var rate: Int
    }

    /// MPEG frames from one entry to the next. The synthesis filter's ring has 16 places: decoding that begins a multiple
    /// of 16 frames earlier or later adds up in the same order.
    static let stride: Int64 = 16
    /// 131,072 entries are 15 hours at 44.1 kHz and 3 MiB.
    static let limit = 131_072

    private(set) var entries: [Entry] = []

    /// Notes an MPEG frame by its number from the beginning; only every sixteenth is kept.
    mutating func note(frame number: Int64, _ entry: @autoclosure () -> Entry) {
        guard number == Int64(entries.count) * Self.stride, entries.count < Self.limit else { return }
        entries.append(entry())
    }

    /// The number of the entry at or before a time; nil when nothing is noted.
    func last(before time: MediaTime) -> Int? {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if MediaTime(frames: entries[middle].position, rate: entries[middle].rate) <= time {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return entries.isEmpty ? nil : max(0, low - 1)
    }
}
