internal import AudioOutput
internal import ChildProcess
internal import CommandLineTool
internal import Configuration
internal import ControlLanguage
internal import DaemonHealth
internal import DecoderHost
internal import EpisodeCache
internal import HTTP
internal import Health
internal import Library
internal import LibraryModel
internal import LibraryUpkeep
internal import LiveSettings
internal import Playback
internal import PodcastModel
internal import SystemCalls
internal import WireMapping

/// The checks of `doctor` and the daemon's parts that they examine.
struct DaemonChecks: Sendable {
    let places: Places
    /// The file that the daemon has open; the path may name another one by now.
    let openLibraryFile: LibraryFile?
    let settings: SettingsService
    let outputs: OutputSwitch
    let player: Player
    let cache: EpisodeCache
    let http: HTTPThread

    /// In the order in which they are shown.
    var all: [HealthCheck] {
        [
            HealthCheck("output") { outputChecks.all },
            HealthCheck("library") {
                [
                    StorageChecks.library(
                        path: places.data.library,
                        condition: LibraryCondition(at: places.data.library, opened: openLibraryFile), restart: restart,
                        describe: describe
                    ) { () throws(LibraryError) in
                        try LibraryChecker(path: places.data.library, isRepairing: false, now: .now)
                            .runWhileInUse().filter { $0.outcome == .damaged }.map { ($0.name, $0.detail) }
                    }
                ]
            },
            HealthCheck("backup") {
                let latest = BackupFolder(beside: places.data.library).latest
                let every = BackupInterval(settings.current.settings)
                return [
                    StorageChecks.backup(
                        latest: latest.map { ($0.path, Int((Timestamp.now.seconds - $0.time.seconds) / 86_400)) },
                        interval: every.seconds.map { Int($0 / 86_400) })
                ]
            },
            HealthCheck("library space") {
                [SpaceCheck.finding("library space", folder: places.data.path, free: free(at: places.data.path))]
            },
            HealthCheck("cache") { cacheChecks },
            HealthCheck("network") {
                withFeeds("network") {
                    [NetworkCheck(hosts: HTTPHosts(http: http), usesProxy: usesProxy).finding(feeds: $0)]
                }
            },
            HealthCheck("decoder") {
                DecoderLauncher.programs.map {
                    DecoderCheck.finding(executable: (try? Launch.sibling($0)) ?? $0)
                }
            },
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
                        waiting: settings.current.waiting, restart: restart, problem: settings.problem, reload: reload)
                ]
            },
        ]
    }

    private var outputChecks: OutputChecks {
        OutputChecks(
            inspector: OutputInspector(), specification: outputs.specification,
            isInUse: player.status.state == .playing || player.status.state == .paused)
    }

    private var cacheChecks: [Finding] {
        let free = free(at: places.cache)
        return [
            SpaceCheck.finding("cache space", folder: places.cache, free: free),
            StorageChecks.cache(
                folder: places.cache, usage: cache.usage(), limit: settings.current.atStart.bytes("cache.size"),
                free: free),
        ]
    }

    private func describe(_ error: LibraryError) -> (text: String, fix: String?) {
        let reply = ControlError(reporting: error)
        return (reply.what, reply.hint)
    }

    private var usesProxy: Bool { settings.current.atStart.text("network.proxy") != nil }
    /// Whether systemd started this process: systemd.exec(5).
    private var isService: Bool { CurrentProcess.variable("INVOCATION_ID") != nil }
    private var systemctl: String { places.data.path.hasPrefix("/var/") ? "sudo systemctl" : "systemctl --user" }
    private var restart: String { isService ? "\(systemctl) restart podcastd" : "restart podcastd" }
    private var reload: String {
        isService ? "\(systemctl) reload podcastd" : "kill -HUP \(CurrentProcess.number)"
    }
    private func free(at path: String) -> Int64? { (try? DiskRoom(at: path))?.free }

    /// Uses a separate connection, because the daemon's may be the one that hangs.
    private func openLibrary() throws(LibraryError) -> LibraryStore {
        try LibraryStore(path: places.data.library, options: .daemon)
    }

    private func withFeeds(_ name: String, _ body: ([Feed]) -> [Finding]) -> [Finding] {
        do throws(LibraryError) {
            return body(try openLibrary().feeds.feeds())
        } catch {
            return [
                .notice(
                    name, "cannot read the library: \(ControlError(reporting: error).what)",
                    fix: "repair the library first")
            ]
        }
    }
}
