public import MediaPorts
public import PodcastModel

extension AVDecoder {
    /// The first frames after a seek depend on earlier ones: 80 ms for Opus (RFC 7845, section 4.6), two frames of HE-AAC.
    private static let runUp = MediaTime(milliseconds: 100)
    /// The run-up in Ogg: the last page holds up to a second, and its times are wrong by the length cut off at the end.
    private static let pagedRunUp = MediaTime(milliseconds: 1200)

    /// Exact if the container has times, and in files that were joined; without times exact within the decoded part, and estimated after it.
    public func seek(to time: MediaTime) throws(DecoderError) -> Int64 {
        guard let file else { throw .library("no file is open") }
        let time = max(.zero, time)
        let target = time.frames(rate: format.rate)
        if file.isUntimed {
            let isFirst = !hasSought
            hasSought = true
            if isFirst, let frame = try begin(at: time, file) { return frame }
            try seekByBytes(to: time, target, file)
        } else if file.isJoined {
            try seekByDecoding(to: target, file)
        } else {
            try seekByTime(to: time, target, file)
        }
        return target
    }

    /// Counts frames from the beginning.
    private func seekByDecoding(to target: Int64, _ file: OpenFile) throws(DecoderError) {
        supply = .interrupted
        let file = try OpenFile(file.input)
        self.file = file
        certainty = .counted
        restart(at: .landing(0), target: target, file)
    }

    private func seekByTime(to time: MediaTime, _ target: Int64, _ file: OpenFile) throws(DecoderError) {
        let runUp = file.isPaged ? Self.pagedRunUp : Self.runUp
        let early = max(.zero, time - runUp)
        guard var start = file.time(of: early) else { throw .library("the time is out of range") }
        // Count frames from a nearby entry. Codecs return nothing for the first packet after a seek.
        if let entry = file.entry(before: early), early - entry.time <= Self.countedDistance,
            let before = file.time(of: max(.zero, entry.time - runUp))
        {
            start = min(start, before)
        }
        supply = .interrupted
        do {
            try file.call(try file.container.seek(to: start))
        } catch .library {
            // No index and no range requests: decode forward from the current frame if it is before the target.
            guard case .following(let frame) = placement, frame <= target else { throw .library("cannot seek back") }
        }
        certainty = file.hasExactTimes(rate: format.rate) ? .timestamped : .estimated
        restart(at: .landing(target), target: target, file)
    }

    /// Maximum distance to decode before a target for an exact position in a container with rounded times.
    private static let countedDistance = MediaTime(milliseconds: 3000)

    private func seekByBytes(to time: MediaTime, _ target: Int64, _ file: OpenFile) throws(DecoderError) {
        supply = .interrupted
        let early = max(.zero, time - Self.runUp)
        // Count packets as far as their bytes are available.
        if file.entry(before: early) == nil { try ADTSCounter(file, until: nil)?.count(to: early) }
        if let entry = file.entry(before: early) {
            try file.call(try file.container.seek(toByte: entry.key))
            certainty = .counted
            file.places.use(nil)
            restart(at: .landing(entry.time.frames(rate: format.rate)), target: target, file)
            expectedOffset = entry.key
            return
        }
        guard let bytesPerSecond = file.bytesPerSecond else { throw .library("the bit rate is unknown") }
        let offset = Int64(max(0, min(time.seconds * bytesPerSecond, 1e15)))
        try file.call(try file.container.seek(toByte: offset))
        certainty = .estimated
        restart(at: .landing(target), target: target, file)
        expectedOffset = nil
    }

    /// Seeks at the begin of a session, perhaps to a position that was saved while an earlier session estimated
    /// positions. The seek leads to the same frame, independent of present knowledge of the file.
    /// - Returns: the position of that frame; nil if the time was not estimated.
    private func begin(at time: MediaTime, _ file: OpenFile) throws(DecoderError) -> Int64? {
        guard let place = file.places.estimate?.place(before: time, runUp: Self.runUp), place.rate == format.rate else {
            return nil
        }
        let wanted = time.frames(rate: format.rate)
        let counter = ADTSCounter(file, until: place.key)
        if let counted = try counter?.position(ofPacketAt: place.key) {
            let target = max(0, wanted - place.position + counted)
            try seekByBytes(to: MediaTime(frames: target, rate: format.rate), target, file)
            return target
        }
        supply = .interrupted
        try file.call(try file.container.seek(toByte: place.key))
        certainty = .estimated
        restart(at: .landing(place.position), target: wanted, file)
        expectedOffset = place.key
        return wanted
    }
}
