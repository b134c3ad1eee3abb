internal import CCurl
internal import Synchronization

/// Makes a waiting `HTTPMulti.poll` return. Any thread, also after the multi was released.
@safe public final class HTTPWaker: Sendable {
    /// Address of the multi handle, 0 after its release; the lock keeps the handle alive during a call.
    private let multi: Mutex<UInt>

    /// curl_multi_wakeup(3).
    private let wakeUp: @convention(c) (UnsafeMutableRawPointer?) -> CURLMcode

    init(
        _ multi: UnsafeMutableRawPointer, _ wakeUp: @escaping @convention(c) (UnsafeMutableRawPointer?) -> CURLMcode
    ) {
        self.multi = Mutex(UInt(bitPattern: multi))
        unsafe self.wakeUp = unsafe wakeUp
    }

    /// If `poll` is not waiting, its next wait returns at once.
    public func wake() {
        multi.withLock { number in
            if let multi = unsafe UnsafeMutableRawPointer(bitPattern: number) { _ = unsafe wakeUp(multi) }
        }
    }

    func end() { multi.withLock { $0 = 0 } }
}
