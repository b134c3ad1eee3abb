internal import CPulse
internal import Glibc
internal import Synchronization

/// libpulse. It is loaded at its first use and stays loaded.
enum PulseLibrary {
    /// The library must not be loaded by two threads at once.
    private static let loading = Mutex(())

    static func functions() throws(PulseError) -> pulse_functions {
        try loading.withLock { (_) throws(PulseError) in
            if let functions = unsafe shim_load_pulse()?.pointee { return functions }
            let reason = unsafe dlerror().map { unsafe String(cString: $0) } ?? "a function is missing"
            throw PulseError(.notInstalled, "load libpulse", reason)
        }
    }
}
