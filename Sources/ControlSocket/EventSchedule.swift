internal import ControlLanguage

/// When events of changed parts are sent: the first change at once, the next ones after an interval. A value without a clock; times
/// are nanoseconds of CLOCK_MONOTONIC.
struct EventSchedule {
    private let interval: Int64
    private var lastSent: [Int64?] = Array(repeating: nil, count: StatusPart.allCases.count)

    /// - Parameter interval: minimum time in nanoseconds between two events of one part.
    init(interval: Int64) { self.interval = interval }

    /// Which of the changed parts to send now; they count as sent.
    mutating func due(_ changed: StatusParts, at now: Int64) -> StatusParts {
        var due: StatusParts = []
        for part in changed.members where dueTime(of: part, at: now) <= now {
            due.insert(StatusParts(part))
            lastSent[Int(part.rawValue)] = now
        }
        return due
    }

    /// When to send the next of the changed parts; nil if none has changed.
    func deadline(_ changed: StatusParts, at now: Int64) -> Int64? {
        changed.members.map { dueTime(of: $0, at: now) }.min()
    }

    private func dueTime(of part: StatusPart, at now: Int64) -> Int64 {
        lastSent[Int(part.rawValue)].map { $0 + interval } ?? now
    }
}
