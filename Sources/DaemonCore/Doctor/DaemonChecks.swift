internal import AudioOutput
internal import ChildProcess
internal import CommandLineTool
internal import Configuration
internal import ControlProtocol
internal import EpisodeCache
internal import HTTP
internal import Library
internal import LibraryModel
internal import Playback
internal import PodcastModel
internal import SystemCalls

/// What the running daemon looks at when somebody asks what is wrong, and with which of its parts.
struct DaemonChecks: Sendable {
    let places: Places
    /// The library that the daemon has open, whatever is at its path by now.
    let openLibraryFile: LibraryFile?
    let settings: SettingsService
    let outputs: OutputSwitch
    let player: Player
    let cache: EpisodeCache
    let http: HTTPThread

    /// All looks, in the order in which they are shown.
    var all: [DaemonCheck] {
        [
            DaemonCheck("output") { outputChecks.all },
            DaemonCheck("library") {
                [
                    StorageChecks.library(
                        path: places.data.library, opened: openLibraryFile,
                        restart: isService ? "\(systemctl) restart podcastd" : "restart podcastd"
                    ) { () throws(LibraryError) in
                        try LibraryChecker(path: places.data.library, isRepairing: false, now: SystemTime.now)
                            .runWhileInUse()
                    }
                ]
            },
            DaemonCheck("library space") {
                [SpaceCheck.reply("library space", folder: places.data.path, free: free(at: places.data.path))]
            },
            DaemonCheck("cache") { cacheChecks },
            DaemonCheck("network") {
                withFeeds("network") {
                    [NetworkCheck(hosts: HTTPHosts(http: http), usesProxy: usesProxy).reply(feeds: $0)]
                }
            },
            DaemonCheck("decoder") {
                [DecoderCheck.reply(executable: (try? Launch.sibling("podcast-decode")) ?? "podcast-decode")]
            },
            DaemonCheck("refresh") {
                withFeeds("refresh") { feeds in
                    FeedChecks(
                        feeds: feeds, now: SystemTime.now,
                        enablingTimer: isService
                            ? "\(systemctl) enable --now podcast-refresh.timer" : "let cron run podcast-refresh"
                    ).all
                }
            },
            DaemonCheck("settings") {
                [
                    StorageChecks.settings(
                        settings.current, restart: isService ? "\(systemctl) restart podcastd" : "restart podcastd")
                ]
            },
        ]
    }

    private var outputChecks: OutputChecks {
        OutputChecks(
            inspector: OutputInspector(), specification: outputs.specification,
            isInUse: player.status.state == .playing || player.status.state == .paused)
    }

    private var cacheChecks: [CheckReply] {
        let free = free(at: places.cache)
        return [
            SpaceCheck.reply("cache space", folder: places.cache, free: free),
            StorageChecks.cache(
                folder: places.cache, usage: cache.usage(), limit: settings.current.atStart.bytes("cache.size"),
                free: free),
        ]
    }

    private var usesProxy: Bool { settings.current.atStart.text("network.proxy") != nil }
    /// Whether systemd started this process: systemd.exec(5).
    private var isService: Bool { Environment.variable("INVOCATION_ID") != nil }
    private var systemctl: String { places.data.path.hasPrefix("/var/") ? "sudo systemctl" : "systemctl --user" }
    private func free(at path: String) -> Int64? { (try? DiskRoom(at: path))?.free }

    /// A connection of the look's own: the daemon's may be what hangs.
    private func openLibrary() throws(LibraryError) -> LibraryStore {
        try LibraryStore(path: places.data.library, options: .daemon)
    }

    private func withFeeds(_ name: String, _ body: ([Feed]) -> [CheckReply]) -> [CheckReply] {
        do throws(LibraryError) {
            return body(try openLibrary().feeds())
        } catch {
            return [
                .notice(name, "the library does not say: \(ControlError(reporting: error).what)", fix: "mend it first")
            ]
        }
    }
}
