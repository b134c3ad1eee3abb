internal import MediaPorts

/// Decoded frames that were not played yet, in the source's format; sink thread only.
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
    private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)

    /// Number of frames waiting to be fed.
    var staged: Int { Int(filled - fed) }
    /// Number of frames that fit.
    var room: Int { capacity - Int(filled - played) }
    /// Whether all frames were played.
    var isEmpty: Bool { filled == played }

    /// Empties the ring and sets its format.
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

    mutating func reset() {
        played = 0
        fed = 0
        filled = 0
    }

    mutating func release() {
        memory.deallocate()
        memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        capacity = 0
        reset()
    }

    /// Contiguous free memory for at most `limit` frames, possibly less than the free space.
    func free(limit: Int) -> UnsafeMutableRawBufferPointer {
        let start = Int(filled % Int64(capacity))
        let count = min(limit, room, capacity - start)
        return UnsafeMutableRawBufferPointer(rebasing: memory[bytes(start, count)])
    }

    /// Contiguous waiting frames, at most `limit`.
    func next(limit: Int) -> UnsafeRawBufferPointer {
        let start = Int(fed % Int64(capacity))
        let count = min(limit, staged, capacity - start)
        return UnsafeRawBufferPointer(rebasing: memory[bytes(start, count)])
    }

    mutating func fill(_ frames: Int) { filled += Int64(frames) }
    mutating func feed(_ frames: Int) { fed += Int64(frames) }

    /// Marks all fed frames before this one as played. The mark never moves back.
    mutating func markPlayed(upTo frame: Int64) { played = max(played, min(fed, frame)) }

    /// Marks fed frames that were not played as waiting; they are fed again.
    mutating func rewind() { fed = played }

    /// Forgets the frames that are waiting.
    mutating func removeStaged() { filled = fed }

    /// Marks the last fed frames as waiting.
    mutating func rewind(_ frames: Int) { fed = max(played, fed - Int64(frames)) }

    private func bytes(_ start: Int, _ count: Int) -> Range<Int> {
        (start * format.frameSize)..<((start + count) * format.frameSize)
    }
}
