internal import PodcastModel

/// The skipped ranges of a file.
struct SkipPlan: Equatable {
    enum Continuation: Equatable {
        /// The frame after the last one.
        case next
        /// The rest of the file is skipped.
        case end
        case seek(to: MediaTime)
    }

    private let skips: [Range<MediaTime>]

    init(_ skips: [Range<MediaTime>] = []) { self.skips = skips }

    /// - Returns: number of leading frames to play, and the continuation.
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
