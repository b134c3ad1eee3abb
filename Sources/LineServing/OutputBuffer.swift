internal import SystemCalls

struct OutputBuffer {
    private var bytes: [UInt8] = []
    private var sent = 0

    var count: Int { bytes.count - sent }
    /// Bytes of memory in use.
    var capacity: Int { bytes.capacity }
    var isEmpty: Bool { count == 0 }

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
