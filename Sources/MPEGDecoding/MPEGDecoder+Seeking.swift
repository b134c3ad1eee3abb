public import MediaPorts
public import PodcastModel

/// A seek, until its target is reached.
struct Seek {
    enum Place {
        /// Found by the index, or by an estimate that stays.
        case settled
        /// Estimated; the estimate may still prove wrong.
        case estimated
        /// Reached by counting MPEG frames, not by an estimate.
        case counted
        /// As `counted`, also if bytes are missing: no estimate leads there.
        case countedFromAll
    }

    /// The target.
    var time = MediaTime.zero
    /// False before the first seek of the session; see `begin(at:)`.
    var hasBegun = false
    var place = Place.settled
    /// Frames before this one are decoded only for the library's state.
    var target: Int64?
    var skipsDecoding = false
    /// File offset of the frame that a seek by the index must find.
    var expected: Int64?
    /// True after an estimated seek until the place of the first MPEG frame is known.
    var isLanding = false
    /// Finds the true position after an estimated seek.
    var correction = Correction.none
}

extension MPEGDecoder {
    /// Maximum distance past the decoded part for a seek that decodes instead of estimating.
    static let decodedDistance = MediaTime(milliseconds: 30_000)
    /// Estimated seeks start earlier by this, because the first MPEG frames depend on those before them.
    static let runUp = MediaTime(milliseconds: 600)
    private static let lastBytes: Int64 = 32 << 10

    /// Exact within the part decoded from the beginning and up to 30 s after it; estimated elsewhere.
    public func seek(to time: MediaTime) throws(DecoderError) -> Int64 {
        guard timeline != nil else { throw .library("no file is open") }
        var time = max(.zero, time)
        if let measured { time = min(time, measured) }
        let isFirst = !lastSeek.hasBegun
        lastSeek = Seek(time: time, hasBegun: true)
        if isFirst, let frame = try begin(at: time) { return frame }
        guard let place = index.number(before: time), isCovered(place, time) else {
            if index.entries.isEmpty, time <= Self.decodedDistance { return try goFromBeginning(to: time) }
            lastSeek.place = .estimated
            return try goByEstimate(to: time)
        }
        return try goByIndex(to: time, from: place)
    }

    func goByEstimate(to time: MediaTime) throws(DecoderError) -> Int64 {
        guard var timeline else { return 0 }
        timeline.bytesPerSecond = averageRate ?? timeline.bytesPerSecond
        self.timeline = timeline
        let frame = time.frames(rate: timeline.rate)
        let early = max(.zero, time - Self.runUp).frames(rate: timeline.rate)
        var offset = timeline.offset(ofFrame: early)
        // The frames before the end show whether the estimate is right.
        if let length, offset >= length { offset = max(timeline.audioStart, length - Self.lastBytes) }
        try move(
            to: .init(key: offset, position: early, rate: timeline.rate), number: nil, isFrame: false, target: frame)
        return frame
    }

    /// Decodes from the first frame, before anything was decoded.
    private func goFromBeginning(to time: MediaTime) throws(DecoderError) -> Int64 {
        guard let timeline else { return 0 }
        let target = time.frames(rate: timeline.rate)
        try move(to: timeline.firstFrame, number: 0, isFrame: false, target: target)
        return target
    }

    func goByIndex(to time: MediaTime, from place: Int) throws(DecoderError) -> Int64 {
        let entry = index.entries[place]
        let frame = time.frames(rate: entry.rate)
        let first = index.entries[max(0, place - 1)]
        let target = MediaTime(frames: frame, rate: entry.rate).frames(rate: first.rate)
        try move(to: first, number: Int64(max(0, place - 1)) * FrameGroup.size, isFrame: true, target: target)
        return frame
    }

