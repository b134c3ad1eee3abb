/// Bytes of silence for all sinks, so that silence of any length is written without allocating memory.
enum Silence {
    private static let size = 16 << 10
    /// Unsafe because the compiler cannot see that the memory is never written after its initialization.
    nonisolated(unsafe) private static let memory: UnsafeMutableRawBufferPointer = {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 64)
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        return memory
    }()

    /// At most this number of bytes, and whole frames.
    static func bytes(_ count: Int, _ frameSize: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: memory[..<min(count, size / frameSize * frameSize)])
    }
}
