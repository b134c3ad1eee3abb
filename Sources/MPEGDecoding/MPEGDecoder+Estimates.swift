internal import MPEGAudio
internal import MediaPorts
internal import PodcastModel

// Positions that an earlier session estimated.
extension MPEGDecoder {
    /// Records the MPEG frame found after an estimated seek, if it is far from the last recorded one.
    /// - Parameter start: the frame's position.
    func noteEstimate(_ start: Int64) {
        guard !isLanding else { return }
        let entry = FrameIndex.Entry(key: opened + reader.framePosition, position: start, rate: rate)
        if let moved = places.estimate?.moved(to: entry) { places.use(moved, input) }
    }

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
                sought = exact
                estimated = nil
                return try goByIndex(to: exact, from: number)
            }
        }
        let target = time.frames(rate: place.rate)
        try move(to: place, number: nil, isFrame: true, target: target)
        return target
    }

    /// Counts the MPEG frames from the last entry of the index before an offset.
    /// - Returns: the position of the frame at the offset; nil if bytes are missing, or if no frame is there.
    private func position(ofFrameAt offset: Int64) throws(DecoderError) -> Int64? {
        guard let input, let timeline else { return nil }
        let place = index.entries.lastIndex { $0.key <= offset } ?? 0
        let start = index.entries.isEmpty ? timeline.firstFrame : index.entries[place]
        guard start.key <= offset, start.rate == timeline.rate,
            start.key + input.available(at: start.key) > offset
        else { return nil }
        let counter = try FrameCounter(
            from: start, number: Int64(place) * FrameGroup.size, samplesPerFrame: timeline.samplesPerFrame)
        guard case .reached = try counter.advance(to: offset, in: input, atMost: .max, note) else { return nil }
        return counter.position
    }
}
