/// Which jobs run and which wait: at most `running` at the same time; of those that wait, the oldest are dropped.
public struct HookQueue<Job> {
    private let running: Int
    private let waiting: Int
    private var jobs: [Job] = []
    private var count = 0

    public init(running: Int, waiting: Int) { (self.running, self.waiting) = (running, waiting) }

    /// What to do with jobs.
    public struct Decision {
        public var starting: Job?
        /// Will not run.
        public var dropped: Job?
    }

    public mutating func add(_ job: Job) -> Decision {
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
    public mutating func finish() -> Job? {
        if jobs.isEmpty {
            count -= 1
            return nil
        }
        return jobs.removeFirst()
    }
}
