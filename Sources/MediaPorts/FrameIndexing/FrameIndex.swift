public import PodcastModel

/// Places of a media file's frames, ascending, counted from the file's beginning, so that seeks by an entry are exact.
public struct FrameIndex: Equatable, Sendable {
    /// A place from which decoding can begin.
    public struct Entry: Equatable, Sendable {
        /// The decoder's seek target: a file offset, or a time in the container's unit.
        public var key: Int64
        /// Position of the first frame at this place; negative within the encoder's delay.
        public var position: Int64
        /// Frames per second of `position`.
        public var rate: Int

        public init(key: Int64, position: Int64, rate: Int) {
            self.key = key
            self.position = position
            self.rate = rate
        }

        public var time: MediaTime { MediaTime(frames: position, rate: rate) }
    }

    /// Maximum number of entries: 15 hours of MPEG audio at 44.1 kHz, 36 hours of other audio, and 3 MiB.
    public static let limit = 131_072

    public private(set) var entries: [Entry] = []

    public init() {}

    public var last: Entry? { entries.last }

    /// Adds an entry after the others. Returns false if the entry is not after the others, or there are too many.
    @discardableResult
    public mutating func append(_ entry: Entry) -> Bool {
        let isAfterLast = last.map { entry.key > $0.key && entry.time > $0.time } ?? true
        guard entries.count < Self.limit, isAfterLast else { return false }
        entries.append(entry)
        return true
    }

    mutating func removeEntries(from number: Int) { entries.removeLast(max(0, entries.count - max(0, number))) }

    /// The number of the last entry at or before a time, or of the first one; nil if there are none.
    public func number(before time: MediaTime) -> Int? { entries.isEmpty ? nil : max(0, count { $0.time <= time } - 1) }

    public func entry(key: Int64) -> Entry? {
        let number = count { $0.key < key }
        return number < entries.count && entries[number].key == key ? entries[number] : nil
    }

    /// Partition point: number of leading entries that satisfy the condition.
    private func count(_ condition: (Entry) -> Bool) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if condition(entries[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// Two frames that were decoded after a seek to an estimated place, with their assigned positions. With both a position
/// saved in that session leads to the same frame in a later session, independent of later knowledge of the file.
public struct EstimatedPlaces: Equatable, Sendable {
    /// Minimum between two places: more than is decoded ahead of the playhead, so that the playhead is after `former`.
    static let distance = MediaTime(seconds: 120)
    /// After `latest`, until the next place is recorded.
    private static let reach = MediaTime(seconds: 240)

    public let former: FrameIndex.Entry
    public let latest: FrameIndex.Entry

    /// The place of a seek. Later entries must have the same rate.
    public init(landing: FrameIndex.Entry) {
        former = landing
        latest = landing
    }

    /// Nil if the second does not follow the first.
    init?(former: FrameIndex.Entry, latest: FrameIndex.Entry) {
        guard former.rate == latest.rate, former.key >= 0, former.key <= latest.key, former.position <= latest.position
        else { return nil }
        self.former = former
        self.latest = latest
    }

    /// With a later frame; nil if the frame is still near.
    public func moved(to entry: FrameIndex.Entry) -> EstimatedPlaces? {
        guard entry.time - latest.time >= Self.distance else { return nil }
        return EstimatedPlaces(former: latest, latest: entry)
    }

    /// The place from which a time can be reached; nil for a time that was not decoded then.
    /// - Parameter runUp: the time that must be decoded before.
    public func place(before time: MediaTime, runUp: MediaTime) -> FrameIndex.Entry? {
        guard time >= former.time, time <= latest.time + Self.reach else { return nil }
        return time >= latest.time + runUp ? latest : former
    }
}
