internal import CLinux
internal import Glibc
public import PodcastModel

/// signalfd(2). Blocks the signals in the calling thread and those that it starts later: create it first, on the main thread.
public struct SignalDescriptor: ~Copyable, Sendable {
    private let descriptor: FileDescriptor

    /// - Throws: `SystemError` if no descriptor is available.
    public init(catching signals: [Int32]) throws(SystemError) {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for signal in signals { unsafe sigaddset(&set, signal) }
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        descriptor = FileDescriptor(owning: try retrying("signalfd") { unsafe signalfd(-1, &set, Int32(SFD_CLOEXEC)) })
    }

    /// For poll(2), readable.
    public var raw: Int32 { descriptor.raw }

    /// Waits for the next signal and returns its number.
    /// - Parameter deadline: on CLOCK_MONOTONIC; `distantFuture` for none.
    /// - Returns: nil if none came in time.
    public borrowing func next(until deadline: Instant = .distantFuture) throws(SystemError) -> Int32? {
        let number = descriptor.raw
        guard waitForDescriptors(readable: number, until: deadline) else { return nil }
        var info = signalfd_siginfo()
        try retrying("read signal") { unsafe read(number, &info, MemoryLayout<signalfd_siginfo>.size) }
        return Int32(info.ssi_signo)
    }
}
