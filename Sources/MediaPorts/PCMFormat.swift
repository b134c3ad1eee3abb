/// How one sample of PCM is written; always native byte order, interleaved.
public enum SampleType: UInt32, Sendable, CaseIterable {
    /// Signed 16 bit.
    case int16 = 1
    /// Signed 32 bit.
    case int32 = 2
    /// IEEE single, full scale at ±1.
    case float32 = 3

    /// Bytes of one sample.
    public var size: Int {
        switch self {
        case .int16: 2
        case .int32, .float32: 4
        }
    }
}

/// Rate, channels and sample type of PCM.
public struct PCMFormat: Hashable, Sendable, CustomStringConvertible {
    /// The rates that are accepted, in frames per second; a hostile header cannot ask for more.
    public static let rates = 4_000...384_000
    /// The channel counts that are accepted.
    public static let channelCounts = 1...8

    /// Frames per second.
    public var rate: Int
    /// Samples of a frame.
    public var channels: Int
    /// How a sample is written.
    public var type: SampleType

    /// A format; the caller keeps to `rates` and `channelCounts`.
    public init(rate: Int, channels: Int, type: SampleType) {
        self.rate = rate
        self.channels = channels
        self.type = type
    }

    /// Bytes of one frame.
    public var frameSize: Int { channels * type.size }

    /// As sink specifications write it: `44100:2:int16`.
    public var description: String { "\(rate):\(channels):\(type)" }
}