    /// Continues decoding elsewhere.
    /// - Parameters:
    ///   - place: a file offset, and the position of the first MPEG frame that is found there.
    ///   - number: the number of that frame from the beginning; nil if positions are estimated.
    ///   - isFrame: whether an MPEG frame begins exactly there.
    ///   - target: the first frame to play.
    func move(to place: FrameIndex.Entry, number: Int64?, isFrame: Bool, target: Int64) throws(DecoderError) {
        try open(at: place.key)
        lastSeek.expected = isFrame ? place.key : nil
        lastSound = fed
        rate = place.rate
        position = place.position
        self.number = number ?? 0
        isExact = number != nil
        if isExact { places.use(nil) }
        lastSeek.correction = isExact ? .none : .needed
        lastSeek.isLanding = !isExact && !isFrame
        lastSeek.target = target
        lastSeek.skipsDecoding = false
        gapIsAhead = rate == timeline?.rate && gap.map { position < $0.lowerBound } ?? false
    }

    /// True if a time can be reached exactly from an entry: another entry follows, or the distance is short.
    private func isCovered(_ place: Int, _ time: MediaTime) -> Bool {
        place + 1 < index.entries.count || time - index.entries[place].time <= Self.decodedDistance
    }

    /// Bytes per second of the decoded part, exact for a constant bit rate; nil if too little was decoded.
    var averageRate: Double? {
        guard let first = index.entries.first, let last = index.entries.last, index.entries.count > 4 else {
            return nil
        }
        let frames = Int64(index.entries.count - 1) * FrameGroup.size
        // Padding adds a byte to some frames; with few decoded frames that makes far estimates wrong by whole frames.
        if let timeline, let header, first.rate == last.rate,
            timeline.isConstant(last.key - first.key, frames: frames, bitRate: header.bitRate)
        {
            return Double(header.bitRate) / 8
        }
        let seconds =
            MediaTime(frames: last.position, rate: last.rate).seconds - Double(first.position) / Double(first.rate)
        return Double(last.key - first.key) / max(0.001, seconds)
    }

    /// Computes the position of the first MPEG frame after an estimated seek from its place in the file.
    func land() {
        lastSeek.isLanding = false
        guard let timeline else { return }
        let frame = timeline.frame(atOffset: opened + reader.framePosition)
        position = MediaTime(frames: max(0, frame), rate: timeline.rate).frames(rate: rate) + min(0, frame)
        number = 0
        gapIsAhead = gap.map { position < $0.lowerBound } ?? false
        places.use(EstimatedPlaces(landing: entry(at: position)))
    }

    // MARK: Counting

    /// Checks an MPEG frame on the way to an estimated target. If its bit rate differs from the expected one, the
    /// estimate is useless and frames are counted instead, if all required bytes are available.
    /// - Returns: true if decoding restarts at another byte.
    func turnsToCounting() throws(DecoderError) -> Bool {
        guard lastSeek.place == .estimated, let timeline else { return false }
        let found = opened + reader.framePosition
        let header = try callingLibrary(try reader.header())
        if timeline.isOnGrid(found, bitRate: header.bitRate) { return false }
        let target = timeline.offset(ofFrame: lastSeek.time.frames(rate: timeline.rate))
        let isPastEnd = timeline.announcedFrames == nil && length.map { target >= $0 } ?? false
        return try countsInstead(upTo: found, fetchingAll: isPastEnd)
    }

    /// Counts MPEG frames up to the target of an estimated seek, if all bytes up to `found` are available or are fetched.
    func countsInstead(upTo found: Int64, fetchingAll: Bool = false) throws(DecoderError) -> Bool {
        guard lastSeek.place == .estimated, let timeline else { return false }
        lastSeek.place = .settled
        let start = index.last?.key ?? timeline.audioStart
        let isAvailable = input.map { start + $0.available(at: start) >= min(found, length ?? .max) } ?? false
        guard isAvailable || fetchingAll else { return false }
        lastSeek.place = fetchingAll ? .countedFromAll : .counted
        if index.entries.isEmpty {
            _ = try goFromBeginning(to: lastSeek.time)
        } else {
            _ = try goByIndex(to: lastSeek.time, from: index.entries.count - 1)
        }
        return true
    }

