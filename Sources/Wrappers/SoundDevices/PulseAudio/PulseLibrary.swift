internal import CPulse
internal import Glibc
internal import Synchronization

/// libpulse. It is loaded at its first use and stays loaded.
enum PulseLibrary {
    static func functions() throws(PulseError) -> UnsafePointer<pulse_functions> {
        let address = try loaded.withLock { (known) throws(PulseError) in
            if known == 0 { known = unsafe UInt(bitPattern: try load()) }
            return known
        }
        // Not 0: `load` throws instead.
        return unsafe UnsafePointer<pulse_functions>(bitPattern: address)!
    }

    /// Address of the functions; 0 before they are loaded.
    private static let loaded = Mutex<UInt>(0)

    private static func load() throws(PulseError) -> UnsafePointer<pulse_functions> {
        guard let functions = unsafe shim_load_pulse() else {
            let reason = unsafe dlerror().map { unsafe String(cString: $0) } ?? "a function is missing"
            throw PulseError(.notInstalled, "load libpulse", reason)
        }
        return unsafe UnsafePointer(functions)
    }
}
