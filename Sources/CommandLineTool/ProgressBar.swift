/// A bar of text that shows how much is done: `[######    ]`.
public enum ProgressBar {
    /// - Parameters:
    ///   - share: from 0 to 1; others are cut.
    ///   - width: columns within the brackets.
    public static func text(_ share: Double, width: Int = 20) -> String {
        let full = share.isFinite ? min(max(Int(share * Double(width)), 0), width) : 0
        return "[" + String(repeating: "#", count: full) + String(repeating: " ", count: width - full) + "]"
    }
}
