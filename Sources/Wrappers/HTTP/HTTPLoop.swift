internal import PodcastModel
internal import SystemCalls

/// The loop of an `HTTPThread`'s thread; used only there.
final class HTTPLoop {
    private let queue: HTTPThreadQueue
    /// Nil while libcurl cannot be used; the next request tries again.
    private var multi: HTTPMulti?
    private var timers: [(instant: Instant, step: @Sendable () -> Void)] = []

    init(_ queue: HTTPThreadQueue) { self.queue = queue }

    func run() {
        queue.begin()
        // Before the first request, which reports a failure.
        _ = try? working()
        while let commands = queue.take() {
            for command in commands { obey(command) }
            runTimers()
            do throws(HTTPError) { try work() } catch { drop(error) }
        }
        drop(HTTPError(.aborted, "the transfer was stopped"))
        queue.end()
    }

    /// Works on the transfers, or waits if there is nothing to do.
    private func work() throws(HTTPError) {
        guard let multi else {
            if queue.mayWait() { queue.wakeUp.wait(until: timers.first?.instant) }
            return
        }
        if try !multi.perform() && queue.mayWait() { try multi.wait(until: timers.first?.instant ?? .distantFuture) }
    }

    private func obey(_ command: HTTPThreadQueue.Command) {
        switch command {
        case .start(let id, let request, let delegate):
            do throws(HTTPError) {
                _ = try working().add(request, delegate: delegate, id: id)
            } catch {
                queue.refuse([command], error)
            }
        case .step(let step): step(multi)
        case .later(let instant, let step):
            let place = timers.firstIndex { $0.instant > instant } ?? timers.count
            timers.insert((instant, step), at: place)
        }
    }

    private func runTimers() {
        guard !timers.isEmpty else { return }
        let now = Instant.now
        while let first = timers.first, first.instant <= now { timers.removeFirst().step() }
    }

    private func working() throws(HTTPError) -> HTTPMulti {
        if let multi { return multi }
        let made = try queue.parts.multi(queue.settings)
        multi = made
        queue.use(made)
        return made
    }

    /// Fails all transfers and releases the multi.
    private func drop(_ error: HTTPError) {
        let failed = multi.take()
        queue.use(nil)
        failed?.abort(error)
    }
}
