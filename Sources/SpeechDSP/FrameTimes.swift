/// Maps the input frames of a processor, counted from 0, to media times, as runs of the file.
struct FrameTimes {
    private struct Run {
        var start: Int64
        var media: Int64
    }

    private var runs: [Run] = []
    /// The media time after the last frame.
    private var end: Int64 = 0
    private(set) var count: Int64 = 0

    init() { runs.reserveCapacity(64) }

    mutating func restart() {
        runs.removeAll(keepingCapacity: true)
        (end, count) = (0, 0)
    }

    /// Adds frames at normal speed.
    mutating func append(frames: Int, at media: Int64) {
        if runs.isEmpty || end != media { runs.append(Run(start: count, media: media)) }
        count += Int64(frames)
        end = media + Int64(frames)
    }

    mutating func forget(before frame: Int64) {
        while runs.count > 1, runs[1].start <= frame { runs.removeFirst() }
    }

    /// Media time of a range of frames. If part of the file is missing in it, the result ends before the gap.
    func media(of range: Range<Int64>) -> Range<Int64> {
        guard let first = runs.last(where: { $0.start <= range.lowerBound }) else { return 0..<0 }
        let start = first.media + (range.lowerBound - first.start)
        return start..<(start + Int64(range.count))
    }
}
