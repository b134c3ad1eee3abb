internal import MediaPorts

/// Decoded frames between the source and the ear, in the source's format; sink thread only.
///
/// Frames are numbered from 0 when the ring is prepared: those before `heard` are gone, those up to `fed` are with the
/// sink (or on the way to it) and can be given again, those up to `filled` wait.
struct FrameRing {
    private(set) var format = PCMFormat(rate: 44_100, channels: 2, type: .int16)
    /// Frames that it holds; 0 until it was prepared.
    private(set) var capacity = 0
    private(set) var heard: Int64 = 0
    private(set) var fed: Int64 = 0
    private(set) var filled: Int64 = 0
    private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)

    /// Frames that wait to be fed.
    var staged: Int { Int(filled - fed) }
    /// Frames fed and not yet heard.
    var unheard: Int { Int(fed - heard) }
    /// Frames that there is room for.
    var room: Int { capacity - Int(filled - heard) }
    /// Whether nothing is in it that was not heard.
    var isEmpty: Bool { filled == heard }

    /// Empties the ring and gives it a format.
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

    /// Empties the ring.
    mutating func reset() {
        heard = 0
        fed = 0
        filled = 0
    }

    /// Gives the memory back.
    mutating func release() {
        memory.deallocate()
        memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        capacity = 0
        reset()
    }

    /// Memory for frames to come: in one piece, at most `limit` frames, perhaps less than there is room for.
    func free(limit: Int) -> UnsafeMutableRawBufferPointer {
        let start = Int(filled % Int64(capacity))
        let count = min(limit, room, capacity - start)
        return UnsafeMutableRawBufferPointer(rebasing: memory[bytes(start, count)])
    }

    /// Frames that wait, in one piece, at most `limit`.
    func next(limit: Int) -> UnsafeRawBufferPointer {
        let start = Int(fed % Int64(capacity))
        let count = min(limit, staged, capacity - start)
        return UnsafeRawBufferPointer(rebasing: memory[bytes(start, count)])
    }

    mutating func fill(_ frames: Int) { filled += Int64(frames) }
    mutating func feed(_ frames: Int) { fed += Int64(frames) }

    /// Says that all fed frames before this one were heard. What was heard once stays so.
    mutating func hear(upTo frame: Int64) { heard = max(heard, min(fed, frame)) }

    /// Takes back what was fed and not heard: it is given again.
    mutating func rewind() { fed = heard }

    /// Takes back the last frames that were fed.
    mutating func unfeed(_ frames: Int) { fed = max(heard, fed - Int64(frames)) }

    private func bytes(_ start: Int, _ count: Int) -> Range<Int> {
        (start * format.frameSize)..<((start + count) * format.frameSize)
    }
}
