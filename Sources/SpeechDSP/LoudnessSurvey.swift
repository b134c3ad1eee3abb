internal import SpeechFilters

/// Measures a recording's loudness. Passes on one frame per ten seconds, which shows that the decoder works.
final class LoudnessSurvey: SampleProcessor {
    private let meter: LoudnessMeter?
    private let interval: Int64
    private var nextFrame: Int64 = 0

    init(rate: Int, channels: Int) {
        meter = LoudnessMeter(rate: rate, channels: channels)
        interval = Int64(rate) * 10
    }

    /// In hundredths of LUFS; nil for silence.
    var hundredths: Int? { meter?.loudness.map { Int(($0 * 100).rounded()) } }

    func process(_ block: SoundBlock, _ next: (SoundBlock) -> Void) {
        guard let samples = block.samples.baseAddress else { return }
        meter?.add(samples, frames: block.frames)
        guard block.frames > 0, block.media.lowerBound >= nextFrame else { return }
        nextFrame = block.media.lowerBound + interval
        let media = block.media.lowerBound..<(block.media.lowerBound + 1)
        next(SoundBlock(samples: block.samples, frames: 1, media: media))
    }

    func finish(_ next: (SoundBlock) -> Void) {}
    func restart() {}
}
