internal import CSystemd
internal import Glibc
internal import SystemCalls

/// libsystemd, loaded at its first use and kept.
enum SystemdLibrary {
    fileprivate static let functions = unsafe shim_load_systemd_functions()?.pointee

    /// Loads libsystemd before a connection is opened.
    static func load() throws(SystemError) {
        if functions == nil {
            throw SystemError(code: ELIBACC, call: "load libsystemd", missingPackage: "libsystemd0")
        }
    }
}

/// libsystemd's functions, after `SystemdLibrary.load`.
var systemd: systemd_functions { SystemdLibrary.functions! }
