internal import SystemCalls

/// Words of a command line that can only be paths.
public enum FilePath {
    /// True if a word begins with a directory, such as `./feeds.opml`, and no regular file or pipe has that path.
    public static func isMissing(_ word: String) -> Bool {
        guard ["/", "./", "../", "~/"].contains(where: word.hasPrefix) else { return false }
        guard let status = try? FileStatus(path: word) else { return true }
        return !status.isRegular && !status.isPipe
    }
}
