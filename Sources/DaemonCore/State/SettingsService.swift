internal import CommandLineTool
internal import Configuration
internal import ControlLanguage
internal import Playback
internal import PodcastModel
internal import SerialThreads
internal import Synchronization
internal import SystemCalls

/// The settings that are in effect, and the file that keeps those of clients.
///
/// Changes are made one after another on a thread that may wait for the disk; reads come from any thread.
final class SettingsService: Sendable {
    struct Values {
        var settings: Settings
        /// The settings at the start, which stay in effect where a change needs a restart.
        let atStart: Settings
        /// Why the config file could not be applied when it was read last; nil if it was.
        var problem: String?

        /// The value in effect.
        func active(_ declaration: SettingDeclaration) -> String {
            (declaration.needsRestart ? atStart : settings)[declaration.key]
        }

        /// The keys of changed settings that take effect at the next start.
        var waiting: [String] { SettingTable.all.filter { active($0) != settings[$0.key] }.map(\.key) }
    }

    private let state: Mutex<Values>
    private let path: String
    private let writer: WorkerThread
    private let watcher = Listener<Settings>()

    /// Settings as read at the start; `path` is the file of clients' settings.
    init(_ settings: Settings, path: String, writer: WorkerThread = WorkerThread(name: .settings)) {
        self.writer = writer
        state = Mutex(Values(settings: settings, atStart: settings))
        self.path = path
    }

    var current: Values { state.withLock { $0 } }

    subscript(key: String) -> String { current.settings[key] }

    /// Calls `handler` after each change, from any thread; it must return at once.
    func observe(_ handler: @escaping @Sendable (Settings) -> Void) { watcher.connect(handler) }

    /// Changes a client's setting; nil removes it. It is on disk when this returns, or nothing has changed.
    /// - Returns: its value before and now; nil if clients set none.
    @discardableResult
    func set(_ key: String, to value: String?) async throws -> (before: String?, now: String?) {
        try await writer.run { [self] in
            let before = current.settings
            var changed = before
            try changed.set(key, to: value, from: .client)
            // A crash or a power cut leaves the old file or the new one.
            let text = Array(changed.text(of: .client).utf8)
            try mapError(of: StoredFile.replace(path, with: text, isDurable: true)) { (error: SystemError) in
                ControlError(
                    .storageFailed, error.description, hint: "the setting is unchanged; fix the cause and try again")
            }
            hold(changed)
            return (before.value(of: key, from: .client), changed.value(of: key, from: .client))
        }
    }

    /// Replaces the settings with those read again, between two changes by clients.
    /// - Parameter read: reads all sources; a failure leaves the settings as they are. Called on the thread of changes.
    /// - Returns: what was read; nil after a failure.
    /// - Throws: `SystemError` if the thread of changes cannot start; nothing has changed then.
    func reload(_ read: @escaping @Sendable () -> Result<Settings, ToolFailure>) async throws -> Settings? {
        try await writer.run { [self] in
            switch read() {
            case .success(let fresh):
                state.withLock { $0.problem = nil }
                hold(fresh)
                return fresh
            case .failure(let failure):
                state.withLock { $0.problem = failure.message }
                return nil
            }
        }
    }

    /// Waits for the current change and ends the thread.
    func close() { writer.finish() }

    private func hold(_ settings: Settings) {
        state.withLock { $0.settings = settings }
        watcher.emit(settings)
    }
}

extension PlaybackSettings {
    init(_ settings: Settings) {
        self.init()
        rebuffer = .seconds(settings.seconds("playback.rebuffer"))
        suspendDelay = .seconds(settings.seconds("playback.disconnect_after"))
        sleepFade = .seconds(settings.seconds("playback.sleep_fade"))
        rewind = MediaTime(seconds: Double(settings.seconds("playback.rewind_after_pause")))
        playedBeforeEnd = MediaTime(seconds: Double(settings.seconds("playback.played_before_end")))
        sound = SoundSettings(settings)
    }
}

extension SoundSettings {
    init(_ settings: Settings) {
        self.init()
        func isOn(_ name: String) -> Bool { settings["playback.\(name)"] == "yes" }
        speed = PlaybackSpeed(parsing: settings["playback.speed"]) ?? .normal
        shortensSilence = isOn("silence")
        silence = SilenceShortening(
            threshold: settings.integer("playback.silence_threshold"),
            shortest: settings.integer("playback.silence_shortest"), kept: settings.integer("playback.silence_kept"))
        loudness = FeedSound.Loudness(parsing: settings["playback.loudness"])?.target
        hasVoiceBoost = isOn("voice_boost")
        isMono = isOn("mono")
        skippedStart = MediaTime(seconds: Double(settings.seconds("playback.skip_start")))
        skippedEnd = MediaTime(seconds: Double(settings.seconds("playback.skip_end")))
        skippedChapters = FeedSound.titles(settings["playback.skip_chapters"])
    }
}
