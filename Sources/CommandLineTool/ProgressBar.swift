/// A progress bar of text: `[######    ]`.
public enum ProgressBar {
    /// - Parameters:
    ///   - share: clamped to 0…1.
    ///   - width: columns within the brackets.
    public static func text(_ share: Double, width: Int = 20) -> String {
        let full = share.isFinite ? min(max(Int(share * Double(width)), 0), width) : 0
        return "[" + String(repeating: "#", count: full) + String(repeating: " ", count: width - full) + "]"
    }
}
