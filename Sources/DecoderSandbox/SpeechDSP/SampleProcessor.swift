/// Interleaved frames with their place in the file. The caller owns the memory.
struct SoundBlock {
    var samples: UnsafeMutableBufferPointer<Float>
    var frames: Int
    /// First frame and end, in frames of the file. The media time grows evenly within a block.
    var media: Range<Int64>
}

/// Changes frames; a part of a `SoundChain`. One thread.
protocol SampleProcessor: AnyObject {
    /// Processes the next frames and outputs the finished ones. May change the block's samples in place.
    func process(_ block: SoundBlock, _ next: (SoundBlock) -> Void)
    func finish(_ next: (SoundBlock) -> Void)
    /// Discards frames, because the next ones come from another place of the file.
    func restart()
}
