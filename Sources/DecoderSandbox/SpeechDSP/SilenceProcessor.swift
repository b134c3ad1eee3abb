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
    private var partial: HeldFrames
    private var held: HeldFrames
    /// The frames after the beginning of the pause, to fade it out.
    private var left: HeldFrames

    init(_ settings: (threshold: Int, shortest: Int, kept: Int), rate: Int, channels: Int) {
        self.channels = channels
        window = max(1, rate / 100)
        threshold = Decibels.power(Double(settings.threshold))
        let keptFrames = max(2, settings.kept * rate / 1000)
        let shortest = max(keptFrames + window, settings.shortest * rate / 1000)
        kept = (keptFrames / 2, keptFrames - keptFrames / 2)
        fade = min(rate / 200, kept.tail)
        partial = HeldFrames(capacity: window, channels: channels)
        held = HeldFrames(capacity: shortest - kept.head + window, channels: channels)
        left = HeldFrames(capacity: fade, channels: channels)
    }

    func restart() {
        phase = .sound
        partial.clear()
        held.clear()
        left.clear()
    }

    func process(_ block: SoundBlock, _ next: (SoundBlock) -> Void) {
        // A part of the file is missing here.
        if !partial.isContinued(at: block.media.lowerBound) { finish(next) }
        var place = 0
        while place < block.frames {
            let end = place + min(block.frames - place, partial.room)
            partial.append(
                block.samples[(place * channels)..<(end * channels)], media: block.media.lowerBound + Int64(place))
            place = end
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
        if !held.isContinued(by: partial) { passOnHeld(next) }
        switch phase {
        case .sound: keepBeginning(missing: kept.head, next)
        case .beginning(let missing): keepBeginning(missing: missing, next)
        case .held:
            hold()
            if held.room < window { shorten() }
        case .shortened:
            hold()
            held.keepLast(kept.tail)
        }
    }

    private func keepBeginning(missing: Int, _ next: (SoundBlock) -> Void) {
        phase = missing > window ? .beginning(missing: missing - window) : .held
        partial.passOn(next)
    }

    private func hold() {
        held.append(partial)
        partial.clear()
    }

    /// Called when the pause is long enough.
    private func shorten() {
        phase = .shortened
        left.clear()
        left.append(held.samples.prefix(fade * channels), media: 0)
        held.keepLast(kept.tail)
    }

    /// Outputs the held frames of the pause; after a shortened pause, fades from the removed part.
    private func passOnHeld(_ next: (SoundBlock) -> Void) {
        if case .shortened = phase { held.fade(from: left) }
        held.passOn(next)
        left.clear()
        phase = .sound
    }

    private var isSilent: Bool {
        partial.samples.withUnsafeBytes { samples in
            let count = samples.count / 4
            var sums = SIMD8<Float>()
            let whole = count / 8 * 8
            for index in stride(from: 0, to: whole, by: 8) {
                let values = samples.loadUnaligned(fromByteOffset: index * 4, as: SIMD8<Float>.self)
                sums += values * values
            }
            var sum = sums.sum()
            for index in whole..<count { sum += partial.samples[index] * partial.samples[index] }
            return sum < threshold * Float(count)
        }
    }
}
