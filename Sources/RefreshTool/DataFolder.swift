internal import CommandLineTool
internal import Glibc

/// Where the library is.
struct DataFolder {
    /// The folder.
    let path: String

    /// The first of: the command line, systemd's `STATE_DIRECTORY`, for root the system service's folder,
    /// `XDG_DATA_HOME/podcastd`, `~/.local/share/podcastd`. The daemon looks at the same places.
    ///
    /// - Throws: `ToolFailure` when none of them is known.
    init(option: String?, variable: (String) -> String?, isRoot: Bool) throws(ToolFailure) {
        if let option {
            path = option
        } else if let state = variable("STATE_DIRECTORY")?.split(separator: ":").first {
            // A unit may have several folders; the first one is the service's own: systemd.exec(5).
            path = String(state)
        } else if isRoot {
            path = "/var/lib/podcastd"
        } else if let data = variable("XDG_DATA_HOME"), data.hasPrefix("/") {
            // A relative path is to be ignored: XDG Base Directory Specification.
            path = data + "/podcastd"
        } else if let home = variable("HOME") {
            path = home + "/.local/share/podcastd"
        } else {
            throw ToolFailure(
                .configuration, "no folder for the library is known", hint: "set HOME, or use --data-dir")
        }
    }

    /// The library's file.
    var library: String { path + "/library.db" }

    /// Makes the folder and those above it, for the user alone: mkdir(2).
    func make() throws(ToolFailure) {
        var end = path.startIndex
        while end < path.endIndex {
            end = path[path.index(after: end)...].firstIndex(of: "/") ?? path.endIndex
            let folder = String(path[..<end])
            if mkdir(folder, 0o700) != 0, errno != EEXIST, errno != EISDIR {
                let code = errno
                if access(folder, F_OK) == 0 { continue }
                throw ToolFailure(
                    code == EACCES || code == EROFS ? .noPermission : .cannotCreate,
                    "cannot make the folder \(folder): \(String(cString: strerror(code)))")
            }
        }
    }
}
