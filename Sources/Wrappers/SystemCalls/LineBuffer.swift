internal import Glibc

/// Received bytes, taken as lines. Each byte is searched for a line break once, so that long lines may arrive byte by byte.
public struct LineBuffer {
    private var bytes: [UInt8] = []
    /// Where the next line begins.
    private var start = 0
    private var searched = 0

    public init() {}

    /// Bytes that are not part of a taken line.
    public var count: Int { bytes.count - start }
    /// Bytes of memory in use.
    public var capacity: Int { bytes.capacity }

    public mutating func append(_ more: UnsafeRawBufferPointer) {
        if start > bytes.count / 2 { removeTaken() }
        unsafe bytes.append(contentsOf: more)
    }

    /// Calls `body` with the next complete line, without its line break, and removes the line.
    /// - Returns: nil if no complete line is left.
    public mutating func takeLine<Value, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value? {
        let first = start
        guard let end = unsafe bytes.withUnsafeBytes({ unsafe Self.lineBreak(in: $0, from: searched) }) else {
            removeTaken()
            searched = bytes.count
            return nil
        }
        start = end + 1
        searched = end + 1
        return try unsafe bytes.withUnsafeBytes { all in
            Result { () throws(Failure) in try unsafe body(UnsafeRawBufferPointer(rebasing: all[first..<end])) }
        }.get()
    }

    private mutating func removeTaken() {
        // Release the memory of long lines, because the connection may become idle.
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: bytes.capacity <= 4096)
        } else {
            bytes.removeSubrange(..<start)
        }
        searched -= start
        start = 0
    }

    public static func lineBreak(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard start < bytes.count, let base = bytes.baseAddress,
            let found = unsafe memchr(base + start, 0x0A, bytes.count - start)
        else { return nil }
        return unsafe UnsafeRawPointer(found) - base
    }
}
