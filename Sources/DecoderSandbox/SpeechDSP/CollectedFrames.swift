/// Finished frames that wait for room in the ring, with their media times. The memory grows once to the required size.
struct CollectedFrames {
    private struct Part {
        var frames: Int
        var media: Range<Int64>

        var isUnchanged: Bool { Int64(frames) == Int64(media.count) }
    }

    private let channels: Int
    private var samples: [Float] = []
    /// The first remaining frame.
    private var first = 0
    private var parts: [Part] = []
    private var firstPart = 0

    init(channels: Int, capacity: Int) {
        self.channels = channels
        samples.reserveCapacity(capacity * channels)
        parts.reserveCapacity(256)
    }

    var isEmpty: Bool { firstPart == parts.count }

    mutating func removeAll() {
        first = 0
        samples.removeAll(keepingCapacity: true)
        firstPart = 0
        parts.removeAll(keepingCapacity: true)
    }

    mutating func append(_ block: SoundBlock) {
        guard block.frames > 0 else { return }
        if isEmpty { removeAll() }
        samples += block.samples[..<(block.frames * channels)]
        let part = Part(frames: block.frames, media: block.media)
        if let last = parts.last, last.isUnchanged, part.isUnchanged, last.media.upperBound == block.media.lowerBound {
            parts[parts.count - 1].frames += block.frames
            parts[parts.count - 1].media = last.media.lowerBound..<block.media.upperBound
        } else {
            parts.append(part)
        }
    }

    /// Takes the next frames, at most `limit`, that come from one run of the file.
    /// - Parameter grain: parts at other speeds are combined up to this number of frames, because their speeds differ slightly.
    mutating func take(
        limit: Int, grain: Int, _ use: (UnsafeBufferPointer<Float>) -> Void
    ) -> (frames: Int, media: Range<Int64>)? {
        guard !isEmpty, limit > 0 else { return nil }
        let head = parts[firstPart]
        var frames = min(head.frames, limit)
        var media = head.media
        if frames < head.frames {
            let cut = media.lowerBound + Int64(frames) * Int64(media.count) / Int64(head.frames)
            parts[firstPart] = Part(frames: head.frames - frames, media: cut..<media.upperBound)
            media = media.lowerBound..<cut
        } else {
            firstPart += 1
            while firstPart < parts.count, !head.isUnchanged, frames < grain {
                let part = parts[firstPart]
                guard part.media.lowerBound == media.upperBound, frames + part.frames <= limit else { break }
                frames += part.frames
                media = media.lowerBound..<part.media.upperBound
                firstPart += 1
            }
        }
        samples.withUnsafeBufferPointer {
            use(UnsafeBufferPointer(rebasing: $0[(first * channels)..<((first + frames) * channels)]))
        }
        first += frames
        return (frames, media)
    }
}
