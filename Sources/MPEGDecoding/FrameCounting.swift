internal import MediaPorts
internal import PodcastModel

/// How the position after an estimated seek becomes exact.
enum Correction {
    /// The position is exact, or cannot be found.
    case none
    /// Frames must be counted from the index to the place of the seek, once all bytes between are available.
    case needed
    case counting(FrameCounter)
}

extension MPEGDecoder {
    /// Bytes to count in one call: about as many minutes of audio as a call of `decode` takes milliseconds.
    private static let countedAtOnce: Int64 = 8 << 20
    /// Duration to decode after a seek before frames are counted, so that counting does not delay the sound.
    private static let soundBeforeCounting = MediaTime(milliseconds: 2000)

    /// Replaces the estimated position after a seek by the counted one, once all bytes before it are available.
    /// - Parameter isAtEnd: true if everything was decoded, so that counting cannot delay the sound.
    func correctEstimate(isAtEnd: Bool = false) throws(DecoderError) {
        guard !isExact, !lastSeek.isLanding, lastSeek.target == nil, let input, let timeline, rate == timeline.rate
        else { return }
        let decoded = MediaTime(frames: position, rate: rate) - lastSeek.time
        guard isAtEnd || decoded >= Self.soundBeforeCounting else { return }
        let counter: FrameCounter
        switch lastSeek.correction {
        case .none: return
        case .counting(let begun): counter = begun
        case .needed:
            let start = index.last ?? timeline.firstFrame
            // Only if no bytes are missing: bytes are not fetched for the position alone.
            guard start.rate == rate, start.key + input.available(at: start.key) >= lastSound else { return }
            counter = try FrameCounter(
                from: start, number: Int64(max(0, index.entries.count - 1)) * FrameGroup.size,
                samplesPerFrame: timeline.samplesPerFrame)
            lastSeek.correction = .counting(counter)
        }
        switch try counter.advance(to: lastSound, in: input, atMost: isAtEnd ? .max : Self.countedAtOnce, record) {
        case .unfinished: return
        case .missed: lastSeek.correction = .none
        case .reached:
            lastSeek.correction = .none
            // Without a waiting frame `position` is the position of the next frame.
            let ahead: Int64 = hasFrame ? 0 : 1
            position = counter.position + ahead * timeline.samplesPerFrame
            number = counter.number + ahead
            isExact = true
            places.use(nil)
            gapIsAhead = gap.map { position < $0.lowerBound } ?? false
        }
    }

    /// Counts the MPEG frames from the last entry of the index before an offset.
    /// - Returns: the position of the frame at the offset; nil if bytes are missing, or if no frame is there.
    func position(ofFrameAt offset: Int64) throws(DecoderError) -> Int64? {
        guard let input, let timeline else { return nil }
        let place = index.entries.lastIndex { $0.key <= offset } ?? 0
        let start = index.entries.isEmpty ? timeline.firstFrame : index.entries[place]
        guard start.key <= offset, start.rate == timeline.rate,
            start.key + input.available(at: start.key) > offset
        else { return nil }
        let counter = try FrameCounter(
            from: start, number: Int64(place) * FrameGroup.size, samplesPerFrame: timeline.samplesPerFrame)
        guard case .reached = try counter.advance(to: offset, in: input, atMost: .max, record) else { return nil }
        return counter.position
    }
}

/// Counts MPEG frames from an entry of the index on, without decoding them.
@safe final class FrameCounter {
    enum Step {
        /// The frame at the requested offset is the next one.
        case reached
        /// No frame begins at the requested offset.
        case missed
        /// `advance` must be called again.
        case unfinished
    }

    private let reader: MPEGFrameReader
    private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: MPEGFrameReader.feedSize, alignment: 64)
    private let opened: Int64
    private var fed: Int64
    private let rate: Int
    private let samplesPerFrame: Int64
    /// The last frame found: its number from the beginning, and its position.
    private(set) var number: Int64
    private(set) var position: Int64
    private var hasBegun = false

    /// - Parameter number: number of the MPEG frame at `start`.
    init(from start: FrameIndex.Entry, number: Int64, samplesPerFrame: Int64) throws(DecoderError) {
        reader = try callingLibrary(try MPEGFrameReader())
        opened = start.key
        fed = start.key
        rate = start.rate
        self.number = number
        position = start.position
        self.samplesPerFrame = samplesPerFrame
    }

    deinit { unsafe piece.deallocate() }

    /// Counts up to the frame at an offset.
    /// - Parameters:
    ///   - count: bytes after which the call returns.
    ///   - record: receives entries of the index, with the number of their group.
    func advance(
        to end: Int64, in input: any DecoderInput, atMost count: Int64, _ record: (FrameIndex.Entry, Int) -> Void
    ) throws(DecoderError) -> Step {
        let (limit, isUnlimited) = fed.addingReportingOverflow(count)
        while true {
            switch Result(catching: { () throws(MPEGAudioError) in try reader.next() }) {
            case .failure: return .missed
            case .success(.needsBytes):
                guard isUnlimited || fed < limit, input.available(at: fed) > 0 else { return .unfinished }
                let count = unsafe try input.read(into: piece, at: fed)
                guard count > 0 else { return .missed }
                fed += Int64(count)
                let bytes = unsafe UnsafeRawBufferPointer(rebasing: piece[..<count])
                unsafe try callingLibrary(try reader.feed(bytes))
            case .success(.frame), .success(.frameInNewFormat):
                guard Int64(reader.samplesPerFrame) == samplesPerFrame else { return .missed }
                let offset = opened + reader.framePosition
                if hasBegun {
                    number += 1
                    position += samplesPerFrame
                } else if offset != opened {
                    return .missed
                }
                hasBegun = true
                if offset > end { return .missed }
                if number % FrameGroup.size == 0 {
                    record(.init(key: offset, position: position, rate: rate), Int(number / FrameGroup.size))
                }
                if offset == end { return .reached }
            }
        }
    }
}
