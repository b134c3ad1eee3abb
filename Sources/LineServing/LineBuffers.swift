internal import Glibc
internal import SystemCalls

/// Received bytes that were not processed yet. Bytes are searched for a line break once, so that a long line that arrives byte by
/// byte costs no more than one that arrives at once.
struct InputBuffer {
    private var bytes: [UInt8] = []
    private var searched = 0

    var count: Int { bytes.count }
    /// Bytes of memory in use.
    var capacity: Int { bytes.capacity }

    mutating func append(_ more: UnsafeRawBufferPointer) { bytes.append(contentsOf: more) }

    /// Calls `body` with each whole line, without its line break, as long as it returns true, and removes these lines.
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
        // A connection that may idle from now on does not keep the memory of long lines.
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

/// Bytes to send.
struct OutputBuffer {
    private var bytes: [UInt8] = []
    private var sent = 0

    /// Bytes that were not sent yet.
    var count: Int { bytes.count - sent }
    /// Bytes of memory in use.
    var capacity: Int { bytes.capacity }
    var isEmpty: Bool { count == 0 }

    /// Calls `body` with the bytes, for it to append to them.
    mutating func write<Result>(_ body: (inout [UInt8]) -> Result) -> Result { body(&bytes) }

    /// Sends as much as the socket accepts.
    /// - Returns: false if the connection is gone.
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
                // Sent bytes are removed only if they are many, so that a slow reader does not cost a copy for each piece.
                if self.sent > 1 << 20 || self.sent > bytes.count / 2 {
                    bytes.removeSubrange(..<self.sent)
                    self.sent = 0
                }
                return true
            case .success(.ended), .failure: return false
            }
        }
        // A connection that may idle from now on does not keep the memory of a large answer.
        bytes.removeAll(keepingCapacity: bytes.capacity <= 4096)
        sent = 0
        return true
    }
}
