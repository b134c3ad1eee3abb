internal import PodcastModel

/// Places of MPEG frames, recorded while they are decoded from the beginning. Seeks to them are exact, and decoding there gives
/// bit-identical samples.
struct SeekIndex {
    struct Entry: Equatable {
        /// File offset of the MPEG frame.
        var offset: Int64
        /// Position of its first sample; negative within the encoder's delay.
        var position: Int64
        /// Frames of PCM per second there.
        var rate: Int
    }

    /// MPEG frames between two entries. The synthesis filter's ring has 16 slots: decoding that begins a multiple of 16 frames
    /// earlier or later adds in the same order, so its results are identical.
    static let stride: Int64 = 16
    /// 131,072 entries are 15 hours at 44.1 kHz and 3 MiB.
    static let limit = 131_072

    private(set) var entries: [Entry] = []

    /// Records an MPEG frame by its number from the beginning; only every sixteenth is kept.
    mutating func note(frame number: Int64, _ entry: @autoclosure () -> Entry) {
        guard number == Int64(entries.count) * Self.stride, entries.count < Self.limit else { return }
        entries.append(entry())
    }

    /// The number of the entry at or before a time; nil if there are none.
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
