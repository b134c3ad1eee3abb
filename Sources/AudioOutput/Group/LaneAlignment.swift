/// Decides how an output stays with the group: a value that is given by how much the output's sound is late.
struct LaneAlignment: Equatable {
    enum Step: Equatable {
        case none
        /// Leave out this time of the sound; repeat the time if it is negative.
        case correct(Duration)
        /// The sound is so far off that it must begin again.
        case restart
    }

    /// A device reports its delay within some milliseconds only, so the median of several reports counts.
    private static let reports = 5

    private var recent: [Duration] = []

    mutating func record(lateness time: Duration) -> Step {
        recent.append(time)
        guard recent.count >= Self.reports else { return .none }
        let median = recent.sorted()[Self.reports / 2]
        recent.removeFirst()
        if abs(median) > GroupTiming.farOff {
            recent = []
            return .restart
        }
        guard abs(median) > GroupTiming.tolerance else { return .none }
        recent = []
        let step = GroupTiming.tolerance * Int(abs(median) / GroupTiming.tolerance)
        return .correct(median < .zero ? .zero - step : step)
    }

    private func abs(_ time: Duration) -> Duration { time < .zero ? .zero - time : time }
}
