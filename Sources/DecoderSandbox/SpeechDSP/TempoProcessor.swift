internal import MediaPorts
internal import SoundFilters

/// Changes the speed with libsonic, and computes the input frames of each output.
///
/// libsonic does not report these frames, and its average speed differs slightly from the requested one, because it works with
/// whole pitch periods. It begins a step when a fixed number of frames is waiting; so the input is written in pieces that just do
/// not begin the next step, and then frame by frame: all frames written before the fixed number belong to earlier steps.
///
/// Within a step two places of the file are blended, or one is played twice: times may be wrong by a pitch period, 2.5 to 15 ms.
final class TempoProcessor: SampleProcessor {
    private let rate: Int
    private let channels: Int
    private let speed: Float
    private var stretcher: TimeStretcher?
    private var times = FrameTimes()
    /// Frames waiting for the first step; also the maximum of waiting frames at any time.
    private let firstStep: Int
    /// Frames written to the stretcher.
    private var written: Int64 = 0
    /// The last step: its first frame, the probable frame after its last one, and its output.
    private var step: (begin: Int64, probableEnd: Int64, frames: Int)?
    /// The value of `written` up to which no step begins.
    private var safe: Int64 = 0
    /// Frames that follow unchanged after the last pitch period, as libsonic computes them.
    private var unchanged = 0
    private let input: UnsafeMutableBufferPointer<Int16>
    /// Output of one step.
    private let stepped: UnsafeMutableBufferPointer<Int16>
    private let output: UnsafeMutableBufferPointer<Float>

    init(rate: Int, channels: Int, speed: Float) {
        self.rate = rate
        self.channels = channels
        self.speed = speed
        firstStep = TimeStretcher.framesOfFirstStep(rate: rate)
        input = .allocate(capacity: 4096 * channels)
        // A flush returns the rest of the input at the lowest speed.
        stepped = .allocate(capacity: (firstStep * 4 + 16) * channels)
        output = .allocate(capacity: stepped.count)
        restart()
    }

    deinit {
        input.deallocate()
        stepped.deallocate()
        output.deallocate()
    }

    func restart() {
        times.restart()
        written = 0
        step = nil
        safe = Int64(firstStep - 1)
        unchanged = 0
        stretcher = TimeStretcher(rate: rate, channels: channels, speed: speed)
    }

    func process(_ block: SoundBlock, _ next: (SoundBlock) -> Void) {
        guard let stretcher, let samples = block.samples.baseAddress, let pieces = input.baseAddress else { return }
        times.append(frames: block.frames, at: block.media.lowerBound)
        var done = 0
        while done < block.frames {
            let piece = min(block.frames - done, input.count / channels)
            SampleConversion.fromFloat(
                samples + done * channels, count: piece * channels, .int16, into: UnsafeMutableRawPointer(pieces))
            write(piece, to: stretcher, next)
            done += piece
        }
    }

    private func write(_ frames: Int, to stretcher: TimeStretcher, _ next: (SoundBlock) -> Void) {
        var place = 0
        while place < frames {
            let count = max(1, min(frames - place, Int(safe - written)))
            stretcher.write(
                UnsafeBufferPointer(rebasing: input[place * channels..<(place + count) * channels]), frames: count)
            place += count
            written += Int64(count)
            if stretcher.available > 0 { stepBegan(stretcher, next) }
        }
    }

    /// The output of a step is complete, but the end of its input is known only when the next step begins.
    private func stepBegan(_ stretcher: TimeStretcher, _ next: (SoundBlock) -> Void) {
        let begin = written - Int64(firstStep)
        passOn(end: begin, next)
        let frames = stretcher.read(into: stepped, frames: stepped.count / channels)
        let least = Int64(leastConsumption(ofStepWith: frames))
        step = (begin, begin + least, frames)
        // Two frames earlier, so that an error of the estimate does not last.
        safe = written + least - 2
    }

    /// Outputs the last step.
    private func passOn(end: Int64, _ next: (SoundBlock) -> Void) {
        guard let step = step.take(), step.frames > 0, let target = output.baseAddress else { return }
        let samples = UnsafeBufferPointer(rebasing: stepped[..<(step.frames * channels)])
        SampleConversion.toFloat(UnsafeRawBufferPointer(samples), .int16, into: target)
        let media = times.media(of: step.begin..<max(end, step.begin))
        times.forget(before: end)
        next(SoundBlock(samples: output, frames: step.frames, media: media))
    }

    /// The minimum of input frames of a step with this output: smaller costs time, larger makes the times wrong.
    private func leastConsumption(ofStepWith frames: Int) -> Int {
        if unchanged > 0, frames == min(unchanged, firstStep) {
            unchanged -= frames
            return frames
        }
        if speed >= 2 {
            unchanged = 0
            return Int(Float(frames) * speed)
        }
        if speed > 1 {
            unchanged = Int(Float(frames) * (2 - speed) / (speed - 1))
            return 2 * frames
        }
        // One period is output twice.
        let period = Float(frames / 2)
        unchanged = Int(period * (2 * speed - 1) / (1 - speed))
        return frames / 2
    }

    func finish(_ next: (SoundBlock) -> Void) {
        guard let stretcher else { return }
        stretcher.flush()
        let begin = min(step?.probableEnd ?? 0, written)
        passOn(end: begin, next)
        // libsonic outputs the rest as one step.
        step = (begin, written, stretcher.read(into: stepped, frames: stepped.count / channels))
        passOn(end: written, next)
        restart()
    }
}

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
        end = 0
        count = 0
    }

    /// Adds frames at normal speed.
    mutating func append(frames: Int, at media: Int64) {
        if runs.isEmpty || end != media { runs.append(Run(start: count, media: media)) }
        count += Int64(frames)
        end = media + Int64(frames)
    }

    mutating func forget(before frame: Int64) { while runs.count > 1, runs[1].start <= frame { runs.removeFirst() } }

    /// Media time of a range of frames. If part of the file is missing in it, the result ends before the gap.
    func media(of range: Range<Int64>) -> Range<Int64> {
        guard let first = runs.last(where: { $0.start <= range.lowerBound }) else { return 0..<0 }
        let start = first.media + (range.lowerBound - first.start)
        return start..<(start + Int64(range.count))
    }
}
