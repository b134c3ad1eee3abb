internal import MPEGAudio
internal import MediaPorts
internal import PodcastModel

/// MPEG frames between two entries of the index.
enum FrameGroup {
    /// The synthesis filter's ring has 16 slots: decoding that begins a multiple of 16 frames earlier or later adds in
    /// the same order, so its results are identical.
    static let size: Int64 = 16
}

/// Correction of the position after an estimated seek.
enum Correction {
    /// The position is exact, or cannot be found.
    case none
    /// Frames must be counted from the index to the place of the seek, once all bytes between are available.
    case needed
    case counting(FrameCounter)
}

extension MPEGDecoder {
    /// Reads the index of earlier sessions, once the first MPEG frame is known.
    func loadIndex(_ line: Timeline) {
        guard let input, let header, input.length != nil else { return }
        let file = IndexedFile(
            kind: "mpeg layer \(header.layer)", start: line.audioStart, length: input.length)
        let length = input.length ?? .max
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

    /// Records the MPEG frame that was found, if it begins a group.
    /// - Parameter start: the frame's position.
    func note(_ start: Int64, _ format: PCMFormat) {
        guard number % FrameGroup.size == 0 else { return }
        note(
            .init(key: opened + reader.framePosition, position: start, rate: format.rate),
            group: Int(number / FrameGroup.size))
    }

    func note(_ entry: FrameIndex.Entry, group: Int) {
        if group < index.entries.count, index.entries[group] != entry { places.removeEntries(from: group, input) }
        if group == index.entries.count { places.append(entry, input) }
    }

    /// Called if the index led to a place without a frame: the index belongs to other bytes.
    func distrustIndex() throws(DecoderError) {
        places.removeEntries(from: 0, input)
        places.use(nil, input)
        estimated = sought
        _ = try goByEstimate(to: sought)
    }

    /// Bytes to count in one call: about as many minutes of audio as a call of `decode` takes milliseconds.
    private static let countedAtOnce: Int64 = 8 << 20
    /// Duration to decode after a seek before frames are counted, so that counting does not delay the sound.
    private static let soundBeforeCounting = MediaTime(milliseconds: 2000)

    /// Replaces the estimated position after a seek by the counted one, once all bytes before it are available.
    /// - Parameter isAtEnd: true if everything was decoded, so that counting cannot delay the sound.
    func correctEstimate(isAtEnd: Bool = false) throws(DecoderError) {
        guard !isExact, !isLanding, target == nil, let input, let timeline, rate == timeline.rate else { return }
        if case .none = correction { return }
        let decoded = MediaTime(frames: position, rate: rate) - sought
        guard isAtEnd || decoded >= Self.soundBeforeCounting else { return }
        let counter: FrameCounter
        switch correction {
        case .none: return
        case .counting(let begun): counter = begun
        case .needed:
            let start = index.last ?? timeline.firstFrame
            // Only if no bytes are missing: bytes are not fetched for the position alone.
            guard start.rate == rate, start.key + input.available(at: start.key) >= lastSound else { return }
            counter = try FrameCounter(
                from: start, number: Int64(max(0, index.entries.count - 1)) * FrameGroup.size,
                samplesPerFrame: timeline.samplesPerFrame)
            correction = .counting(counter)
        }
        switch try counter.advance(to: lastSound, in: input, atMost: isAtEnd ? .max : Self.countedAtOnce, note) {
        case .unfinished: return
        case .missed: correction = .none
        case .reached:
            correction = .none
            // Without a waiting frame `position` is the position of the next frame.
            let ahead: Int64 = hasFrame ? 0 : 1
            position = counter.position + ahead * timeline.samplesPerFrame
            number = counter.number + ahead
            isExact = true
            places.use(nil, input)
            gapIsAhead = gap.map { position < $0.lowerBound } ?? false
        }
    }
}
