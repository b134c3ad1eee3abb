internal import Glibc
internal import Synchronization
internal import SystemCalls

/// What an `HTTPThread` and its thread share; each may outlive the other.
final class HTTPThreadQueue: Sendable {
    enum Command: Sendable {
        case start(UInt64, HTTPRequest, any HTTPTransferDelegate & Sendable)
        case cancel(UInt64)
        case pause(UInt64)
        case resume(UInt64)
        case step(@Sendable () -> Void)
        /// At an instant of CLOCK_MONOTONIC in nanoseconds.
        case later(Int64, @Sendable () -> Void)
    }

    private struct State {
        var commands: [Command] = []
        var lastNumber: UInt64 = 0
        var thread: DedicatedThread?
        /// The thread as it names itself, to know a `stop` that comes from within.
        var itself: pthread_t?
        var waker: HTTPWaker?
        var isStopped = false
        /// Whether the thread will look at `commands` before it sleeps.
        var isAwake = true
    }

    let settings: HTTPSettings
    private let state = Mutex(State())

    init(_ settings: HTTPSettings) { self.settings = settings }

    var isRunning: Bool { state.withLock { $0.thread != nil } }

    func newNumber() -> UInt64 {
        state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
    }

    func post(_ command: Command) {
        let waker: HTTPWaker? = state.withLock { state in
            if state.isStopped { return nil }
            state.commands.append(command)
            if state.thread == nil {
                // When the system has no room for a thread the command waits for the next one's try.
                state.thread = try? DedicatedThread(name: "http", stackSize: 512 << 10) { HTTPLoop(self).run() }
            }
            if state.isAwake { return nil }
            state.isAwake = true
            return state.waker
        }
        waker?.wake()
    }

    func stop() {
        let waker = state.withLock { state in
            state.isStopped = true
            return state.waker
        }
        waker?.wake()
    }

    func join() {
        let (thread, itself) = state.withLock { ($0.thread.take(), $0.itself) }
        if let itself, pthread_equal(itself, pthread_self()) != 0 { thread?.detach() } else { thread?.join() }
    }

    func letGo() { state.withLock { $0.thread.take() }?.detach() }
}

// MARK: - For the thread

extension HTTPThreadQueue {
    func begin(_ waker: HTTPWaker) {
        state.withLock { state in
            state.waker = waker
            state.itself = pthread_self()
        }
    }

    /// Takes all commands; nil when the thread is to end.
    func take() -> [Command]? {
        state.withLock { state in
            if state.isStopped { return nil }
            state.isAwake = true
            return state.commands.takeAll()
        }
    }

    /// Whether the thread may sleep: nobody asked for anything since `take`.
    func mayWait() -> Bool {
        state.withLock { state in
            if !state.commands.isEmpty || state.isStopped { return false }
            state.isAwake = false
            return true
        }
    }

    /// Stops from within, and takes the commands that came too late.
    func end() -> [Command] {
        state.withLock { state in
            state.isStopped = true
            return state.commands.takeAll()
        }
    }
}

/// What the thread runs. Everything in here stays on it.
final class HTTPLoop {
    private let queue: HTTPThreadQueue
    private var timers: [(instant: Int64, step: @Sendable () -> Void)] = []

    init(_ queue: HTTPThreadQueue) { self.queue = queue }

    func run() {
        do {
            let multi = try HTTPMulti(settings: queue.settings)
            queue.begin(multi.waker)
            defer { multi.abort(HTTPError(.aborted, "the transfer was stopped")) }
            while let commands = queue.take() {
                for command in commands { obey(command, multi) }
                runTimers(at: multi.now)
                if try !multi.perform() && queue.mayWait() {
                    try multi.wait(until: timers.first?.instant ?? .max)
                }
            }
            refuse(queue.end(), HTTPError(.aborted, "the transfer was stopped"))
        } catch {
            // libcurl cannot go on; those who wait must hear of it.
            refuse(queue.end(), error)
        }
    }

    private func obey(_ command: HTTPThreadQueue.Command, _ multi: HTTPMulti) {
        switch command {
        case .start(let id, let request, let delegate): _ = multi.add(request, delegate: delegate, id: id)
        case .cancel(let id): multi.transfer(id)?.cancel()
        case .pause(let id): multi.transfer(id)?.pause()
        case .resume(let id): multi.transfer(id)?.resume()
        case .step(let step): step()
        case .later(let instant, let step):
            let place = timers.firstIndex { $0.instant > instant } ?? timers.count
            timers.insert((instant, step), at: place)
        }
    }

    private func runTimers(at now: Int64) {
        while let first = timers.first, first.instant <= now { timers.removeFirst().step() }
    }

    private func refuse(_ commands: [HTTPThreadQueue.Command], _ error: HTTPError) {
        for command in commands {
            guard case .start(let id, let request, let delegate) = command else { continue }
            HTTPTransfer(id: id, request: request, delegate: delegate, multi: nil, now: 0, settings: queue.settings)
                .complete(.failure(error))
        }
    }
}

extension Array {
    fileprivate mutating func takeAll() -> [Element] {
        let all = self
        self = []
        return all
    }
}
