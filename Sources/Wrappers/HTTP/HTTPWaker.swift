internal import CCurl
internal import Synchronization

/// Makes a waiting `HTTPMulti.poll` return; from any thread, also after the multi has gone.
public final class HTTPWaker: Sendable {
    /// The multi handle as a number, 0 once it has gone; the lock keeps it alive while it is woken.
    private let multi: Mutex<UInt>

    init(_ multi: UnsafeMutableRawPointer) { self.multi = Mutex(UInt(bitPattern: multi)) }

    /// Wakes it now, or lets its next wait return at once: curl_multi_wakeup(3).
    public func wake() {
        multi.withLock { number in
            if let multi = unsafe UnsafeMutableRawPointer(bitPattern: number) { unsafe curl_multi_wakeup(multi) }
        }
    }

    func end() { multi.withLock { $0 = 0 } }
}
