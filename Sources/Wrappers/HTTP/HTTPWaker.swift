internal import CCurl
internal import Synchronization

/// Makes a waiting `HTTPMulti.poll` return; from any thread, also after the multi has gone.
@safe public final class HTTPWaker: Sendable {
    /// The multi handle as a number, 0 once it has gone; the lock keeps it alive while it is woken.
    private let multi: Mutex<UInt>

    /// curl_multi_wakeup(3).
    private let wakeUp: @convention(c) (UnsafeMutableRawPointer?) -> CURLMcode

    init(
        _ multi: UnsafeMutableRawPointer, _ wakeUp: @escaping @convention(c) (UnsafeMutableRawPointer?) -> CURLMcode
    ) {
        self.multi = Mutex(UInt(bitPattern: multi))
        unsafe self.wakeUp = unsafe wakeUp
    }

    /// Wakes it now, or lets its next wait return at once.
    public func wake() {
        multi.withLock { number in
            if let multi = unsafe UnsafeMutableRawPointer(bitPattern: number) { _ = unsafe wakeUp(multi) }
        }
    }

    func end() { multi.withLock { $0 = 0 } }
}
