internal import MediaPorts
internal import Synchronization
internal import SystemCalls

/// Frames on their way to an output that follows, numbered by the group: the sink thread puts, the output's thread takes.
///
/// Frames stay in memory until they are heard, so that an output that fails or pauses can play them again. A number before the one
/// that would follow means that the frames in between were removed from the group; a number after it, that frames were lost.
///
/// Unchecked because the compiler cannot see the protocol: memory between `kept` and `filled` is the reader's, the rest the
/// writer's, and each passes memory on with a release store that the other one acquires.
final class LaneFeed: @unchecked Sendable {
    /// From this place on, frames are numbered from `number`.
    struct Mark {
        var place: Int64
        var number: Int64
        /// Frames before the mark must no longer be heard, as after a seek.
        var drops = false
    }

    let format: PCMFormat
    private let capacity: Int
    private let memory: UnsafeMutableRawPointer
    private let filled = Atomic<Int64>(0)
    private let kept = Atomic<Int64>(0)
    private let newMarks = Mutex<[Mark]>([])
    private let hasNewMarks = Atomic(false)
    /// The writer's: the number of the next frame.
    private var end: Int64
    /// The reader's: the place of the next frame, the end of those that it knows, and the marks since `kept`, in order.
    private var next: Int64 = 0
    private var last: Int64 = 0
    private var marks: [Mark]
    /// Signalled when there is something to take.
    let wakeUp: EventDescriptor

    /// - Parameters:
    ///   - number: of the first frame.
    ///   - capacity: in frames.
    init(_ format: PCMFormat, from number: Int64, capacity: Int, wakeUp: EventDescriptor) {
        self.format = format
        self.capacity = capacity
        self.wakeUp = wakeUp
        end = number
        marks = [Mark(place: 0, number: number)]
        memory = .allocate(byteCount: capacity * format.frameSize, alignment: 64)
    }

    deinit { memory.deallocate() }

    // MARK: The sink thread

    /// Adds frames; those for which there is no room are lost.
    func put(_ frames: UnsafeRawBufferPointer, from number: Int64) {
        let place = filled.load(ordering: .relaxed)
        if number != end { add(Mark(place: place, number: number)) }
        let room = capacity - Int(place - kept.load(ordering: .acquiring))
        let count = min(room, frames.count / format.frameSize)
        end = number + Int64(count)
        let start = Int(place % Int64(capacity))
        let first = min(count, capacity - start) * format.frameSize
        let all = count * format.frameSize
        if first > 0 { (memory + start * format.frameSize).copyMemory(from: frames.baseAddress!, byteCount: first) }
        if all > first { memory.copyMemory(from: frames.baseAddress! + first, byteCount: all - first) }
        filled.store(place + Int64(count), ordering: .releasing)
        wakeUp.signal()
    }

    /// All frames so far must no longer be heard; the next one has this number.
    func drop(to number: Int64) {
        end = number
        add(Mark(place: filled.load(ordering: .relaxed), number: number, drops: true))
        wakeUp.signal()
    }

    private func add(_ mark: Mark) {
        newMarks.withLock { Self.append(mark, to: &$0) }
        hasNewMarks.store(true, ordering: .releasing)
    }

    /// Of several marks at one place, as in a feed that is full, the last one counts.
    private static func append(_ mark: Mark, to marks: inout [Mark]) {
        guard let last = marks.last, last.place == mark.place else { return marks.append(mark) }
        marks[marks.count - 1].number = mark.number
        if mark.drops { marks[marks.count - 1].drops = true }
    }

    // MARK: The output's thread

    enum Change: Equatable {
        case none
        /// This number of the last frames taken were removed.
        case removed(Int)
        /// What was taken must no longer be heard.
        case dropped
    }

    /// Takes the frames and marks that came since the last call.
    func update() -> Change {
        // In this order, so that no frame is taken before its mark.
        last = filled.load(ordering: .acquiring)
        guard hasNewMarks.exchange(false, ordering: .acquiring) else { return .none }
        var change = Change.none
        for mark in newMarks.withLock({ exchange(&$0, with: []) }) {
            let removed = number(at: mark.place) - mark.number
            let taken = removed > 0 ? next - (mark.place - removed) : 0
            Self.append(mark, to: &marks)
            if mark.drops {
                change = .dropped
            } else if taken > 0 {
                next = mark.place
                if case .removed(let before) = change { change = .removed(before + Int(taken)) }
                if change == .none { change = .removed(Int(taken)) }
            }
        }
        return change
    }

    /// The number of the next frame, which may not be there yet.
    var position: Int64 {
        skipRemoved()
        return number(at: next)
    }

    /// Whether there is a frame to take.
    var hasFrames: Bool {
        skipRemoved()
        return next < last
    }

    /// The next frames that are consecutive in memory and in number, at most `limit`.
    func frames(limit: Int) -> UnsafeRawBufferPointer {
        skipRemoved()
        var last = last
        if let mark = marks.first(where: { $0.place > next }) {
            // Frames from the mark's number on were removed.
            last = min(last, min(mark.place, next + max(0, mark.number - number(at: next))))
        }
        let start = Int(next % Int64(capacity))
        let count = max(0, min(limit, Int(last - next), capacity - start))
        return UnsafeRawBufferPointer(start: memory + start * format.frameSize, count: count * format.frameSize)
    }

    /// Skips frames that were taken.
    func advance(_ frames: Int) { next += Int64(frames) }

    /// Gives back memory of what was heard.
    /// - Parameter unheard: number of the last frames taken that were not heard yet.
    func keep(unheard: Int) {
        let place = max(kept.load(ordering: .relaxed), min(next, next - Int64(unheard)))
        kept.store(place, ordering: .releasing)
        let past = (marks.firstIndex { $0.place > place } ?? marks.count) - 1
        if past > 0 { marks.removeSubrange(..<past) }
    }

    /// Returns to the first frame that was not heard.
    func rewind() { next = kept.load(ordering: .relaxed) }

    private func skipRemoved() {
        while let mark = marks.first(where: { $0.place > next }), number(at: next) >= mark.number { next = mark.place }
    }

    private func number(at place: Int64) -> Int64 {
        let mark = marks.last { $0.place <= place } ?? marks[0]
        return mark.number + place - mark.place
    }
}
