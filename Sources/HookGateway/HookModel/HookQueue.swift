/// Which jobs run and which wait: at most `running` at the same time; of those that wait, the oldest are dropped.
struct HookQueue<Job> {
    private let running: Int
    private let waiting: Int
    private var jobs: [Job] = []
    private var count = 0

    init(running: Int, waiting: Int) { (self.running, self.waiting) = (running, waiting) }

    /// What to do with jobs.
    struct Decision {
        var starting: Job?
        /// Will not run.
        var dropped: Job?
    }

    mutating func add(_ job: Job) -> Decision {
        if count < running {
            count += 1
            return Decision(starting: job)
        }
        jobs.append(job)
        return Decision(dropped: jobs.count > waiting ? jobs.removeFirst() : nil)
    }

    /// Notes that a running job has ended.
    ///
    /// - Returns: the one to start now.
    mutating func finish() -> Job? {
        if jobs.isEmpty {
            count -= 1
            return nil
        }
        return jobs.removeFirst()
    }
}
