/// Sizes of files and disks as text.
public enum ByteSize {
    /// `412 MiB`, `1.5 GiB`; rounded down.
    public static func text(_ bytes: Int64) -> String {
        if bytes < 1 << 30 { return "\(bytes >> 20) MiB" }
        let tenths = bytes / ((1 << 30) / 10)
        return tenths < 100 ? "\(tenths / 10).\(tenths % 10) GiB" : "\(bytes >> 30) GiB"
    }

    /// Text of a required size, rounded up, because it is shown beside the free space.
    public static func neededText(_ bytes: Int64) -> String {
        let unit: Int64 = bytes < 1 << 30 ? 1 << 20 : bytes < 10 << 30 ? (1 << 30) / 10 : 1 << 30
        return text(bytes + unit - 1)
    }

    private static let suffixes: [(letter: Character, bytes: Int64)] = [
        ("T", 1 << 40), ("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10),
    ]

    /// Converts the size of a setting, such as `500M` or `2G`, to bytes.
    public static func bytes(_ text: String) -> Int64? {
        guard let last = text.last else { return nil }
        let factor = suffixes.first { $0.letter == last }?.bytes
        let digits = factor == nil ? text[...] : text.dropLast()
        guard let number = Int64(digits), number >= 0 else { return nil }
        let (product, overflow) = number.multipliedReportingOverflow(by: factor ?? 1)
        return overflow ? nil : product
    }

    /// The size of a setting: bytes with the largest suffix that divides them.
    static func setting(_ bytes: Int64) -> String {
        let suffix = suffixes.first { bytes % $0.bytes == 0 && bytes > 0 }
        return suffix.map { "\(bytes / $0.bytes)\($0.letter)" } ?? String(bytes)
    }
}
