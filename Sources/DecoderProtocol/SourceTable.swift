public import MediaPorts
public import SystemCalls

/// The available bytes of the source: written by the daemon, read by the decoder, without messages or wake-ups.
///
/// A sequence number that is odd during a write lets the decoder detect an inconsistent read. The memory is shared by
/// two processes, so the atomics of `PlayheadBoard` cannot be used.
public struct SourceTable: Sendable {
    private let memory: SharedMemory

    public init(_ memory: SharedMemory) { self.memory = memory }

    /// Writes the ranges of a source. One thread at a time.
    /// - Parameter offset: if there are too many ranges, ranges that end before this offset are omitted first.
    public func write(_ snapshot: ByteSourceSnapshot, around offset: Int64) {
        var ranges = snapshot.available[...]
        while ranges.count > RingLayout.tableCapacity, let first = ranges.first, first.upperBound <= offset {
            ranges.removeFirst()
        }
        ranges = ranges.prefix(RingLayout.tableCapacity)
        let sequence = memory.load32(RingLayout.tableSequence)
        memory.store32(RingLayout.tableSequence, sequence &+ 1)
        memory.fence()
        memory.store64(RingLayout.tableLength, UInt64(bitPattern: snapshot.length ?? -1))
        memory.store32(RingLayout.tableFlags, snapshot.phase == .complete ? 1 : 0)
        memory.store32(RingLayout.tableCount, UInt32(ranges.count))
        var place = RingLayout.tableRanges
        for range in ranges {
            memory.store64(place, UInt64(bitPattern: range.lowerBound))
            memory.store64(place + 8, UInt64(bitPattern: range.upperBound))
            place += 16
        }
        memory.fence()
        memory.store32(RingLayout.tableSequence, sequence &+ 2)
    }

    public struct Answer: Equatable, Sendable {
        /// Number of available bytes from the offset on.
        public var available: Int64
        /// True if the file ends at or before the end of these bytes.
        public var endsThere: Bool
        /// The file's length, if known.
        public var length: Int64?
    }

    public func lookUp(_ offset: Int64) -> Answer {
        while true {
            let before = memory.load32(RingLayout.tableSequence)
            if before % 2 == 0 {
                let answer = readOnce(offset)
                memory.fence()
                if memory.load32(RingLayout.tableSequence) == before { return answer }
            }
        }
    }

    private func readOnce(_ offset: Int64) -> Answer {
        let length = Int64(bitPattern: memory.load64(RingLayout.tableLength))
        let isComplete = memory.load32(RingLayout.tableFlags) == 1
        let count = min(Int(memory.load32(RingLayout.tableCount)), RingLayout.tableCapacity)
        var available: Int64 = 0
        var end: Int64 = 0
        for index in 0..<count {
            let lower = Int64(bitPattern: memory.load64(RingLayout.tableRanges + index * 16))
            let upper = Int64(bitPattern: memory.load64(RingLayout.tableRanges + index * 16 + 8))
            if lower <= offset && offset < upper { available = upper - offset }
            end = max(end, upper)
        }
        let known = length >= 0 ? length : (isComplete ? end : nil)
        return Answer(
            available: available, endsThere: known.map { offset + available >= $0 } ?? false, length: known)
    }
}
