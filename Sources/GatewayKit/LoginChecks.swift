internal import Synchronization
internal import SystemCalls

/// Compares passwords with their hashes on a separate thread, because a comparison is made to take some hundredths of a second, and
/// other clients must not wait for it. One thread calls its methods.
public final class LoginChecks<Answer: Sendable> {
    /// Checks that wait at most.
    private static var maximumWaiting: Int { 16 }

    private final class Finished: Sendable {
        let answers = Mutex<[(number: Int, answer: Answer)]>([])
    }

    private let thread = WorkerThread(name: .logins)
    private let finished = Finished()
    private let notify: @Sendable () -> Void
    private var waiting: [Int: (Answer) -> Void] = [:]
    private var lastNumber = 0

    /// - Parameter notify: called on the other thread when `process` is to be called.
    public init(notify: @escaping @Sendable () -> Void) { self.notify = notify }

    /// Does the work there and calls `done` from `process`.
    ///
    /// - Returns: false if too many checks wait.
    public func check(_ work: @escaping @Sendable () -> Answer, done: @escaping (Answer) -> Void) -> Bool {
        guard waiting.count < Self.maximumWaiting else { return false }
        lastNumber += 1
        let (number, finished, notify) = (lastNumber, finished, notify)
        let isBegun: Void? = try? thread.submit {
            let answer = work()
            finished.answers.withLock { $0.append((number, answer)) }
            notify()
        }
        guard isBegun != nil else { return false }
        waiting[number] = done
        return true
    }

    public func process() {
        let answers = finished.answers.withLock { answers in
            defer { answers = [] }
            return answers
        }
        for (number, answer) in answers { waiting.removeValue(forKey: number)?(answer) }
    }
}
