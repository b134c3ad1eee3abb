/// Interleaved frames with their place in the file. The caller owns the memory.
struct SoundBlock {
    var samples: UnsafeMutableBufferPointer<Float>
    var frames: Int
    /// First frame and end, in frames of the file. The media time grows evenly within a block.
    var media: Range<Int64>
}

/// Changes frames; a part of a `SoundChain`. One thread.
protocol SampleProcessor: AnyObject {
    /// Processes the next frames and outputs the finished ones. May change the block's samples in place.
    func process(_ block: SoundBlock, _ next: (SoundBlock) -> Void)
    func finish(_ next: (SoundBlock) -> Void)
    /// Discards frames, because the next ones come from another place of the file.
    func restart()
}

/// Frames of one run of the file that a processor holds back.
struct HeldFrames {
    private let channels: Int
    let capacity: Int
    private(set) var samples: [Float] = []
    /// Media time of the first frame.
    private var media: Int64 = 0

    init(capacity: Int, channels: Int) {
        self.capacity = capacity
        self.channels = channels
        samples.reserveCapacity(capacity * channels)
    }

    var count: Int { samples.count / channels }
    var room: Int { capacity - count }

    /// Whether frames from this media time on follow without a gap.
    func isContinued(at start: Int64) -> Bool { samples.isEmpty || media + Int64(count) == start }

    mutating func append(_ frames: some Collection<Float>, media start: Int64) {
        if samples.isEmpty { media = start }
        samples += frames
    }

    func isContinued(by frames: HeldFrames) -> Bool { isContinued(at: frames.media) }

    mutating func append(_ frames: HeldFrames) { append(frames.samples, media: frames.media) }

    mutating func keepLast(_ frames: Int) {
        media += Int64(count - frames)
        samples.removeFirst((count - frames) * channels)
    }

    mutating func clear() { samples.removeAll(keepingCapacity: true) }

    /// Fades from other frames to the first ones.
    mutating func fade(from others: HeldFrames) {
        for index in samples.indices.prefix(others.samples.count) {
            let share = Float(index / channels + 1) / Float(others.count + 1)
            samples[index] = others.samples[index] + (samples[index] - others.samples[index]) * share
        }
    }

    /// Outputs and removes the frames.
    mutating func passOn(_ next: (SoundBlock) -> Void) {
        let (frames, media) = (count, media)
        if frames == 0 { return }
        samples.withUnsafeMutableBufferPointer { samples in
            next(SoundBlock(samples: samples, frames: frames, media: media..<(media + Int64(frames))))
        }
        clear()
    }
}