    /// Estimates again if the next bytes are not available: fetching everything before the target could take minutes.
    func stopCountingWithoutBytes() throws(DecoderError) {
        guard lastSeek.place == .counted, let input, input.available(at: fed) == 0, fed < length ?? .max else { return }
        lastSeek.place = .settled
        _ = try goByEstimate(to: lastSeek.time)
    }

    // MARK: Positions that an earlier session estimated

    /// Seeks at the begin of a session, perhaps to a position that was saved while an earlier session estimated
    /// positions. The seek leads to the same frame, independent of present knowledge of the file.
    /// - Returns: the position of that frame; nil if the time was not estimated.
    func begin(at time: MediaTime) throws(DecoderError) -> Int64? {
        guard let timeline, let place = places.estimate?.place(before: time, runUp: Self.runUp),
            place.rate == timeline.rate
        else { return nil }
        if let counted = try position(ofFrameAt: place.key) {
            let frame = time.frames(rate: place.rate) - place.position + counted
            let exact = MediaTime(frames: max(0, frame), rate: place.rate)
            if let number = index.number(before: exact) {
                lastSeek.time = exact
                return try goByIndex(to: exact, from: number)
            }
        }
        let target = time.frames(rate: place.rate)
        try move(to: place, number: nil, isFrame: true, target: target)
        return target
    }
}

/// MPEG frames between two entries of the index.
enum FrameGroup {
    /// The synthesis filter's ring has 16 slots: decoding from a multiple of 16 frames on adds in the same order, exactly.
    static let size: Int64 = 16
}

extension MPEGDecoder {
    /// Reads the index of earlier sessions, once the first MPEG frame is known.
    func loadIndex(_ line: Timeline) {
        guard let input, let header, let length = input.length else { return }
        let file = IndexedFile(kind: "mpeg layer \(header.layer)", start: line.audioStart, length: length)
        let smallest = FrameGroup.size * Timeline.smallestFrame
        places.load(file, from: input) { last, entry in
            guard let last else { return entry == line.firstFrame }
            guard entry.key < length, entry.key - last.key >= smallest else { return false }
            // Positions are converted where the rate changes.
            return entry.rate != last.rate
                || entry.position - last.position == FrameGroup.size * line.samplesPerFrame
                || entry.position == line.heardFrames
        }
    }

    /// Records the MPEG frame that was found and has this position: in the index, if it begins a group and its position is exact.
    func record(_ position: Int64) {
        if !isExact {
            if !lastSeek.isLanding { places.moveEstimate(to: entry(at: position)) }
        } else if number % FrameGroup.size == 0 {
            record(entry(at: position), group: Int(number / FrameGroup.size))
        }
    }

    /// The MPEG frame that was found, at a position.
    private func entry(at position: Int64) -> FrameIndex.Entry {
        .init(key: opened + reader.framePosition, position: position, rate: rate)
    }

    func record(_ entry: FrameIndex.Entry, group: Int) {
        if group < index.entries.count, index.entries[group] != entry { places.removeEntries(from: group) }
        if group == index.entries.count { places.append(entry) }
    }

    /// Called if the index led to a place without a frame: the index belongs to other bytes.
    func distrustIndex() throws(DecoderError) {
        places.removeEntries(from: 0)
        places.use(nil)
        lastSeek.place = .estimated
        _ = try goByEstimate(to: lastSeek.time)
    }
}

/// Runs calls of libmpg123. An error of libmpg123 becomes `DecoderError.library` with its message.
func callingLibrary<Answer>(_ answer: @autoclosure () throws(MPEGAudioError) -> Answer) throws(DecoderError) -> Answer {
    try mapError(of: try answer()) { (error: MPEGAudioError) in DecoderError.library("\(error)") }
}
