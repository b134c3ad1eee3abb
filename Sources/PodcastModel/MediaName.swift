/// Names of media files.
public enum MediaName {
    private static let endings = [
        ".mp3", ".mp2", ".mpga", ".m4a", ".m4b", ".aac", ".ogg", ".oga", ".opus", ".flac", ".wav",
    ]

    /// Whether a path ends like the name of a media file.
    public static func isMedia(_ path: some StringProtocol) -> Bool {
        let path = path.lowercased()
        return endings.contains { path.hasSuffix($0) }
    }
}
