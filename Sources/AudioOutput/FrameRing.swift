internal import MediaPorts

/// Decoded frames that were not played yet, in the source's format, with their media times; sink thread only.
///
/// Frames are numbered from 0 when the ring is prepared. Frames before `played` are gone; frames from there to `fed` are
/// in the sink, or on their way to it, and can be fed again; frames from there to `filled` are waiting.
struct FrameRing {
    private(set) var format = PCMFormat(rate: 44_100, channels: 2, type: .int16)
    /// Capacity in frames; 0 before the ring is prepared.
    private(set) var capacity = 0
    private(set) var played: Int64 = 0
    private(set) var fed: Int64 = 0
    private(set) var filled: Int64 = 0
    private(set) var map = MediaMap()
    /// Generation of the newest frames; nil before the first.
    private(set) var generation: UInt32?
    /// Frames before this media time, in frames, were heard from the generation before.
    private var joint: Int64?
    private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)

    var staged: Int { Int(filled - fed) }
    var room: Int { capacity - Int(filled - played) }
    var isEmpty: Bool { filled == played }

    mutating func prepare(for format: PCMFormat, capacity: Int) {
        let bytes = capacity * format.frameSize
        if memory.count < bytes {
            memory.deallocate()
            memory = .allocate(byteCount: bytes, alignment: 64)
        }
        self.format = format
        self.capacity = capacity
        reset()
    }

    private mutating func reset() {
        played = 0
        fed = 0
        filled = 0
        map.reset()
    }

    mutating func removeAll() {
        reset()
        generation = nil
        joint = nil
    }

    mutating func release() {
        memory.deallocate()
        memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        capacity = 0
        removeAll()
    }

    /// Contiguous free memory for at most `limit` frames, possibly less than the free space.
    func free(limit: Int) -> UnsafeMutableRawBufferPointer { part(from: filled, min(limit, room)) }

    func next(limit: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(part(from: fed, min(limit, staged))) }

    /// The memory of a frame and those after it, up to the end of the memory.
    private func part(from frame: Int64, _ limit: Int) -> UnsafeMutableRawBufferPointer {
        let start = Int(frame % Int64(capacity))
        let end = start + min(limit, capacity - start)
        return UnsafeMutableRawBufferPointer(rebasing: memory[(start * format.frameSize)..<(end * format.frameSize)])
    }

    /// Records that the first frames of a chunk were written to `free`.
    mutating func fill(_ frames: Int, of chunk: PCMChunk) {
        map.append(
            start: filled, count: Int64(frames), mediaStart: chunk.mediaStart,
            mediaEnd: chunk.media(afterFrames: frames))
        filled += Int64(frames)
        generation = chunk.generation
    }

    mutating func feed(_ frames: Int) { fed += Int64(frames) }

    /// Marks all fed frames before this one as played. The mark never moves back.
    mutating func markPlayed(upTo frame: Int64) {
        played = max(played, min(fed, frame))
        map.forget(before: played)
    }

    /// Marks fed frames that were not played as waiting; they are fed again.
    mutating func rewind() { fed = played }

    /// Forgets the frames that are waiting: another generation continues there.
    mutating func removeStaged() {
        joint = map.media(of: fed)
        filled = fed
        map.forget(from: fed)
    }

    /// Number of the chunk's first frames that were heard from the generation before.
    mutating func heardFrames(of chunk: PCMChunk) -> Int {
        guard let joint else { return 0 }
        let total = chunk.byteCount / chunk.format.frameSize
        let span = chunk.mediaEnd &- chunk.mediaStart
        var count = total
        if chunk.mediaStart >= joint || span <= 0 {
            count = 0
        } else if chunk.mediaEnd > joint, span < 1 << 31 {
            count = Int((joint - chunk.mediaStart) * Int64(total) / span)
        }
        if count < total { self.joint = nil }
        return count
    }

    mutating func rewind(_ frames: Int) { fed = max(played, fed - Int64(frames)) }
}

extension PCMChunk {
    /// The media time after the chunk's first frames.
    fileprivate func media(afterFrames count: Int) -> Int64 {
        let total = byteCount / format.frameSize
        guard count < total else { return mediaEnd }
        let (span, hasOverflow) = mediaEnd.subtractingReportingOverflow(mediaStart)
        guard !hasOverflow, span >= 0, span < 1 << 31 else { return mediaStart &+ Int64(count) }
        return mediaStart &+ span * Int64(count) / Int64(total)
    }
}
