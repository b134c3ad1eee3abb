/// Finished frames that wait for room in the ring, with their media times. The memory grows once to the required size.
struct CollectedFrames {
    private struct Part {
        var frames: Int
        var media: Range<Int64>

        var isUnchanged: Bool { Int64(frames) == Int64(media.count) }
    }

    private let channels: Int
    private var samples: UnsafeMutableBufferPointer<Float>
    /// The first remaining frame, and the end.
    private var first = 0
    private var end = 0
    private var parts: [Part] = []
    private var firstPart = 0

    init(channels: Int, capacity: Int) {
        self.channels = channels
        samples = .allocate(capacity: capacity * channels)
        parts.reserveCapacity(256)
    }

    func release() { samples.deallocate() }

    var isEmpty: Bool { firstPart == parts.count }

    mutating func removeAll() {
        first = 0
        end = 0
        firstPart = 0
        parts.removeAll(keepingCapacity: true)
    }

    mutating func append(_ block: SoundBlock) {
        guard block.frames > 0 else { return }
        if isEmpty { removeAll() }
        makeRoom(block.frames)
        let source = UnsafeBufferPointer(rebasing: block.samples[..<(block.frames * channels)])
        _ = UnsafeMutableBufferPointer(rebasing: samples[(end * channels)...]).update(fromContentsOf: source)
        end += block.frames
        let part = Part(frames: block.frames, media: block.media)
        if let last = parts.last, last.isUnchanged, part.isUnchanged, last.media.upperBound == block.media.lowerBound {
            parts[parts.count - 1].frames += block.frames
            parts[parts.count - 1].media = last.media.lowerBound..<block.media.upperBound
        } else {
            parts.append(part)
        }
    }

    private mutating func makeRoom(_ frames: Int) {
        guard (end + frames) * channels > samples.count else { return }
        let larger = UnsafeMutableBufferPointer<Float>.allocate(capacity: (end + frames) * 2 * channels)
        _ = larger.update(fromContentsOf: samples[..<(end * channels)])
        samples.deallocate()
        samples = larger
    }

    /// The next frames, at most `limit`, that come from one run of the file.
    /// - Parameter grain: parts at other speeds are combined up to this number of frames, because their speeds differ slightly.
    mutating func take(limit: Int, grain: Int) -> (
        samples: UnsafeBufferPointer<Float>, frames: Int, media: Range<Int64>
    )? {
        guard !isEmpty, limit > 0 else { return nil }
        let start = first
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
        first += frames
        return (
            UnsafeBufferPointer(rebasing: samples[(start * channels)..<((start + frames) * channels)]), frames, media
        )
    }
}
