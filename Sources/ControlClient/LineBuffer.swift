internal import Glibc
internal import JSON

/// Received bytes, taken as lines. Bytes that were searched for a line break are not searched again.
struct LineBuffer {
    private var bytes: [UInt8] = []
    private var start = 0
    private var searched = 0

    /// Bytes that are not part of a taken line.
    var count: Int { bytes.count - start }

    mutating func append(_ more: UnsafeRawBufferPointer) { bytes.append(contentsOf: more) }

    /// Takes the next line and parses it.
    ///
    /// - Returns: nil if no whole line is left.
    mutating func nextMessage() throws(JSONError) -> JSONValue? {
        let (first, from) = (start, searched)
        let end = bytes.withUnsafeBytes { all -> Int? in
            guard from < all.count, let base = all.baseAddress, let found = memchr(base + from, 0x0A, all.count - from)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
        guard let end else {
            removeConsumed()
            searched = bytes.count
            return nil
        }
        (start, searched) = (end + 1, end + 1)
        let parsed = bytes.withUnsafeBytes { all in
            Result { () throws(JSONError) in
                try JSONValue(parsing: UnsafeRawBufferPointer(rebasing: all[first..<end]))
            }
        }
        return try parsed.get()
    }

    private mutating func removeConsumed() {
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: bytes.capacity <= 64 << 10)
        } else if start > 0 {
            bytes.removeSubrange(..<start)
        }
        start = 0
    }
}
