internal import FFmpeg
internal import MediaPorts

/// Frames of one decoded block that are not returned yet.
struct DecodedBlock {
    private(set) var start: Int64 = 0
    private var samples: [Float] = []
    /// Number of samples returned.
    private var taken = 0

    var isEmpty: Bool { taken >= samples.count }

    /// Converts the frames at the positions `heard` of the codec's last block, after `skipping` frames.
    mutating func fill(_ heard: Range<Int64>, skipping: Int, of found: AudioCodec.Block, _ file: OpenFile)
        throws(DecoderError)
    {
        var samples = [Float](repeating: 0, count: found.count * found.channels)
        let converted = samples.withUnsafeMutableBytes { buffer in
            Result { () throws(FFmpegError) in try file.codec.convert(into: buffer) }
        }
        let count = try file.call { () throws(FFmpegError) in try converted.get() }
        let kept = min(count, skipping + heard.count)
        samples.removeLast((found.count - min(kept, found.count)) * found.channels)
        self.samples = samples
        start = heard.lowerBound
        taken = min(skipping * found.channels, samples.count)
    }

    mutating func move(by frames: Int64) { start += frames }

    /// Copies as many frames as fit. Returns the number of bytes.
    mutating func take(into output: UnsafeMutableRawBufferPointer, _ frameSize: Int) -> Int {
        let frames = min(output.count / frameSize, (samples.count - taken) * 4 / frameSize)
        let count = frames * frameSize / 4
        output.copyBytes(from: samples[taken..<taken + count].withUnsafeBytes { Array($0) })
        taken += count
        start += Int64(frames)
        return count * 4
    }
}
