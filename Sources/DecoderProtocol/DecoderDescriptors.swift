/// The descriptors that connect a decoder with its host.
public struct DecoderDescriptors: Sendable {
    public var socket: Int32
    public var memory: Int32
    /// The eventfd that wakes the decoder.
    public var room: Int32
    /// The eventfd that wakes the reader of the ring.
    public var readiness: Int32
    /// The file of source bytes, read only.
    public var source: Int32
    /// The file of the source's index, for reading and writing.
    public var index: Int32

    /// Numbers of the open descriptors when a decoder process starts, besides 0 to 2.
    public static let inherited = DecoderDescriptors(
        socket: 3, memory: 4, room: 5, readiness: 6, source: 7, index: 8)
    /// Most bytes of an index.
    public static let indexLimit = 4 << 20
    /// A decoder process never opens descriptors with this number or a higher one.
    public static let limit: UInt64 = 9
}
