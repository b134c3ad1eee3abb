internal import CommandLineTool
internal import Configuration
internal import FeedRefresh
internal import Library
internal import LibraryModel
internal import PodcastModel
internal import Reporting

extension RefreshCommands {
    /// `podcast-refresh [FEED…]`.
    func refresh(_ arguments: ParsedArguments, _ output: ToolOutput) throws(ToolFailure) -> ExitStatus {
        let settings = try readSettings(arguments)
        // In the environment of a cron job another folder may be meant.
        let session = try LibrarySession(settings.folder, mayCreate: false, variable: environment.variable)
        let lock = try lock(session.folder)
        defer { withExtendedLifetime(lock) {} }
        try settleUnfinished(session)
        let claims = try Self.claims(in: session.folder)
        let (targets, busy) = try claim(try targets(arguments, session), claims, arguments)
        let board = makeBoard()
        let watchers = Watchers(environment, board: board, arguments, settings)
        let writer = RefreshReportWriter(
            output: output, errors: environment.errors, isJSON: arguments.isSet(RefreshDeclaration.json),
            isQuiet: arguments.isSet(RefreshDeclaration.quiet), isForced: arguments.isSet(RefreshDeclaration.force))
        var summary = RefreshSummary()
        var failures: [ExitStatus] = []
        if !targets.isEmpty {
            let refresher = FeedRefresher(
                store: session.store.refreshes, fetcher: try makeFetcher(settings), clock: environment.clock,
                activities: board, limits: .init(total: settings.jobs), access: session.access)
            var failure: ToolFailure?
            summary = try session.perform { (_) throws(LibraryError) in
                try refresher.refresh(
                    targets, isForced: arguments.isSet(RefreshDeclaration.force), tick: watchers.tick
                ) { report in
                    watchers.note(report)
                    if let status = RefreshReportWriter.exitStatus(report) { failures.append(status) }
                    claims.release(report.target.id)
                    do throws(ToolFailure) { try writer.write(report) } catch { failure = failure ?? error }
                }
            }
            if let failure { throw failure }
        }
        session.applyRules(environment.clock)
        watchers.finish(summary)
        try writer.finish(summary, busy: busy)
        if summary.failed == 0 { return .success }
        // Of a feed whose older pages could not be read, these are tried again.
        return failures.isEmpty ? .tryAgain : .ofRefresh(failures)
    }

    private static func claims(in folder: DataFolder) throws(ToolFailure) -> RefreshClaims {
        do throws(LibraryLockError) { return try RefreshClaims(in: folder.path) } catch {
            guard case .unavailable(let words) = error else { throw ToolFailure(.software, "\(error)") }
            throw ToolFailure(.cannotCreate, words)
        }
    }

    /// The feeds that this run refreshes: those that no other run does. For feeds that the user named it waits a few seconds.
    ///
    /// - Returns: the feeds, and the number of the others.
    /// - Throws: `tryAgain` if another run is still refreshing a feed that the user named.
    private func claim(
        _ targets: [RefreshTarget], _ claims: RefreshClaims, _ arguments: ParsedArguments
    ) throws(ToolFailure) -> (ours: [RefreshTarget], busy: Int) {
        let isNamed = !arguments.texts(RefreshDeclaration.feeds).isEmpty
        let end = environment.clock.now + environment.lockPatience
        while true {
            let ours = targets.filter { claims.claim($0.id) }
            guard isNamed, let other = targets.first(where: { !claims.claim($0.id) }) else {
                return (ours, targets.count - ours.count)
            }
            guard environment.clock.now < end else {
                throw ToolFailure(
                    .tryAgain, "\(other.name): another refresh of this feed is running",
                    hint: "try again later")
            }
            environment.pause(.milliseconds(100))
        }
    }

    /// If the last run ended while it read a document, records that as a failure of the feed.
    private func settleUnfinished(_ session: LibrarySession) throws(ToolFailure) {
        let settled = try session.perform { (store) throws(LibraryError) in
            try UnfinishedAttempt(at: environment.clock.wallTime).settle(in: store.refreshes)
        }
        guard let settled else { return }
        try environment.errors.line(
            "podcast-refresh: \(settled.feed.name): \(settled.failure.description)")
    }

    /// Locks the library for refreshing, together with other refreshes; waits a few seconds for a process that has it alone.
    private func lock(_ folder: DataFolder) throws(ToolFailure) -> LibraryLock {
        let end = environment.clock.now + environment.lockPatience
        while true {
            do throws(LibraryLockError) {
                return try LibraryLock(.refresher, in: folder.path, isShared: true)
            } catch {
                switch error {
                case .unavailable(let words): throw ToolFailure(.cannotCreate, words)
                case .held(let process):
                    if environment.clock.now < end {
                        environment.pause(.milliseconds(100))
                        continue
                    }
                    let holder = process.map { "process \($0)" } ?? "another process"
                    throw ToolFailure(
                        .tryAgain, "\(holder) has locked this library, as 'podcastd check' does",
                        hint: "try again later")
                }
            }
        }
    }

    private func targets(
        _ arguments: ParsedArguments, _ session: LibrarySession
    ) throws(ToolFailure) -> [RefreshTarget] {
        let names = arguments.texts(RefreshDeclaration.feeds)
        return try session.perform { (store) throws(LibraryError) in
            if names.isEmpty {
                return try store.refreshes.dueFeeds(
                    at: environment.clock.wallTime, isForced: arguments.isSet(RefreshDeclaration.force))
            }
            var ids: [FeedID] = []
            for name in names {
                let id = try store.feeds.resolveFeed(name).id
                if !ids.contains(id) { ids.append(id) }
            }
            return try store.refreshes.refreshTargets(ids)
        }
    }
}
