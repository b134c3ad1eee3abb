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
}
