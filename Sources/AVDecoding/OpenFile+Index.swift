internal import FFmpeg
internal import MediaPorts
internal import PodcastModel

extension OpenFile {
    private static let step = MediaTime(milliseconds: 1000)
    /// Every packet up to this time is recorded.
    private static let beginning = MediaTime(milliseconds: 2000)
    /// Up to this distance from the last entry, frames are decoded instead of estimating a place.
    private static let decodedDistance = MediaTime(milliseconds: 30_000)

    var index: FrameIndex { places.index }

    /// Reads the index of earlier sessions. `start` is the key of the first packet, `rate` its frames per second.
    func loadIndex(start: Int64, rate: Int) {
        note(.init(key: start, position: 0, rate: rate))
        guard let length = input.length else { return }
        let file = IndexedFile(
            kind: container.formatName + " " + container.codecName, start: start, length: length)
        let first = index.entries.first
        places.load(file, from: input) { [self] last, entry in
            if isUntimed { return last == nil ? entry == first : entry.key < length }
            return isPlausible(entry)
        }
    }

    /// True if the container's times agree with an entry, within the tolerance for counted frames.
    func isPlausible(_ entry: FrameIndex.Entry) -> Bool {
        guard let stamped = position(of: entry.key, rate: entry.rate) else { return false }
        let (distance, overflow) = stamped.subtractingReportingOverflow(entry.position)
        return !overflow && distance.magnitude <= UInt64(entry.rate / 10)
    }

    /// Records the place of a counted frame.
    func note(_ entry: FrameIndex.Entry) {
        guard let last = index.last else { return places.append(entry, input) }
        // At the beginning containers write times that differ after a seek, so more entries are needed.
        let isDue = entry.time >= last.time + Self.step || entry.time < Self.beginning && entry.time > last.time
        if isDue { return places.append(entry, input) }
        guard let known = index.entry(key: entry.key), known != entry else { return }
        // The index belongs to other bytes.
        places.removeEntries(from: index.number(before: known.time) ?? 0, input)
    }

    /// Stores where positions are estimated; nil if they are exact.
    func use(_ estimate: EstimatedPlaces?) { places.use(estimate, input) }

    /// Discards an index that belongs to other bytes.
    func distrustIndex() {
        places.removeEntries(from: 1, input)
        use(nil)
    }

    func storeIndex() { places.store(input) }

    /// The last entry before a time, if frames can be counted from there.
    func entry(before time: MediaTime) -> FrameIndex.Entry? {
        guard let number = index.number(before: time) else { return nil }
        let entry = index.entries[number]
        if number + 1 < index.entries.count { return entry }
        return time - entry.time <= Self.decodedDistance ? entry : nil
    }

    /// Average of the decoded part of a format without times; nil for less than five seconds.
    var measuredBytesPerSecond: Double? {
        guard isUntimed, let first = index.entries.first, let last = index.last, index.entries.count > 5 else {
            return nil
        }
        return Double(last.key - first.key) / (last.time - first.time).seconds
    }
}
