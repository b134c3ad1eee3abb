internal import MediaPorts
internal import PodcastModel

/// Maps frames of the ring to media times; sink thread only.
///
/// Consecutive runs with the same speed are merged, so an episode at one speed needs one entry, however long it is;
/// silence trimming creates more. The memory is allocated once.
struct MediaMap {
    private struct Run {
        var start: Int64
        var count: Int64
        var mediaStart: Int64
        var mediaEnd: Int64
        var end: Int64 { start + count }
        /// Media frames that were left out since the last reset, before this run; at most 2^60.
        var omitted: Int64
    }

    /// Maximum number of runs. When it is reached, no more frames are read before some are heard.
    static let capacity = 512
    private var runs: [Run]
    private var first = 0
    private var count = 0
    /// The media time after the last run that was removed, and what was left out until then.
    private var end: Int64 = 0
    private var omitted: Int64 = 0
    private var isNew = true

    init() {
        runs = Array(repeating: Run(start: 0, count: 0, mediaStart: 0, mediaEnd: 0, omitted: 0), count: Self.capacity)
    }

    var isFull: Bool { count == Self.capacity }

    mutating func reset() {
        first = 0
        count = 0
        omitted = 0
        isNew = true
    }

    /// Adds the frames from `start` on. Media times are in frames at the source's rate. Impossible values, which only a
    /// broken decoder sends, are treated as speed 1.
    mutating func append(start: Int64, count frames: Int64, mediaStart: Int64, mediaEnd: Int64) {
        guard frames > 0 else { return }
        let bound: Int64 = 1 << 40
        let mediaStart = min(max(0, mediaStart), bound)
        let isPossible = mediaEnd >= mediaStart && mediaEnd <= bound + frames
        let mediaEnd = isPossible ? mediaEnd : mediaStart + frames
        var omitted = self.omitted + (isNew ? 0 : max(0, mediaStart - end))
        if count > 0 {
            let last = (first + count - 1) % Self.capacity
            let run = runs[last]
            omitted = run.omitted + max(0, mediaStart - run.mediaEnd)
            let ours = run.mediaEnd - run.mediaStart
            let theirs = mediaEnd - mediaStart
            let isSamePace = ours.multipliedFullWidth(by: frames) == theirs.multipliedFullWidth(by: run.count)
            if run.mediaEnd == mediaStart, run.end == start, isSamePace {
                runs[last].count += frames
                runs[last].mediaEnd = mediaEnd
                return
            }
        }
        guard !isFull else { return }
        runs[(first + count) % Self.capacity] = Run(
            start: start, count: frames, mediaStart: mediaStart, mediaEnd: mediaEnd, omitted: min(omitted, 1 << 60))
        count += 1
        isNew = false
    }

    mutating func forget(before frame: Int64) {
        while count > 0, runs[first].end <= frame {
            end = runs[first].mediaEnd
            omitted = runs[first].omitted
            first = (first + 1) % Self.capacity
            count -= 1
        }
    }

    /// Removes what is known about a frame and all after it.
    mutating func forget(from frame: Int64) {
        while count > 0 {
            let last = (first + count - 1) % Self.capacity
            let run = runs[last]
            guard run.end > frame else { return }
            guard run.start < frame else {
                count -= 1
                if count == 0 {
                    end = run.mediaStart
                    omitted = run.omitted
                }
                continue
            }
            let media = media(of: frame)
            runs[last].count = frame - run.start
            runs[last].mediaEnd = media
            return
        }
    }

    /// The media time of a frame, in frames rounded down; the end of the last run if all were removed.
    func media(of frame: Int64) -> Int64 {
        for index in 0..<count {
            let run = run(index)
            guard frame < run.end else { continue }
            let inside = max(0, frame - run.start)
            let span = run.mediaEnd - run.mediaStart
            if span == run.count { return run.mediaStart + inside }
            return run.mediaStart + run.count.dividingFullWidth(inside.multipliedFullWidth(by: span)).quotient
        }
        return count > 0 ? run(count - 1).mediaEnd : end
    }

    /// Media frames that were left out before a frame, since the map was empty.
    func omitted(before frame: Int64) -> Int64 {
        for index in 0..<count where frame < run(index).end { return run(index).omitted }
        return count > 0 ? run(count - 1).omitted : omitted
    }

    /// How media time continues from a frame that is heard at an instant: its pace until the first turn, 1 if nothing is known, and
    /// the turns.
    func course(from frame: Int64, rate: Int) -> (pace: Double, turns: PlayheadTurns) {
        var turns = PlayheadTurns()
        var pace: Double?
        var index = 0
        while index < count, run(index).end <= frame { index += 1 }
        var start = frame
        while index < count, !turns.isFull {
            let (end, found) = evenPart(from: start, index, tolerance: Double(rate) * Self.tolerance)
            if pace == nil {
                pace = found
            } else {
                turns.append(
                    PlayheadTurns.Turn(
                        delay: PacedBuffer.duration(of: start - frame, rate: rate).nanoseconds,
                        position: MediaTime(frames: media(of: start), rate: rate), speed: found))
            }
            index = end
            if index < count { start = run(index).start }
        }
        return (pace ?? 1, turns)
    }

    /// Seconds by which a position may differ within an even part.
    private static let tolerance = 0.003
    /// Most runs of an even part, which bounds the work.
    private static let longestPart = 64

    private func run(_ index: Int) -> Run { runs[(first + index) % Self.capacity] }

    /// The longest even part from a frame of a run on.
    /// - Returns: the number of the run after it, and its pace.
    private func evenPart(from frame: Int64, _ index: Int, tolerance: Double) -> (end: Int, pace: Double) {
        let origin = media(of: frame)
        func pace(to end: Int) -> Double {
            let last = run(end)
            return Double(last.mediaEnd - origin) / Double(max(1, last.end - frame))
        }
        var end = index
        var found = pace(to: index)
        while end + 1 < count, end - index < Self.longestPart,
            abs(Double(run(end + 1).mediaStart - run(end).mediaEnd)) <= tolerance
        {
            let candidate = pace(to: end + 1)
            let isEven = (index...end).allSatisfy { index in
                let expected = Double(origin) + Double(run(index).end - frame) * candidate
                return abs(expected - Double(run(index).mediaEnd)) <= tolerance
            }
            guard isEven else { break }
            end = end + 1
            found = candidate
        }
        return (end + 1, found)
    }
}
