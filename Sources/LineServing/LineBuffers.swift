internal import Glibc
internal import SystemCalls

/// Received, unprocessed bytes. Each byte is searched for a line break once, so that a long line that arrives byte by
/// byte costs no more than one that arrives at once.
struct InputBuffer {
    private var bytes: [UInt8] = []
    private var searched = 0

    var count: Int { bytes.count }
    /// Bytes of memory in use.
    var capacity: Int { bytes.capacity }

    mutating func append(_ more: UnsafeRawBufferPointer) { bytes.append(contentsOf: more) }

    /// Calls `body` with each complete line, without its line break, while it returns true, and removes these lines.
    mutating func takeLines(_ body: (UnsafeRawBufferPointer) -> Bool) {
        var start = 0
        var hasMore = true
        bytes.withUnsafeBytes { all in
            while hasMore, let end = Self.lineBreak(in: all, from: max(start, searched)) {
                let line = UnsafeRawBufferPointer(rebasing: all[start..<end])
                start = end + 1
                hasMore = body(line)
            }
        }
        // Release the memory of long lines, because the connection may become idle.
        if start == bytes.count, bytes.capacity > 4096 { bytes = [] } else { bytes.removeSubrange(..<start) }
        searched = hasMore ? bytes.count : 0
    }

    mutating func removeAll() { self = InputBuffer() }

    static func lineBreak(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard start < bytes.count, let base = bytes.baseAddress,
            let found = memchr(base + start, 0x0A, bytes.count - start)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }
}

struct OutputBuffer {
    private var bytes: [UInt8] = []
    private var sent = 0

    /// Unsent bytes.
    var count: Int { bytes.count - sent }
    /// Bytes of memory in use.
    var capacity: Int { bytes.capacity }
    var isEmpty: Bool { count == 0 }

    /// `body` appends to the bytes.
    mutating func write<Result>(_ body: (inout [UInt8]) -> Result) -> Result { body(&bytes) }

    /// Sends as much as the socket accepts. Returns false if the connection is gone.
    mutating func send(to socket: Int32) -> Bool {
        while !isEmpty {
            let sent = sent
            let outcome = bytes.withUnsafeBytes { all in
                Result { () throws(SystemError) in
                    try LocalSocket.send(socket, UnsafeRawBufferPointer(rebasing: all[sent...]))
                }
            }
            switch outcome {
            case .success(.bytes(let count)): self.sent += count
            case .success(.wouldWait):
                // Remove sent bytes only if they are many, so that a slow reader does not cost a copy for each piece.
                if self.sent > 1 << 20 || self.sent > bytes.count / 2 {
                    bytes.removeSubrange(..<self.sent)
                    self.sent = 0
                }
                return true
            case .success(.ended), .failure: return false
            }
        }
        // Release the memory of a large answer, because the connection may become idle.
        bytes.removeAll(keepingCapacity: bytes.capacity <= 4096)
        sent = 0
        return true
    }
}
