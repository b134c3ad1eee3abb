internal import CommandLineTool
internal import Configuration
internal import Library
internal import PodcastModel

extension CommandRun {
    /// `podcast-refresh [FEED…]`.
    func refresh() throws(ToolFailure) -> ExitStatus {
        // In the environment of a cron job another folder may be meant.
        let session = try openLibrary(mayCreate: false)
        let lock = try lock(session.folder)
        defer { withExtendedLifetime(lock) {} }
        try recordUnfinished(session)
        let claims: RefreshClaims
        do throws(LibraryLockError) { claims = try RefreshClaims(in: session.folder.path) } catch {
            guard case .unavailable(let words) = error else { throw ToolFailure(.software, "\(error)") }
            throw ToolFailure(.cannotCreate, words)
        }
        let (targets, busy) = try claim(try targets(session), claims)
        let progress = try progress()
        let writer = RefreshReportWriter(self)
        var summary = RefreshSummary()
        var failures: [ExitStatus] = []
        if !targets.isEmpty {
            let refresher = FeedRefresher(
                store: session.store.refreshes, fetcher: try makeFetcher(), clock: clock, activities: board,
                limits: .init(total: try settings().jobs), access: session.access)
            var failure: ToolFailure?
            summary = try session.perform { _ in
                try refresher.refresh(targets, isForced: isForced, tick: progress.tick) { report in
                    progress.add(report)
                    if let status = RefreshReportWriter.exitStatus(report) { failures.append(status) }
                    claims.release(report.target.id)
                    do throws(ToolFailure) { try writer.write(report) } catch { failure = failure ?? error }
                }
            }
            if let failure { throw failure }
        }
        session.applyRules(clock)
        progress.finish(summary)
        try writer.finish(summary, busy: busy)
        if summary.failed == 0 { return .success }
        // Without a failed feed, older pages failed, which the next refresh fetches again.
        return failures.isEmpty ? .tryAgain : .ofRefresh(failures)
    }

    /// The feeds that this run refreshes: those that no other run does. For feeds that the user named it waits a few seconds.
    ///
    /// - Returns: the feeds, and the number of the others.
    /// - Throws: `tryAgain` if another run is still refreshing a feed that the user named.
    private func claim(
        _ targets: [RefreshTarget], _ claims: RefreshClaims
    ) throws(ToolFailure) -> (ours: [RefreshTarget], busy: Int) {
        let isNamed = !arguments.texts(RefreshDeclaration.feeds).isEmpty
        let end = clock.now + environment.lockPatience
        while true {
            let ours = targets.filter { claims.claim($0.id) }
            guard isNamed, let other = targets.first(where: { !claims.claim($0.id) }) else {
                return (ours, targets.count - ours.count)
            }
            guard clock.now < end else {
                throw ToolFailure(
                    .tryAgain, "\(other.name): another refresh of this feed is running", hint: "try again later")
            }
            environment.pause(.milliseconds(100))
        }
    }

    /// If the last run ended while it read a document, records that as a failure of the feed.
    private func recordUnfinished(_ session: LibrarySession) throws(ToolFailure) {
        let unfinished = try session.result(
            of: FeedRefresher.recordUnfinishedAttempt(in: session.store.refreshes, at: clock.wallTime))
        guard let (feed, failure) = unfinished else { return }
        environment.errors.line("podcast-refresh: \(feed.name): \(failure.description)")
    }

    /// Locks the library for refreshing, together with other refreshes; waits a few seconds for a process that has it alone.
    private func lock(_ folder: DataFolder) throws(ToolFailure) -> LibraryLock {
        let end = clock.now + environment.lockPatience
        while true {
            do throws(LibraryLockError) {
                return try LibraryLock(.refresher, in: folder.path, isShared: true)
            } catch {
                switch error {
                case .unavailable(let words): throw ToolFailure(.cannotCreate, words)
                case .held where clock.now < end: environment.pause(.milliseconds(100))
                case .held(let process):
                    let holder = process.map { "process \($0)" } ?? "another process"
                    throw ToolFailure(
                        .tryAgain, "\(holder) has locked this library, as 'podcastd check' does",
                        hint: "try again later")
                }
            }
        }
    }

    private func targets(_ session: LibrarySession) throws(ToolFailure) -> [RefreshTarget] {
        let names = arguments.texts(RefreshDeclaration.feeds)
        return try session.perform { store in
            if names.isEmpty { return try store.refreshes.dueFeeds(at: clock.wallTime, isForced: isForced) }
            var ids: [FeedID] = []
            for name in names {
                let id = try store.feeds.resolveFeed(name).id
                if !ids.contains(id) { ids.append(id) }
            }
            return try store.refreshes.refreshTargets(ids)
        }
    }
}
