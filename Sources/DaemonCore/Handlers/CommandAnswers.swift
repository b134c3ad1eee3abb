internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import Library
internal import Playback
internal import PodcastModel
internal import Reporting
internal import SerialThreads

extension DaemonParts {
    /// Answers the commands with the functions of the daemon, in the order of the manual.
    func commandDispatcher(_ policy: any PermissionPolicy) -> CommandDispatcher {
        let status = AnsweredCommand.atOnce { [self] (_: GetStatus) in self.status }
        // The connection answers the other commands of the section.
        let subscription = AnsweredCommand.ofConnection(SubscribeStatus.self)
        let checks = CheckRunner(checks, deadline: .seconds(10))
        let metrics = decisions.answer { [self] (_: GetMetrics) in Metric.list(of: self) }
        let doctor = decisions.answer { (_: RunChecks) in CheckListReply(await checks.run()) }
        let clients = ActivitiesHandler(board: activities)
        return CommandDispatcher(
            playbackAnswers + queueAnswers + feedAnswers + episodeAnswers + bookmarkAnswers + playlists.answers
                + listAnswers
                + rules.answers + outputs.answers + syncAnswers + settingAnswers + [status, subscription]
                + clients.answers + [metrics] + libraryCommands.answers + [doctor],
            version: ProductVersion.current, policy: policy
        ) { [programs, sync] connection in
            programs.transfers.forget(connection)
            clients.connectionEnded(connection)
            sync.connectionEnded(connection)
        }
    }

    // MARK: what several sections use

    func applyRules() async { await rules.applyToNew() }

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
    func refreshSound() async {
        let status = player.status
        if let episode = status.entry?.episode,
            let skips = try? await library.read({ try $0.bookmarks.skips(of: episode) })
        {
            await player.use(skips, of: episode)
        }
        guard let feed = status.feed, let sound = try? await library.read({ try $0.feeds.sound(of: feed) }) else {
            return
        }
        await player.use(sound.settings, of: feed, isMusic: sound.isMusic)
        await player.setFeedVolume(sound.volume, of: feed)
    }
}

extension DecisionThread {
    func answer<Answered: Command>(
        _ work: @escaping @Sendable (Answered) async throws -> Answered.Reply
    ) -> AnsweredCommand {
        answer { request, _ in try await work(request) }
    }

    func answers<each Answered: Command>(
        _ functions: repeat @escaping @Sendable (each Answered) async throws -> (each Answered).Reply
    ) -> [AnsweredCommand] {
        var answers: [AnsweredCommand] = []
        repeat answers.append(answer(each functions))
        return answers
    }

    func answer<Answered: Command>(
        _ work: @escaping @Sendable (Answered, Caller) async throws -> Answered.Reply
    ) -> AnsweredCommand {
        answer(beginning: { $1 }, work)
    }

    /// Answers a command with what the work on this thread returns or throws.
    /// - Parameter begin: is called first, on the server's thread, in order with the end of the connection; it must not wait.
    func answer<Answered: Command, Begun: Sendable>(
        beginning begin: @escaping @Sendable (Answered, Caller) throws(ControlError) -> Begun,
        _ work: @escaping @Sendable (Answered, Begun) async throws -> Answered.Reply
    ) -> AnsweredCommand {
        AnsweredCommand { (request: Answered, caller) throws(ControlError) in
            let begun = try begin(request, caller)
            return .later { finish in
                self.start {
                    do {
                        finish(.success(try await work(request, begun).answer))
                    } catch {
                        finish(.failure(ControlError(reporting: error)))
                    }
                }
            }
        }
    }
}
