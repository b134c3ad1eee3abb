internal import AudioOutput
internal import Configuration
internal import ControlLanguage
internal import ControlProtocol
internal import DecoderHost
internal import EpisodeCache
internal import Library
internal import PodcastModel
internal import Reporting
internal import SystemCalls

extension DaemonParts {
    /// The checks of `doctor` that only the daemon can make, in the order in which they are shown.
    var checks: [HealthCheck] {
        [
            HealthCheck(["output", "sound cards"]) { [self] in
                let cards = OutputSpecification.cards.prefix(16)
                return [
                    OutputChecks.outputs(media.outputs.states, \.condition),
                    OutputChecks.cards(
                        cards.map { ($0, OutputSpecification(.alsa, $0).condition) }),
                ]
            },
            HealthCheck("library") { [self] in
                let path = places.data.library
                if let moved = StorageChecks.moved(path, opened: library.file, restart: restart) { return moved }
                do throws(LibraryError) {
                    let checker = LibraryChecker(path: path, isRepairing: false, now: .now)
                    return StorageChecks.library(path, try checker.runWhileInUse())
                } catch {
                    let error = ControlError(reporting: error)
                    return .problem(error.what, fix: error.hint ?? "see podcastd's messages: journalctl -u podcastd -e")
                }
            },
            HealthCheck("backup") { [self] in
                let latest = BackupFolder(beside: places.data.library).latest
                let every = BackupInterval(setting: settings["library.backup_every"])
                return StorageChecks.backup(
                    latest: latest.map { ($0.path, Int((Timestamp.now.seconds - $0.time.seconds) / 86_400)) },
                    interval: every.seconds.map { Int($0 / 86_400) })
            },
            HealthCheck("library space") { [self] in
                .space(in: places.data.path, free: freeDiskBytes(at: places.data.path))
            },
            HealthCheck("cache space") { [self] in .space(in: places.cache, free: freeDiskBytes(at: places.cache)) },
            HealthCheck("cache") { [self] in
                StorageChecks.cache(
                    folder: places.cache, usage: media.cache.usage(),
                    limit: settings.current.atStart.bytes("cache.size"), free: freeDiskBytes(at: places.cache))
            },
            HealthCheck("network") { [self] in
                let usesProxy = settings.current.atStart.text("network.proxy") != nil
                return withLibrary { (store) throws(LibraryError) in
                    let origins = NetworkCheck.origins(of: try store.feeds.feeds().map(\.url))
                    let answers = media.http.ask(origins, within: 5)
                    return [NetworkCheck.finding(answers, usesProxy: usesProxy)]
                }[0]
            },
        ]
            // One for each program, so that they run at the same time.
            + DecoderLauncher.programs.map { program in
                HealthCheck("decoder") { DecoderCheck.finding(executable: (try? Launch.sibling(program)) ?? program) }
            } + [
                HealthCheck(["refresh", "feeds", "imports", "downloads", "sync"]) { [self] in
                    withLibrary { (store) throws(LibraryError) in
                        let checks = FeedChecks(
                            feeds: try store.feeds.feeds(), now: .now,
                            enablingTimer: isService
                                ? "\(systemctl) enable --now podcast-refresh.timer" : "let cron run podcast-refresh")
                        let reported = sync.orders.shown.accounts
                        let whole = media.cache.wholeFiles()
                        let lost = try store.downloads.downloadedURLs().values.count { whole[$0] == nil }
                        let requested = try store.downloads.downloadNeeds(limit: DownloadManager.mostRequests).requested
                        return [
                            checks.refresh, checks.failing,
                            StorageChecks.imports(
                                try store.imports.waitingTitles(limit: 10), of: try store.imports.waitingCount()),
                            StorageChecks.downloads(missing: lost + requested.count),
                            SyncChecks.accounts(
                                reported.isEmpty ? try store.sync.accounts() : reported,
                                devices: try store.sync.devices().count,
                                start: isService ? "\(systemctl) start podcast-sync" : "start podcast-sync"),
                        ]
                    }
                },
                HealthCheck("settings") { [self] in
                    StorageChecks.settings(
                        waiting: settings.current.waiting,
                        ignored: settings.current.settings.ignored.map(\.description),
                        restart: restart, problem: settings.current.problem,
                        reload: isService ? "\(systemctl) reload podcastd" : "kill -HUP \(CurrentProcess.number)")
                },
            ]
    }

    /// Whether systemd started this process: systemd.exec(5).
    private var isService: Bool { CurrentProcess.variable("INVOCATION_ID") != nil }
    private var systemctl: String { places.data.path.hasPrefix("/var/") ? "sudo systemctl" : "systemctl --user" }
    private var restart: String { isService ? "\(systemctl) restart podcastd" : "restart podcastd" }

    /// Reads the library through a separate connection, because the daemon's may be the one that hangs.
    private func withLibrary(_ body: (LibraryStore) throws(LibraryError) -> [Finding]) -> [Finding] {
        do throws(LibraryError) {
            return try body(LibraryStore(path: places.data.library, options: .daemon))
        } catch {
            let cause = ControlError(reporting: error).what
            return [.notice("cannot read the library: \(cause)", fix: "repair the library first")]
        }
    }
}
