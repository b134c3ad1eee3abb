internal import MediaPorts
internal import Synchronization
internal import SystemCalls

/// Frames on their way to an output that follows, numbered by the group: the sink thread puts, the output's thread takes. Without locks.
///
/// Frames stay in memory until they are heard, so that an output that fails or pauses can play them again. A number before the one
/// that would follow means that the frames in between were removed from the group; a number after it, that frames were lost.
///
/// Unchecked because the compiler cannot see the protocol: memory between `kept` and `filled`, and slots between `taken` and
/// `announced`, are the reader's, the rest the writer's, and each passes them on with a release store that the other one acquires.
final class LaneRing: @unchecked Sendable {
    /// From this place on, frames are numbered from `number`.
    struct Mark {
        var place: Int64
        var number: Int64
        /// Frames before the mark must no longer be heard, as after a seek.
        var drops = false
    }

    /// Marks that the reader has not taken. While there are as many, frames are lost, as in a ring that is full.
    private static let mostMarks = 16

    let format: PCMFormat
    private let capacity: Int
    private let memory: UnsafeMutableRawPointer
    private let filled = Atomic<Int64>(0)
    private let kept = Atomic<Int64>(0)
    private let slots = UnsafeMutablePointer<Mark>.allocate(capacity: mostMarks)
    private let announced = Atomic(0)
    private let taken = Atomic(0)
    /// The writer's: the number of the next frame, and the mark before it.
    private var end: Int64
    private var newMark: Mark?
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

    deinit {
        memory.deallocate()
        slots.deallocate()
    }

    // MARK: The sink thread

    /// Adds frames; those for which there is no room are lost.
    func put(_ frames: UnsafeRawBufferPointer, from number: Int64) {
        let place = filled.load(ordering: .relaxed)
        if number != end { mark(place, number) }
        let room = announceMark() ? capacity - Int(place - kept.load(ordering: .acquiring)) : 0
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
        mark(filled.load(ordering: .relaxed), number, drops: true)
        _ = announceMark()
        wakeUp.signal()
    }

    private func mark(_ place: Int64, _ number: Int64, drops: Bool = false) {
        newMark = Mark(place: place, number: number, drops: drops || newMark?.drops == true)
    }

    /// - Returns: false if there is no slot for the mark.
    private func announceMark() -> Bool {
        guard let mark = newMark else { return true }
        let count = announced.load(ordering: .relaxed)
        guard count - taken.load(ordering: .acquiring) < Self.mostMarks else { return false }
        (slots + count % Self.mostMarks).initialize(to: mark)
        announced.store(count + 1, ordering: .releasing)
        newMark = nil
        return true
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
        let count = announced.load(ordering: .acquiring)
        var change = Change.none
        for index in taken.load(ordering: .relaxed)..<count {
            let mark = slots[index % Self.mostMarks]
            let removed = number(at: mark.place) - mark.number
            let taken = removed > 0 ? next - (mark.place - removed) : 0
            append(mark)
            if mark.drops {
                change = .dropped
            } else if taken > 0 {
                next = mark.place
                if case .removed(let before) = change { change = .removed(before + Int(taken)) }
                if change == .none { change = .removed(Int(taken)) }
            }
        }
        taken.store(count, ordering: .releasing)
        return change
    }

    /// Of several marks at one place, as in a ring that is full, the last one wins.
    private func append(_ mark: Mark) {
        if marks.last?.place == mark.place { marks.removeLast() }
        marks.append(mark)
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
