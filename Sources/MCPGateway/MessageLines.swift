/// Received bytes, taken as lines of limited length.
struct MessageLines {
    enum Line: Equatable {
        case whole([UInt8])
        /// A line that was discarded because it exceeded the limit.
        case tooLong
    }

    /// Bytes of a line at most, as on the daemon's socket.
    static let maximum = 1 << 20

    private var bytes: [UInt8] = []
    /// Bytes without a line feed at the beginning of `bytes`.
    private var searched = 0
    /// Whether the rest of a long line is being discarded.
    private var isDiscarding = false

    /// Takes received bytes.
    /// - Returns: the lines that they complete.
    mutating func append(_ more: [UInt8]) -> [Line] {
        bytes += more
        var lines: [Line] = []
        var start = 0
        while let end = bytes[max(start, searched)...].firstIndex(of: 0x0A) {
            if isDiscarding || end - start > Self.maximum {
                lines.append(.tooLong)
            } else {
                lines.append(.whole(Array(bytes[start..<end])))
            }
            (start, isDiscarding) = (end + 1, false)
        }
        bytes.removeSubrange(..<start)
        if bytes.count > Self.maximum { isDiscarding = true }
        if isDiscarding { bytes = [] }
        searched = bytes.count
        return lines
    }

    /// The last line, if the input ended without a line feed.
    mutating func finish() -> Line? {
        defer { self = MessageLines() }
        if isDiscarding { return .tooLong }
        return bytes.isEmpty ? nil : .whole(bytes)
    }
}
