internal import SystemCalls

/// Words of a command line that can only be paths.
public enum FilePath {
    /// True if a word begins with a directory, such as `./feeds.opml`, and no regular file or pipe has that path.
    public static func isMissing(_ word: String) -> Bool {
        guard ["/", "./", "../", "~/"].contains(where: word.hasPrefix) else { return false }
        switch try? FileKind(at: word) {
        case .regular?, .pipe?: return false
        default: return true
        }
    }
}
