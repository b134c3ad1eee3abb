/// Names of media files.
public enum MediaName {
    private static let endings = [
        ".mp3", ".mp2", ".mpga", ".m4a", ".m4b", ".aac", ".ogg", ".oga", ".opus", ".flac", ".wav",
    ]

    public static func isMedia(_ path: some StringProtocol) -> Bool {
        let path = path.lowercased()
        return endings.contains { path.hasSuffix($0) }
    }

    /// The file name extension for a file's first bytes, without the dot; nil for unknown formats.
    public static func ending(beginning bytes: [UInt8]) -> String? {
        func has(_ text: String, at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: text.utf8) }
        if has("OggS") {
            return has("OpusHead", at: 28) ? "opus" : "ogg"
        }
        if has("ftyp", at: 4) {
            return has("M4B", at: 8) ? "m4b" : has("M4A", at: 8) ? "m4a" : nil
        }
        for (beginning, ending) in beginnings where has(beginning) { return ending }
        guard bytes.count >= 2, bytes[0] == 0xFF, bytes[1] & 0xE0 == 0xE0 else { return nil }
        return bytes[1] & 0xF6 == 0xF0 ? "aac" : "mp3"
    }

    private static let beginnings: [(String, ending: String)] = [
        ("ID3", "mp3"), ("fLaC", "flac"), ("RIFF", "wav"), ("FORM", "aiff"), ("caff", "caf"), ("#!AMR", "amr"),
    ]

    /// The file name extension in a URL's path, without the dot; nil if it is not an extension of media files.
    public static func ending(ofURL url: String) -> String? {
        let path = url.prefix { $0 != "?" && $0 != "#" }.lowercased()
        return (endings + [".mp4", ".m4v", ".webm", ".mka", ".mkv", ".mov", ".wma", ".aiff"])
            .first { path.hasSuffix($0) }.map { String($0.dropFirst()) }
    }
}
