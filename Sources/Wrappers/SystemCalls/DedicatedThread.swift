internal import CLinux
internal import Glibc
public import PodcastModel

/// A thread for blocking work, and the only code that starts threads: pthread_create(3). Blocks all signals.
public final class DedicatedThread: Sendable {
    private final class Start: Sendable {
        let name: ThreadName
        let body: @Sendable () -> Void
        init(name: ThreadName, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    private let thread: pthread_t

    /// Starts a thread, which ends when `body` returns.
    /// - Throws: `SystemError` if the system has no room for another thread.
    public init(name: ThreadName, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setstacksize(&attributes, name.stackSize)

        // A thread inherits its creator's mask, so it is masked before its first instruction.
        var all = sigset_t()
        var before = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { _ = unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }

        let start = unsafe Unmanaged.passRetained(Start(name: name, body: body))
        var thread = pthread_t()
        let code = unsafe pthread_create(
            &thread, &attributes,
            { context in
                guard let context = unsafe context else { return nil }
                let start = unsafe Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
                unsafe start.name.rawValue.withCString { name in
                    _ = shim_prctl(PR_SET_NAME, UInt(bitPattern: name), 0, 0, 0)
                }
                start.body()
                return nil
            }, start.toOpaque())
        guard code == 0 else {
            unsafe start.release()
            throw SystemError(code: code, call: "pthread_create \(name.rawValue)")
        }
        self.thread = thread
    }

    /// Waits until the thread has ended. Must be called exactly once, by another thread; or `detach` instead.
    public func join() { _ = pthread_join(thread, nil) }

    /// Waits until the thread has ended, at most until then; in place of `join`.
    /// - Returns: false if the thread goes on, by itself.
    public func join(until deadline: Instant) -> Bool {
        if tryJoin(until: deadline) { return true }
        detach()
        return false
    }

    /// Waits until the thread has ended, at most until then.
    /// - Returns: false if it has not; then it must be joined or detached later.
    public func tryJoin(until deadline: Instant) -> Bool {
        var time = deadline.timespec
        return unsafe shim_join_until(thread, &time) == 0
    }

    /// Frees the thread's resources when it ends. Must be called once, if `join` is not.
    public func detach() { pthread_detach(thread) }
}

/// Every thread of the programs besides main: one case for each name in the table of docs/ARCHITECTURE.md, which
/// describes them. The raw value is the name in `top -H`; Linux keeps 15 bytes.
public enum ThreadName: String, CaseIterable, Sendable {
    case control, library, decisions, refresh, search, texts, pictures, transfer, downloads, settings, session, backup,
        cache, opening, http, decoder, doctor
    case libraryReads = "library reads"
    case httpWatch = "http watch"
    case soundEvents = "sound events"
    case sound, follower, mixer, snapserver, titles, programs, timers, logins, sync, test

    /// Bytes of stack, a multiple of the page size: large for jobs of any kind, small for loops of known depth.
    var stackSize: Int {
        switch self {
        case .httpWatch: 128 << 10
        case .sound, .soundEvents, .follower, .programs: 256 << 10
        case .control, .http: 512 << 10
        case .session, .mixer, .snapserver, .titles, .logins, .decoder, .doctor, .test: 1 << 20
        case .library, .libraryReads, .decisions, .refresh, .search, .texts, .pictures, .transfer, .downloads,
            .settings, .backup, .cache, .opening, .timers, .sync:
            8 << 20
        }
    }
}
