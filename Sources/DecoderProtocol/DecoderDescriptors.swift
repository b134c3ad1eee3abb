/// The descriptors that a decoder process finds open when it starts, besides 0 to 2.
public enum DecoderDescriptors {
    /// Its end of the message socket.
    public static let socket: Int32 = 3
    /// The shared memory.
    public static let memory: Int32 = 4
    /// The doorbell that wakes it.
    public static let room: Int32 = 5
    /// The doorbell that wakes the reader.
    public static let readiness: Int32 = 6
    /// The file of source bytes, read only.
    public static let source: Int32 = 7
    /// Source bytes that are kept in memory, read only.
    public static let sourceMemory: Int32 = 8
    /// Descriptor numbers from here on are never opened.
    public static let limit: UInt64 = 9
}
