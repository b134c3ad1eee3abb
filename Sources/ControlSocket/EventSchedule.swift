internal import ControlLanguage
internal import PodcastModel

/// Schedules events of changed parts: the first change at once, later ones after an interval. Has no clock.
struct EventSchedule {
    private let interval: Duration
    private var lastSent: [Instant?] = Array(repeating: nil, count: StatusPart.allCases.count)

    /// - Parameter interval: minimum time between two events of one part.
    init(interval: Duration) { self.interval = interval }

    /// The changed parts to send now, which count as sent.
    mutating func due(_ changed: StatusParts, at now: Instant) -> StatusParts {
        var due: StatusParts = []
        for part in changed.members where dueTime(of: part, at: now) <= now {
            due.insert(StatusParts(part))
            lastSent[part.index] = now
        }
        return due
    }

    /// When to send the next of the changed parts; nil without changes.
    func deadline(_ changed: StatusParts, at now: Instant) -> Instant? {
        changed.members.map { dueTime(of: $0, at: now) }.min()
    }

    private func dueTime(of part: StatusPart, at now: Instant) -> Instant {
        lastSent[part.index].map { $0 + interval } ?? now
    }
}
