internal import PodcastModel

/// Evaluates a directory's free space, for the daemon and for clients that check without a daemon.
public enum SpaceCheck {
    /// Bytes; below this the library may fail to store positions.
    private static let least: Int64 = 32 << 20
    /// Bytes; below this the next episodes will not fit.
    private static let comfortable: Int64 = 256 << 20

    /// - Parameters:
    ///   - folder: a directory on the file system.
    ///   - free: writable bytes; nil if the system does not report them.
    public static func finding(_ check: String, folder: String, free: Int64?) -> Finding {
        let fix = "make room: df -h \(folder)"
        guard let free else {
            return .problem(check, "\(folder) cannot be looked at", fix: "mend its permissions: ls -ld \(folder)")
        }
        let text = "\(ByteSize.text(free)) free in \(folder)"
        if free < least { return .problem(check, "only \(text)", fix: fix) }
        return free < comfortable ? .notice(check, "only \(text)", fix: fix) : .ok(check, text)
    }
}
