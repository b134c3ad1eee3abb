internal import MediaPorts

/// Frames of one decoded block that are not returned yet. The memory is used again for each block.
struct DecodedBlock {
    private(set) var start: Int64 = 0
    private var samples: [Float] = []
    /// The samples that are not returned yet.
    private var rest = 0..<0

    var isEmpty: Bool { rest.isEmpty }

    mutating func removeAll() { rest = 0..<0 }

    /// Converts the frames at the positions `heard` of the codec's last block, after `skipping` frames.
    mutating func fill(_ heard: Range<Int64>, skipping: Int, of found: AudioCodec.Block, _ file: OpenFile)
        throws(DecoderError)
    {
        let needed = found.count * found.channels
        if samples.count < needed { samples = [Float](repeating: 0, count: needed) }
        let converted = unsafe samples.withUnsafeMutableBytes { buffer in
            Result { () throws(FFmpegError) in
                unsafe try file.codec.convert(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<(needed * 4)]))
            }
        }
        let count = try file.call(try converted.get())
        let end = max(0, min(count, skipping + heard.count, found.count)) * found.channels
        rest = min(skipping * found.channels, end)..<end
        start = heard.lowerBound
    }

    mutating func move(by frames: Int64) { start += frames }

    /// Copies as many frames as fit. Returns the number of bytes.
    mutating func take(into output: UnsafeMutableRawBufferPointer, _ frameSize: Int) -> Int {
        let frames = min(output.count / frameSize, rest.count * 4 / frameSize)
        let count = frames * frameSize / 4
        unsafe samples.withUnsafeBytes { bytes in
            let part = unsafe bytes[(rest.lowerBound * 4)..<((rest.lowerBound + count) * 4)]
            unsafe output.copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
        }
        rest = (rest.lowerBound + count)..<rest.upperBound
        start += Int64(frames)
        return count * 4
    }
}
