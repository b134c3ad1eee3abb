internal import CLinux

/// The code and constants of the program and its libraries, as far as they are mapped.
public enum MappedCode {
    /// Lets go of all pages: dl_iterate_phdr(3), madvise(2). What still runs comes back at once, from the system's cache of
    /// the files; what was needed once, for a start, does not count for this process any more, and is what the system gives up
    /// first when memory is short. Any thread.
    public static func forget() { shim_forget_code() }
}
