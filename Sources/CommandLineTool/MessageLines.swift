internal import SystemCalls

/// Received bytes, taken as lines of limited length.
public struct MessageLines {
    public enum Line: Equatable {
        case whole([UInt8])
        /// A line that was discarded because it exceeded the limit.
        case tooLong
    }

    /// Bytes of a line at most.
    public let maximum: Int
    private var buffer = LineBuffer()
    /// Whether the rest of a long line is being discarded.
    private var isDiscarding = false

    public init(maximum: Int) { self.maximum = maximum }

    /// Takes received bytes.
    /// - Returns: the lines that the bytes complete.
    public mutating func append(_ more: [UInt8]) -> [Line] {
        more.withUnsafeBytes { buffer.append($0) }
        var lines: [Line] = []
        while let line = buffer.takeLine(Array.init) {
            lines.append(isDiscarding || line.count > maximum ? .tooLong : .whole(line))
            isDiscarding = false
        }
        if buffer.count > maximum { isDiscarding = true }
        if isDiscarding { buffer = LineBuffer() }
        return lines
    }

    /// - Returns: the last line, if the input has ended without a line feed.
    public mutating func finish() -> Line? { isDiscarding || buffer.count > 0 ? append([0x0A]).first : nil }
}
