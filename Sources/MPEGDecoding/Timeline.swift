internal import MediaPorts
internal import PodcastModel

/// The estimate of which byte sounds when, for places that were not decoded yet: by the Info frame's table, by its
/// totals, or by the average so far. Exact for a constant bit rate.
struct Timeline {
    /// Where the first MPEG frame with sound begins.
    var audioStart: Int64
    /// Where the Info frame begins, and what it says.
    var infoStart: Int64 = 0
    var info: InfoHeader?
    /// Samples of an MPEG frame, and frames of PCM per second.
    var samplesPerFrame: Int64
    var rate: Int
    /// Frames of PCM before the first one that is heard.
    var skipped: Int64 = 0
    /// Bytes per second where neither table nor totals are there.
    var bytesPerSecond: Double
    /// The file's length, when known.
    var fileLength: Int64?

    /// Frames of PCM that the Info frame announces, gaps included; nil also for more than the file can hold.
    var announcedFrames: Int64? {
        guard let count = info?.frameCount else { return nil }
        if let fileLength, count > max(0, fileLength - audioStart) / Self.smallestFrame { return nil }
        let frames = count * samplesPerFrame
        return StreamInfo.times.contains(MediaTime(frames: frames, rate: rate)) ? frames : nil
    }

    /// Bytes of the smallest MPEG frame: layer III with 8 kbit/s at 24 kHz (ISO/IEC 13818-3, 2.4.2.3).
    private static let smallestFrame: Int64 = 24

    /// Frames of PCM that will be heard by what the Info frame says.
    var heardFrames: Int64? {
        announcedFrames.map { max(0, $0 - skipped - gapLength) }
    }

    /// Frames of PCM after the last one that is heard. The decoder itself is late by 529 (LAME's technical FAQ).
    var gapLength: Int64 { max(0, Int64(info?.padding ?? 0) - Timeline.decoderDelay) }

    /// Samples that come out of a layer III decoder before the first that went into the encoder.
    static let decoderDelay: Int64 = 529

    private var soundBytes: Double? {
        info?.byteCount.map { max(1, Double($0) - Double(audioStart - infoStart)) }
    }

    /// The total time; nil when there is nothing to judge by.
    var duration: MediaTime? {
        if let heardFrames { return MediaTime(frames: heardFrames, rate: rate) }
        guard let fileLength, bytesPerSecond > 0 else { return nil }
        return MediaTime(seconds: Double(max(0, fileLength - audioStart)) / bytesPerSecond)
    }

    /// Whether the announced length is the file's, so that the duration can be believed.
    var isConsistent: Bool {
        guard let byteCount = info?.byteCount, announcedFrames != nil, let fileLength else { return false }
        return abs(fileLength - infoStart - byteCount) < 65_536
    }

    /// The byte that sounds at a frame of what is heard.
    func offset(ofFrame frame: Int64) -> Int64 {
        let seconds = Double(frame + skipped) / Double(rate)
        guard let announcedFrames, let soundBytes else {
            return limited(Double(audioStart) + seconds * bytesPerSecond)
        }
        let share = seconds * Double(rate) / Double(max(1, announcedFrames))
        if let place = info?.place(at: share) { return limited(Double(infoStart) + place) }
        return limited(Double(audioStart) + share * soundBytes)
    }

    /// The frame of what is heard at which an MPEG frame at a byte begins.
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

    /// Bytes of an MPEG frame at a bit rate, padding spread evenly (ISO/IEC 11172-3, 2.4.2.3).
    private func frameLength(bitRate: Int) -> Double {
        Double(bitRate) / 8 * Double(samplesPerFrame) / Double(rate)
    }

    /// Whether so many MPEG frames take as many bytes as a constant bit rate says, but for the padding of one.
    func isConstant(_ bytes: Int64, frames: Int64, bitRate: Int) -> Bool {
        abs(Double(bytes) - Double(frames) * frameLength(bitRate: bitRate)) < 2
    }

    /// Whether an MPEG frame at a byte is one of a constant bit rate as it was reckoned with: it has that rate, and a whole
    /// number of such frames fits before it.
    func isOnGrid(_ offset: Int64, bitRate: Int) -> Bool {
        let reckoned =
            if let announcedFrames, let soundBytes {
                soundBytes * Double(rate) / Double(max(1, announcedFrames))
            } else {
                bytesPerSecond
            }
        let length = frameLength(bitRate: bitRate)
        guard length > 0, abs(reckoned * 8 / Double(bitRate) - 1) < 0.01 else { return false }
        let count = Double(offset - audioStart) / length
        // Padding moves a frame by a byte; files that were joined bring a few more.
        return abs(count - count.rounded()) * length < 16
    }

    private func limited(_ offset: Double) -> Int64 {
        let most = Double(fileLength ?? .max)
        return max(audioStart, Int64(max(0, min(offset, most, 1e15))))
    }
}
