/// Names of settings and parameters for people.
public enum SettingName {
    /// Words that are not written in lower case.
    private static let abbreviations = ["url": "URL", "urls": "URLs", "ca": "CA", "id": "ID"]

    /// `Played before end` for `playback.played_before_end`, `User agent` for `userAgent`.
    public static func label(_ key: String) -> String {
        let name = key.split(separator: ".").last ?? ""
        var words = [""]
        for character in name {
            if character == "_" || character == "-" || character.isUppercase { words.append("") }
            if character != "_" && character != "-" { words[words.count - 1] += character.lowercased() }
        }
        let text = words.map { abbreviations[$0] ?? $0 }.joinedText(" ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }
}
