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
    /// Smaller differences stay: they cannot be heard, and each correction changes the sound.
    static let tolerance = Duration.milliseconds(5)
    /// A greater difference is not corrected.
    static let limit = Duration.milliseconds(80)

    private var recent: [Duration] = []

    mutating func record(lateness time: Duration) -> Step {
        recent.append(time)
        guard recent.count >= Self.reports else { return .none }
        let median = recent.sorted()[Self.reports / 2]
        recent.removeFirst()
        if abs(median) > Self.limit {
            recent = []
            return .restart
        }
        guard abs(median) > Self.tolerance else { return .none }
        recent = []
        let step = Self.tolerance * Int(abs(median) / Self.tolerance)
        return .correct(median < .zero ? .zero - step : step)
    }

    private func abs(_ time: Duration) -> Duration { time < .zero ? .zero - time : time }
}
