/// Shortens pauses. Detects silence in windows of 10 ms; a pause keeps its beginning and its end.
final class SilenceProcessor: SampleProcessor {
    private enum Phase {
        case sound
        /// In a pause whose beginning is output; this number of frames must still be output.
        case beginning(missing: Int)
        /// The following frames are held until the pause is known to be long enough.
        case held
        /// The pause is shortened: only its last frames are held.
        case shortened
    }

    private let channels: Int
    private let window: Int
    /// Mean square of a window's samples below which the window is silent.
    private let threshold: Float
    /// Frames that remain at the beginning and at the end of a shortened pause.
    private let kept: (head: Int, tail: Int)
    /// Frames over which the removed part fades.
    private let fade: Int
    private var phase = Phase.sound

    /// Input that does not fill a window yet.
    private var partial: Frames
    private var held: Frames
    /// The frames after the beginning of the pause, to fade it out.
    private var left: Frames

    private struct Frames {
        let samples: UnsafeMutableBufferPointer<Float>
        let channels: Int
        let capacity: Int
        /// The first frame in the ring, and the number of frames.
        var first = 0
        var count = 0
        /// Media time of the first frame. The frames have no gap.
        var media: Int64 = 0

        init(capacity: Int, channels: Int) {
            self.capacity = capacity
            self.channels = channels
            samples = .allocate(capacity: capacity * channels)
        }

        var room: Int { capacity - count }

        mutating func clear() {
            first = 0
            count = 0
        }

        mutating func append(_ source: UnsafeMutablePointer<Float>, frames: Int, media: Int64) {
            if count == 0 {
                first = 0
                self.media = media
            }
            for index in 0..<frames {
                let place = (first + count + index) % capacity * channels
                for channel in 0..<channels { samples[place + channel] = source[index * channels + channel] }
            }
            count += frames
        }

        mutating func removeFirst(_ frames: Int) {
            first = (first + frames) % capacity
            count -= frames
            media += Int64(frames)
        }

        /// Outputs and removes the frames.
        mutating func passOn(_ next: (SoundBlock) -> Void) {
            while count > 0 {
                let piece = min(count, capacity - first)
                let part = UnsafeMutableBufferPointer(
                    rebasing: samples[(first * channels)..<((first + piece) * channels)])
                next(SoundBlock(samples: part, frames: piece, media: media..<(media + Int64(piece))))
                removeFirst(piece)
            }
            first = 0
        }
    }

    init(_ settings: (threshold: Int, shortest: Int, kept: Int), rate: Int, channels: Int) {
        self.channels = channels
        window = max(1, rate / 100)
        threshold = Decibels.power(Double(settings.threshold))
        let keptFrames = max(2, settings.kept * rate / 1000)
        let shortest = max(keptFrames + window, settings.shortest * rate / 1000)
        kept = (keptFrames / 2, keptFrames - keptFrames / 2)
        fade = min(rate / 200, kept.tail)
        partial = Frames(capacity: window, channels: channels)
        held = Frames(capacity: shortest - kept.head + window, channels: channels)
        left = Frames(capacity: max(1, fade), channels: channels)
    }

    deinit { for frames in [partial, held, left] { frames.samples.deallocate() } }

    func restart() {
        phase = .sound
        partial.clear()
        held.clear()
        left.clear()
    }

    func process(_ block: SoundBlock, _ next: (SoundBlock) -> Void) {
        guard let samples = block.samples.baseAddress else { return }
        // A part of the file is missing here.
        if partial.count > 0, partial.media + Int64(partial.count) != block.media.lowerBound { finish(next) }
        var place = 0
        while place < block.frames {
            let count = min(block.frames - place, partial.room)
            partial.append(samples + place * channels, frames: count, media: block.media.lowerBound + Int64(place))
            place += count
            if partial.room == 0 { processWindow(next) }
        }
    }

    func finish(_ next: (SoundBlock) -> Void) {
        passOnHeld(next)
        partial.passOn(next)
        restart()
    }

    /// Handles a full window.
    private func processWindow(_ next: (SoundBlock) -> Void) {
        guard isSilent else {
            passOnHeld(next)
            phase = .sound
            return partial.passOn(next)
        }
        if held.count > 0, held.media + Int64(held.count) != partial.media { passOnHeld(next) }
        switch phase {
        case .sound: keepBeginning(missing: kept.head, next)
        case .beginning(let missing): keepBeginning(missing: missing, next)
        case .held:
            hold()
            if held.room < window { shorten() }
        case .shortened:
            hold()
            held.removeFirst(held.count - kept.tail)
        }
    }

    private func keepBeginning(missing: Int, _ next: (SoundBlock) -> Void) {
        phase = missing > window ? .beginning(missing: missing - window) : .held
        partial.passOn(next)
    }

    private func hold() {
        guard let samples = partial.samples.baseAddress else { return }
        held.append(samples, frames: partial.count, media: partial.media)
        partial.clear()
    }

    /// Called when the pause is long enough.
    private func shorten() {
        phase = .shortened
        left.clear()
        for index in 0..<min(fade, held.count) {
            let place = (held.first + index) % held.capacity * channels
            if let source = held.samples.baseAddress { left.append(source + place, frames: 1, media: 0) }
        }
        held.removeFirst(held.count - kept.tail)
    }

    /// Outputs the held frames of the pause; after a shortened pause, fades from the removed part.
    private func passOnHeld(_ next: (SoundBlock) -> Void) {
        if case .shortened = phase {
            for index in 0..<min(left.count, held.count) {
                let share = Float(index + 1) / Float(left.count + 1)
                let place = (held.first + index) % held.capacity * channels
                for channel in 0..<channels {
                    let before = left.samples[index * channels + channel]
                    held.samples[place + channel] = before + (held.samples[place + channel] - before) * share
                }
            }
        }
        held.passOn(next)
        left.clear()
        phase = .sound
    }

    private var isSilent: Bool {
        guard let samples = partial.samples.baseAddress else { return true }
        let count = partial.count * channels
        var sums = SIMD8<Float>()
        let whole = count / 8 * 8
        for index in stride(from: 0, to: whole, by: 8) {
            let values = UnsafeRawPointer(samples + index).loadUnaligned(as: SIMD8<Float>.self)
            sums += values * values
        }
        var sum = sums.sum()
        for index in whole..<count { sum += samples[index] * samples[index] }
        return sum < threshold * Float(count)
    }
}
