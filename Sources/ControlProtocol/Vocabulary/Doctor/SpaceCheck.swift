/// What to think of the room in a folder: one judgement for the daemon and for who looks without it.
public enum SpaceCheck {
    /// Below this nothing that is heard may be remembered any more.
    private static let least: Int64 = 32 << 20
    /// Below this the next episodes will not fit.
    private static let comfortable: Int64 = 256 << 20

    /// The check.
    ///
    /// - Parameters:
    ///   - check: its name.
    ///   - folder: the folder whose file system was looked at.
    ///   - free: bytes that may still be written; nil when that cannot be known.
    public static func reply(_ check: String, folder: String, free: Int64?) -> CheckReply {
        let fix = "make room: df -h \(folder)"
        guard let free else {
            return .needsPerson(check, "\(folder) cannot be looked at", fix: "mend its permissions: ls -ld \(folder)")
        }
        let finding = "\(size(free)) free in \(folder)"
        if free < least { return .needsPerson(check, "only \(finding)", fix: fix) }
        return free < comfortable ? .notice(check, "only \(finding)", fix: fix) : .ok(check, finding)
    }

    /// `412 MiB`, `1.5 GiB`.
    public static func size(_ bytes: Int64) -> String {
        if bytes < 1 << 30 { return "\(bytes >> 20) MiB" }
        let tenths = bytes / ((1 << 30) / 10)
        return tenths < 100 ? "\(tenths / 10).\(tenths % 10) GiB" : "\(bytes >> 30) GiB"
    }
}
