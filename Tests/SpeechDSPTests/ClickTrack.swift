@testable import DecoderSandbox
import Glibc
import MediaPorts
import PodcastModel

/// A self-made recording: bursts of a voice-like sound, half a second apart, in near silence.
struct ClickTrack {
    static let rate = 44_100
    /// Media frames at which the bursts begin.
    let clicks: [Int64]
    let samples: [Float]
    let format: PCMFormat

    private init(clicks: [Int64], samples: [Float], format: PCMFormat) {
        (self.clicks, self.samples, self.format) = (clicks, samples, format)
    }

    /// - Parameter gaps: seconds between the bursts, repeated.
    init(seconds: Int, channels: Int = 1, gaps: [Double] = [0.5], burst: Double = 0.08) {
        let frames = seconds * Self.rate
        var samples = [Float](repeating: 0, count: frames * channels)
        var noise: UInt32 = 1
        var clicks: [Int64] = []
        var place = Self.rate / 4
        var index = 0
        while place + Self.rate / 2 < frames {
            clicks.append(Int64(place))
            place += Int(gaps[index % gaps.count] * Double(Self.rate))
            index += 1
        }
        for frame in 0..<frames {
            noise = noise &* 1_664_525 &+ 1_013_904_223
            let value = (Float(noise >> 8) / Float(1 << 24) - 0.5) * 0.0006
            for channel in 0..<channels { samples[frame * channels + channel] = value }
        }
        // 140 Hz with harmonics.
        let burst = (0..<Int(burst * Double(Self.rate))).map { frame in
            let phase = Float(frame) * 2 * .pi * 140 / Float(Self.rate)
            return 0.4 * (sinf(phase + 1.2) + 0.5 * sinf(2 * phase + 1) + 0.3 * sinf(5 * phase + 1))
        }
        for click in clicks {
            for (frame, value) in burst.enumerated() {
                for channel in 0..<channels { samples[(Int(click) + frame) * channels + channel] += value }
            }
        }
        self.clicks = clicks
        self.samples = samples
        format = PCMFormat(rate: Self.rate, channels: channels, type: .float32)
    }

    /// The same recording with other samples.
    func playing(_ samples: [Float]) -> ClickTrack {
        ClickTrack(clicks: clicks, samples: samples, format: format)
    }

    /// What comes out of a chain: each frame's first sample, and of each chunk its media time and number of frames.
    struct Output {
        var samples: [Float] = []
        var chunks: [Range<Int64>] = []
        var frames: [Int] = []

        /// The media time of a frame.
        func media(of index: Int) -> Double {
            var (chunk, offset) = (0, index)
            while offset >= frames[chunk] {
                offset -= frames[chunk]
                chunk += 1
            }
            let range = chunks[chunk]
            return Double(range.lowerBound) + Double(offset) * Double(range.count) / Double(frames[chunk])
        }

        /// Media times at which a burst begins.
        func onsets(above level: Float = 0.1, quiet: Int = 2000) -> [Double] {
            var onsets: [Double] = []
            var silent = quiet
            for (index, sample) in samples.enumerated() {
                if abs(sample) > level {
                    if silent >= quiet { onsets.append(media(of: index)) }
                    silent = 0
                } else {
                    silent += 1
                }
            }
            return onsets
        }
    }

    /// The loudness that a chain measures, in hundredths of LUFS.
    func survey(_ parameters: PlaybackParameters) -> Int? {
        guard let chain = SoundChain(parameters, format) else { return nil }
        let place = chain.room.count / 4
        for start in stride(from: 0, to: samples.count, by: place) {
            let count = min(place, samples.count - start)
            samples[start..<(start + count)].withUnsafeBytes { chain.room.copyMemory(from: $0) }
            chain.process(bytes: count * 4, frame: Int64(start))
        }
        chain.finish()
        return chain.surveyedLoudness
    }

    func play(_ parameters: PlaybackParameters, piece: Int = 1152) -> Output {
        var output = Output()
        guard let chain = SoundChain(parameters, format) else { return output }
        var payload = [Float](repeating: 0, count: 16_000)
        func drain() {
            while let chunk = payload.withUnsafeMutableBytes({ chain.take(into: $0) }) {
                let frames = chunk.bytes / format.frameSize
                if format.channels == 1 {
                    output.samples += payload[..<frames]
                } else {
                    for frame in 0..<frames { output.samples.append(payload[frame * format.channels]) }
                }
                output.chunks.append(chunk.media)
                output.frames.append(frames)
            }
        }
        var frame = 0
        while frame * format.channels < samples.count {
            let count = min(piece, samples.count / format.channels - frame)
            samples[(frame * format.channels)..<((frame + count) * format.channels)].withUnsafeBytes { bytes in
                chain.room.copyMemory(from: bytes)
            }
            chain.process(bytes: count * format.frameSize, frame: Int64(frame))
            drain()
            frame += count
        }
        chain.finish()
        drain()
        return output
    }
}
