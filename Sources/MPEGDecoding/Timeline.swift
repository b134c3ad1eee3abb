internal import MediaPorts
internal import PodcastModel

/// Estimates bytes for times that were not decoded, from the Info frame or the average; exact at a constant bit rate.
struct Timeline {
    /// File offset of the first MPEG frame with audio.
    var audioStart: Int64
    /// File offset and contents of the Info frame.
    var infoStart: Int64 = 0
    var info: InfoHeader?
    /// Samples of an MPEG frame, and PCM frames per second.
    var samplesPerFrame: Int64
    var rate: Int
    /// PCM frames before the first one to play.
    var skipped: Int64 = 0
    /// For files without table and totals.
    var bytesPerSecond: Double
    /// In bytes, if known.
    var fileLength: Int64?

    var firstFrame: FrameIndex.Entry { .init(key: audioStart, position: -skipped, rate: rate) }

    /// PCM frames according to the Info frame, including gaps; nil also if the file is too short for them.
    var announcedFrames: Int64? {
        guard let count = info?.frameCount else { return nil }
        if let fileLength, count > max(0, fileLength - audioStart) / Self.smallestFrame { return nil }
        let frames = count * samplesPerFrame
        return StreamInfo.times.contains(MediaTime(frames: frames, rate: rate)) ? frames : nil
    }

    /// Bytes of the smallest MPEG frame: layer III with 8 kbit/s at 24 kHz (ISO/IEC 13818-3, 2.4.2.3).
    static let smallestFrame: Int64 = 24

    /// PCM frames to play according to the Info frame.
    var heardFrames: Int64? { announcedFrames.map { max(0, $0 - skipped - gapLength) } }

    /// PCM frames after the last one to play. The decoder's own delay is 529 frames (LAME's technical FAQ).
    var gapLength: Int64 { max(0, Int64(info?.padding ?? 0) - Timeline.decoderDelay) }

    /// Samples that a layer III decoder returns before the first one of the original.
    static let decoderDelay: Int64 = 529

    private var soundBytes: Double? { info?.byteCount.map { max(1, Double($0) - Double(audioStart - infoStart)) } }

    /// Nil if there is no basis for an estimate.
    var duration: MediaTime? {
        if let heardFrames { return MediaTime(frames: heardFrames, rate: rate) }
        guard let fileLength, bytesPerSecond > 0 else { return nil }
        return MediaTime(seconds: Double(max(0, fileLength - audioStart)) / bytesPerSecond)
    }

    /// True if the announced length is the file's, so that the duration is reliable.
    var isConsistent: Bool {
        guard let byteCount = info?.byteCount, announcedFrames != nil, let fileLength else { return false }
        return abs(fileLength - infoStart - byteCount) < 65_536
    }

    /// File offset of the byte played at a position.
    func offset(ofFrame frame: Int64) -> Int64 {
        let seconds = Double(frame + skipped) / Double(rate)
        guard let announcedFrames, let soundBytes else {
            return limited(Double(audioStart) + seconds * bytesPerSecond)
        }
        let share = seconds * Double(rate) / Double(max(1, announcedFrames))
        if let place = info?.place(at: share) { return limited(Double(infoStart) + place) }
        return limited(Double(audioStart) + share * soundBytes)
    }

    func frame(atOffset offset: Int64) -> Int64 {
        let count: Double
        if let announcedFrames, let soundBytes {
            let share =
                info?.share(at: Double(offset - infoStart)) ?? Double(offset - audioStart) / soundBytes
            count = share * Double(announcedFrames)
        } else {
            count = Double(offset - audioStart) / max(1, bytesPerSecond) * Double(rate)
        }
        let frames = (count / Double(samplesPerFrame)).rounded()
        return Int64(max(0, min(frames, 1e12))) * samplesPerFrame - skipped
    }

    /// Bytes of an MPEG frame at a bit rate, with padding spread evenly (ISO/IEC 11172-3, 2.4.2.3).
    private func frameLength(bitRate: Int) -> Double { Double(bitRate) / 8 * Double(samplesPerFrame) / Double(rate) }

    /// True if MPEG frames have the number of bytes of a constant bit rate, except for the padding of one frame.
    func isConstant(_ bytes: Int64, frames: Int64, bitRate: Int) -> Bool {
        abs(Double(bytes) - Double(frames) * frameLength(bitRate: bitRate)) < 2
    }

    /// True if an MPEG frame confirms a constant bit rate: it has this rate, and a whole number of such frames fits
    /// before it. Always false with a table, because its coarse steps were used for the position.
    func isOnGrid(_ offset: Int64, bitRate: Int) -> Bool {
        guard info?.places.isEmpty ?? true else { return false }
        let reckoned =
            if let announcedFrames, let soundBytes {
                soundBytes * Double(rate) / Double(max(1, announcedFrames))
            } else {
                bytesPerSecond
            }
        let length = frameLength(bitRate: bitRate)
        guard length > 0, abs(reckoned * 8 / Double(bitRate) - 1) < 0.01 else { return false }
        let count = Double(offset - audioStart) / length
        // Padding shifts frames by a byte, in joined files by a few bytes.
        return abs(count - count.rounded()) * length < 16
    }

    private func limited(_ offset: Double) -> Int64 {
        let most = Double(fileLength ?? .max)
        return max(audioStart, Int64(max(0, min(offset, most, 1e15))))
    }
}
