internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import Queueing
internal import Reporting
internal import SerialThreads

/// Functions of the daemon that answer commands, in the order of the manual.
private struct DaemonAnswers: CommandHandler {
    let answers: [AnsweredCommand]
    /// Releases what is held for a connection that has ended.
    var ended: @Sendable (ConnectionID) -> Void = { _ in }

    func connectionEnded(_ connection: ConnectionID) { ended(connection) }
}

extension DaemonParts {
    /// `doctor` does not wait longer for a check.
    private static let checkDeadline = Duration.seconds(10)

    func commandDispatcher(_ policy: any PermissionPolicy) -> CommandDispatcher {
        // The connection answers the commands of `session`.
        let times = CommandTable.sections.filter { $0 != .session }.map { (section: $0.name, times: CommandTimes()) }
        let measured = MeasuredDaemon(parts: self, commands: times, startTime: now())
        let checks = CheckRunner(checks, deadline: Self.checkDeadline)
        return CommandDispatcher(
            handlers: [
                DaemonAnswers(
                    answers: playbackAnswers + queueAnswers + feedAnswers + episodeAnswers + bookmarkAnswers
                        + playlistAnswers + ruleAnswers + retentionAnswers + outputAnswers + settingAnswers
                        + statusAnswers,
                    ended: { [programs] in programs.transfers.forget($0) }),
                ActivitiesHandler(board: activities),
                DaemonAnswers(
                    answers: [decisions.answer { (_: GetMetrics) in measured.metrics }] + libraryAnswers + [
                        // Each check runs on its own thread.
                        .later { (_: RunChecks, finish) in
                            checks.run { findings in finish(CheckListReply(findings.map { CheckReply($0) })) }
                        }
                    ]),
            ], version: ProductVersion.current, policy: policy,
            meters: Dictionary(uniqueKeysWithValues: times.map { ($0.section, $0.times) }))
    }

    /// The connection answers the other commands of the section.
    private var statusAnswers: [AnsweredCommand] {
        [
            .atOnce { [self] (_: GetStatus) in status }, .ofConnection(SubscribeStatus.self),
            .ofConnection(UnsubscribeStatus.self),
        ]
    }

    // MARK: what several sections use

    var chooser: PlayChooser {
        PlayChooser(library: library, queue: queue, activities: activities, now: now) { [programs] url in
            let outcome = try await programs.refresher.run(["add", "--urls-only", "--newest"], on: [url])
            let answer = SubscriptionsReply(json: outcome.document)?.rows.first
            if let feed = answer?.feed { return .subscribed(feed.feed.id) }
            return answer?.found.map {
                .other(title: $0.title, url: $0.url, newestURL: $0.newestURL, newestTitle: $0.newestTitle)
            }
        }
    }

    /// Updates the player with the settings of its feed and the skipped parts of its episode.
    func refreshSound() async { await PlayingSound(library: library, player: player).refresh() }
}

extension DecisionThread {
    /// Answers with what the work on this thread returns or throws.
    func later(_ work: @escaping @Sendable () async throws -> any ReplyObject) -> CommandAnswer {
        .later { completion in
            self.start {
                do {
                    completion.finish(.success(try await work().answer))
                } catch {
                    completion.finish(.failure(ControlError(reporting: error)))
                }
            }
        }
    }

    /// Answers a command with what the work on this thread returns or throws.
    func answer<Answered: Command>(
        _ work: @escaping @Sendable (Answered) async throws -> Answered.Reply
    ) -> AnsweredCommand {
        AnsweredCommand { (request: Answered, _) in self.later { try await work(request) } }
    }

    /// Answers a command of a caller with what the work on this thread returns or throws.
    ///
    /// - Parameter begin: is called first, on the server's thread, in order with the end of the connection; it must not
    ///   wait.
    func answer<Answered: Command>(
        beginning begin: @escaping @Sendable (Answered, Caller) throws(ControlError) -> Void = { _, _ in },
        _ work: @escaping @Sendable (Answered, Caller) async throws -> Answered.Reply
    ) -> AnsweredCommand {
        AnsweredCommand { (request: Answered, caller) in
            do throws(ControlError) { try begin(request, caller) } catch { return .error(error) }
            return self.later { try await work(request, caller) }
        }
    }
}
