internal import ControlProtocol

/// When changed parts are told: the first change at once, those that follow closely together after a while. A value
/// without a clock; times are monotonic nanoseconds.
struct EventSchedule {
    private let interval: Int64
    private var lastTold: [Int64?] = Array(repeating: nil, count: StatusPart.allCases.count)

    /// - Parameter interval: nanoseconds between two events of one part at least.
    init(interval: Int64) { self.interval = interval }

    /// Which of the changed parts are to be told now; they count as told.
    mutating func due(_ changed: StatusParts, at now: Int64) -> StatusParts {
        var due: StatusParts = []
        for part in changed.members where dueTime(of: part, at: now) <= now {
            due.insert(StatusParts(part))
            lastTold[Int(part.rawValue)] = now
        }
        return due
    }

    /// When the next of the changed parts is to be told; nil when none has changed.
    func deadline(_ changed: StatusParts, at now: Int64) -> Int64? {
        changed.members.map { dueTime(of: $0, at: now) }.min()
    }

    private func dueTime(of part: StatusPart, at now: Int64) -> Int64 {
        lastTold[Int(part.rawValue)].map { $0 + interval } ?? now
    }
}
