/// Text from strangers, made fit for a terminal and a line protocol.
public enum CleanText {
    /// One line without control characters: runs of them and of white space become one space, and those that turn the
    /// direction of writing for what follows go.
    public static func line(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var isGap = false
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0...0x20, 0x7F...0xA0, 0x2028, 0x2029:
                isGap = true
            case 0x202A...0x202E, 0x2066...0x2069, 0xFEFF:
                continue
            default:
                if isGap && !result.isEmpty { result.append(" ") }
                isGap = false
                result.append(scalar)
            }
        }
        return String(result)
    }
}
