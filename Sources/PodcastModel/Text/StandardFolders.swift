/// Default paths of a user's files (XDG Base Directory Specification) and the system's (file-hierarchy(7)).
public struct StandardFolders {
    public static let systemData = "/var/lib/podcastd"
    public static let systemCache = "/var/cache/podcastd"
    public static let systemConfigFile = "/etc/podcastd.conf"
    public static let systemSocket = "/run/podcastd/control"

    /// `podcastd` in `XDG_DATA_HOME` or `~/.local/share`; nil if neither is known.
    public let data: String?
    /// `podcastd` in `XDG_CACHE_HOME` or `~/.cache`.
    public let cache: String?
    /// `podcastd/podcastd.conf` in `XDG_CONFIG_HOME` or `~/.config`.
    public let configFile: String?
    /// `podcastd/control` in `XDG_RUNTIME_DIR`; nil if that is not set.
    public let socket: String?

    /// - Parameters:
    ///   - variable: returns the value of an environment variable; nil if it is unset or empty.
    ///   - usesHome: true to use directories below `HOME` if the XDG variables are not set. False for root, whose
    ///     daemon is the system's unless the variables are set.
    ///   - runtime: used if `XDG_RUNTIME_DIR` is not set.
    public init(_ variable: (String) -> String?, usesHome: Bool = true, runtime: String? = nil) {
        // The specification requires ignoring relative paths.
        func absolute(_ name: String) -> String? { variable(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }
        func folder(_ name: String, _ belowHome: String) -> String? {
            (absolute(name) ?? (usesHome ? variable("HOME").map { $0 + belowHome } : nil)).map { $0 + "/podcastd" }
        }
        data = folder("XDG_DATA_HOME", "/.local/share")
        cache = folder("XDG_CACHE_HOME", "/.cache")
        configFile = folder("XDG_CONFIG_HOME", "/.config").map { $0 + "/podcastd.conf" }
        socket = (absolute("XDG_RUNTIME_DIR") ?? runtime).map { $0 + "/podcastd/control" }
    }
}
