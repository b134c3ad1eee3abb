public import AudioOutput
public import Configuration
internal import DecoderHost
public import EpisodeCache
public import HTTP
public import Library
public import LibraryModel
internal import LibraryUpkeep
public import Playback
internal import PodcastModel
public import Reporting
internal import SystemCalls

/// The checks of `doctor` and the daemon's parts that they examine.
public struct DaemonChecks: Sendable {
    private let data: DataFolder
    private let cacheFolder: String
    private let openLibraryFile: LibraryFile?
    private let settings: SettingsService
    private let outputs: OutputSwitch
    private let player: Player
    private let cache: EpisodeCache
    private let http: HTTPThread
    private let describe: @Sendable (LibraryError) -> (text: String, fix: String?)

    /// - Parameters:
    ///   - openLibraryFile: the file that the daemon has open; the path may name another one by now.
    ///   - describe: an error's text and fix, as clients see them.
    public init(
        data: DataFolder, cacheFolder: String, openLibraryFile: LibraryFile?, settings: SettingsService,
        outputs: OutputSwitch, player: Player, cache: EpisodeCache, http: HTTPThread,
        describe: @escaping @Sendable (LibraryError) -> (text: String, fix: String?)
    ) {
        (self.data, self.cacheFolder, self.openLibraryFile) = (data, cacheFolder, openLibraryFile)
        (self.settings, self.outputs, self.player) = (settings, outputs, player)
        (self.cache, self.http, self.describe) = (cache, http, describe)
    }

    /// In the order in which they are shown.
    public var all: [HealthCheck] {
        [
            HealthCheck("output") { outputChecks.all },
            HealthCheck("library") {
                [
                    StorageChecks.library(
                        path: data.library,
                        condition: LibraryCondition(at: data.library, opened: openLibraryFile), restart: restart,
                        describe: describe
                    ) { () throws(LibraryError) in
                        try LibraryChecker(path: data.library, isRepairing: false, now: .now)
                            .runWhileInUse().filter { $0.outcome == .damaged }.map { ($0.name, $0.detail) }
                    }
                ]
            },
            HealthCheck("backup") {
                let latest = BackupFolder(beside: data.library).latest
                let every = BackupInterval(setting: settings.current.settings["library.backup_every"])
                return [
                    StorageChecks.backup(
                        latest: latest.map { ($0.path, Int((Timestamp.now.seconds - $0.time.seconds) / 86_400)) },
                        interval: every.seconds.map { Int($0 / 86_400) })
                ]
            },
            HealthCheck("library space") {
                [SpaceCheck.finding("library space", folder: data.path, free: free(at: data.path))]
            },
            HealthCheck("cache") { cacheChecks },
            HealthCheck("network") {
                withFeeds("network") {
                    [NetworkCheck(hosts: HTTPHosts(http: http), usesProxy: usesProxy).finding(feeds: $0)]
                }
            },
        ] + decoders + [
            HealthCheck("refresh") {
                withFeeds("refresh") { feeds in
                    FeedChecks(
                        feeds: feeds, now: .now,
                        enablingTimer: isService
                            ? "\(systemctl) enable --now podcast-refresh.timer" : "let cron run podcast-refresh"
                    ).all
                }
            },
            HealthCheck("settings") {
                [
                    StorageChecks.settings(
                        waiting: settings.current.waiting,
                        ignored: settings.current.settings.ignored.map(\.description),
                        restart: restart, problem: settings.problem, reload: reload)
                ]
            },
        ]
    }

    /// One for each program, so that they run at the same time.
    private var decoders: [HealthCheck] {
        DecoderLauncher.programs.map { program in
            HealthCheck("decoder") {
                [DecoderCheck.finding(executable: (try? Launch.sibling(program)) ?? program)]
            }
        }
    }

    private var outputChecks: OutputChecks {
        OutputChecks(
            inspector: OutputInspector(), specification: outputs.specification,
            isInUse: player.status.state == .playing || player.status.state == .paused)
    }

    private var cacheChecks: [Finding] {
        let free = free(at: cacheFolder)
        return [
            SpaceCheck.finding("cache space", folder: cacheFolder, free: free),
            StorageChecks.cache(
                folder: cacheFolder, usage: cache.usage(), limit: settings.current.atStart.bytes("cache.size"),
                free: free),
        ]
    }

    private var usesProxy: Bool { settings.current.atStart.text("network.proxy") != nil }
    /// Whether systemd started this process: systemd.exec(5).
    private var isService: Bool { CurrentProcess.variable("INVOCATION_ID") != nil }
    private var systemctl: String { data.path.hasPrefix("/var/") ? "sudo systemctl" : "systemctl --user" }
    private var restart: String { isService ? "\(systemctl) restart podcastd" : "restart podcastd" }
    private var reload: String {
        isService ? "\(systemctl) reload podcastd" : "kill -HUP \(CurrentProcess.number)"
    }
    private func free(at path: String) -> Int64? { (try? DiskRoom(at: path))?.free }

    /// Uses a separate connection, because the daemon's may be the one that hangs.
    private func openLibrary() throws(LibraryError) -> LibraryStore {
        try LibraryStore(path: data.library, options: .daemon)
    }

    private func withFeeds(_ name: String, _ body: ([Feed]) -> [Finding]) -> [Finding] {
        do throws(LibraryError) {
            return body(try openLibrary().feeds.feeds())
        } catch {
            return [
                .notice(
                    name, "cannot read the library: \(describe(error).text)",
                    fix: "repair the library first")
            ]
        }
    }
}
