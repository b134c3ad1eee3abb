internal import PodcastModel

/// The parts of a file that are left out.
struct SkipPlan: Equatable {
    /// What follows decoded frames.
    enum Continuation: Equatable {
        /// The frame after the last one.
        case next
        /// The rest of the file is left out.
        case end
        case seek(to: MediaTime)
    }

    /// Ascending and disjoint.
    private let skips: [Range<MediaTime>]

    /// Nothing is left out.
    init() { skips = [] }

    /// - Parameter time: where a seek goes, which then plays a part that it leads into; nil if there was none.
    init(_ skips: [Range<MediaTime>], soughtTo time: MediaTime?) {
        self.skips = skips.filter { skip in time.map { !skip.contains($0) } ?? true }
    }

    /// - Returns: how many of these frames are played, the first ones, and what follows them.
    func split(_ frames: Range<Int64>, rate: Int) -> (count: Int, Continuation) {
        for skip in skips {
            let start = skip.lowerBound.frames(rate: rate)
            let end = skip.upperBound.frames(rate: rate)
            guard start < frames.upperBound, frames.lowerBound < end else { continue }
            return (
                Int(max(0, start - frames.lowerBound)),
                skip.upperBound == .distantFuture ? .end : .seek(to: skip.upperBound)
            )
        }
        return (frames.count, .next)
    }
}
