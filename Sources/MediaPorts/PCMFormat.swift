/// Type of a PCM sample; native byte order, interleaved.
public enum SampleType: UInt32, Sendable, CaseIterable {
    case int16 = 1
    case int32 = 2
    /// IEEE single precision, full scale at ±1.
    case float32 = 3

    /// In bytes.
    public var size: Int {
        switch self {
        case .int16: 2
        case .int32, .float32: 4
        }
    }
}

/// Rate, channels and sample type of PCM.
public struct PCMFormat: Hashable, Sendable, CustomStringConvertible {
    /// Accepted sample rates in frames per second, which limit the requests of a malicious file header.
    public static let rates = 1_000...384_000
    public static let channelCounts = 1...8

    /// Frames per second.
    public var rate: Int
    /// Samples per frame.
    public var channels: Int
    public var type: SampleType

    /// The caller must respect `rates` and `channelCounts`.
    public init(rate: Int, channels: Int, type: SampleType) {
        self.rate = rate
        self.channels = channels
        self.type = type
    }

    /// In bytes.
    public var frameSize: Int { channels * type.size }

    /// The notation of sink specifications: `44100:2:int16`.
    public var description: String { "\(rate):\(channels):\(type)" }
}
