internal import AudioOutput
internal import CommandLineTool
internal import Configuration
internal import ControlLanguage
internal import HTTP
internal import Library
internal import LineServing
internal import Playback
internal import PodcastModel
internal import Reporting
internal import SerialThreads
internal import SystemCalls

/// A running daemon: its parts and the control socket.
final class Daemon: Sendable {
    private let parts: DaemonParts
    private let server: ControlServer

    var decisions: DecisionThread { parts.decisions }
    var library: LibraryService { parts.library }
    var player: Player { parts.player }
    var renderer: Renderer { parts.media.renderer }

    /// Builds the parts; the control socket answers when this returns.
    /// - Parameters:
    ///   - decisions: the thread of handlers and player; this is called there too.
    ///   - serverFailed: called if clients can no longer be served; the program should then end.
    init(
        decisions: DecisionThread, store: sending LibraryStore, settings: Settings, places: Places,
        listeners: [LineListener], logger: Logger, machine: MachinePorts = MachinePorts(),
        serverFailed: @escaping @Sendable (SystemError) -> Void = { fatalError($0.description) }
    ) async throws {
        let parts = try await DaemonParts(
            decisions: decisions, store: store, settings: settings, places: places, machine: machine, logger: logger)
        self.parts = parts
        var limits = LineServer.Limits()
        limits.connections = settings.integer("control.max_connections")
        let policy = LoggedPermissions(
            policy: try PermissionTable.policy(of: settings), settings: settings,
            configFile: places.changeableConfigFile, logger: logger)
        server = try ControlServer(
            dispatcher: parts.commandDispatcher(policy), status: parts, policy: policy,
            limits: limits, counters: parts.connections, files: parts.handed,
            report: { logger.log(.warning, .control, $0) }, failed: serverFailed)
        connect()
        // Before a client can ask for the sleep timer or set another timer.
        let isContinuing = await parts.restoreSleep()
        try server.start(on: listeners)
        decisions.start { await parts.continuePlayback(isContinuing) }
        parts.backups.writeAutomatically(of: parts.library, on: decisions, logger: logger) {
            BackupInterval(setting: parts.settings["library.backup_every"])
        }
        parts.forgetRemovals(after: .seconds(10))
    }

    private let inhibitor = SleepInhibitor()

    private func connect() {
        parts.changes.connect(readRows: parts.readRows) { [weak self] part in
            guard let self else { return }
            self.server.publish(part)
            if part == .feeds {
                self.parts.current.forgetSpeed()
                self.nameCurrentEpisode()
                self.lookUpNext()
            }
            guard part == .episodes else { return }
            self.parts.downloads.poll()
            self.nameCurrentEpisode()
            self.lookUpNext()
        }
        parts.media.outputs.observeVolumes { [weak self] in self?.parts.outputs.keep() }
        parts.activities.watch { [weak self] in self?.parts.changes.changed(.activities) }
        parts.contexts.observe { [weak self] context in
            guard let self else { return }
            self.parts.session.saveSoon { $0.context = context }
            self.lookUpNext()
            self.decisions.start { [player = self.player] in await player.queueChanged() }
        }
        parts.player.observe { [weak self] in self?.playerChanged() }
        parts.queue.observe { [weak self] changes in self?.queueChanged(changes) }
        parts.settings.observe { [weak self] settings in self?.settingsChanged(settings) }
        parts.downloads.poll()
    }

    private func playerChanged() {
        let now = player.status
        parts.noteForRestart(now)
        if !parts.current.note(now) { nameCurrentEpisode() }
        if !parts.upcoming.isOf(now.entry) { lookUpNext() }
        if parts.playerMeter.note(now) == .playing {
            // By then all parts that playback needs have started, so code and memory that only the start needed can go.
            decisions.schedule(after: .seconds(5)) { [decisions, inhibitor, library, parts, player] in
                if player.status.state.isPlaying, parts.settings["playback.inhibit_sleep"] == "yes" {
                    inhibitor.begin()
                }
                decisions.start {
                    await library.settle()
                    ResidentCode.release()
                }
            }
        }
        if !now.state.isPlaying { inhibitor.end() }
        parts.downloads.playerChanged(PlayerDemand(now))
        parts.changes.changed(.player)
    }

    /// Clients are shown name, position and speed of the current episode also while the player does not know them.
    private func nameCurrentEpisode() { if player.status.title == nil { refresh { await $0.current.refresh() } } }

    private func lookUpNext() { refresh { await $0.upcoming.refresh() } }

    /// - Parameter part: refreshes a part of the player's status, and returns whether that has changed.
    private func refresh(_ part: @escaping @Sendable (DaemonParts) async -> Bool) {
        decisions.start { [parts] in if await part(parts) { parts.changes.changed(.player) } }
    }

    private func queueChanged(_ changes: QueueModel.Changes) {
        parts.changes.changed(.queue)
        nameCurrentEpisode()
        lookUpNext()
        let inserted = changes.compactMap(\.insertedRow)
        decisions.start { [parts] in
            let entries = parts.queue.snapshot
            let episodes = inserted.compactMap { entries.entry($0)?.episode }
            parts.programs.texts.prepare(episodes)
            parts.loudness.measure(episodes)
        }
        // Playback usually follows an edit of the queue, and its first request should not wait for libcurl to load.
        parts.media.http.prepare()
        decisions.start { [player] in await player.queueChanged() }
    }

    private func settingsChanged(_ settings: Settings) {
        if let levels = LogLevels(parsing: settings["daemon.log_level"]) { parts.logger.levels = levels }
        renderer.setCloseDelay(.seconds(settings.seconds("output.close_after")))
        decisions.start { [player] in await player.use(PlaybackSettings(settings)) }
        parts.changes.changed(.settings)
        lookUpNext()
    }

    /// Applies the config file again, except what needs a restart.
    /// - Parameter read: a failure leaves the settings as they are, and `doctor` reports it.
    func reload(_ read: @escaping @Sendable () -> Result<Settings, ToolFailure>) async {
        do {
            guard let fresh = try await parts.settings.reload({ read().flatMap(Self.checked) }) else { return }
            do { try await parts.outputs.reload(fresh) } catch {
                parts.logger.log(.error, .daemon, "outputs: \(error)")
            }
        } catch {
            parts.logger.log(.error, .daemon, "reloading the settings failed: \(error); send SIGHUP again")
        }
    }

    /// The settings, unless an output of theirs cannot be used.
    private static func checked(_ settings: Settings) -> Result<Settings, ToolFailure> {
        Result { _ = try ConfiguredOutputs(settings) }.map { settings }
            .mapError { ToolFailure(.configuration, "\($0)", hint: nil) }
    }

    /// Calls back after the threads control, decisions, library and, once it runs, HTTP have each run a job. If one of them hangs, it
    /// does not, and the service manager's watchdog restarts podcastd.
    func whenAlive(_ answer: @escaping @Sendable () -> Void) {
        server.whenServing { [decisions, library, http = parts.media.http] in
            decisions.start {
                await library.takeTurn()
                http.whenAlive(answer)
            }
        }
    }

    /// Does what a refresh by another process left for later, if that process was killed or gave up before its report arrived.
    func refreshEnded() { decisions.start { [parts] in await parts.rules.applyMissed() } }

    func stop() async {
        server.stop()
        await parts.stop()
    }
}
