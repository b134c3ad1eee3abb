internal import AudioOutput
internal import CommandLineTool
internal import Configuration
internal import PodcastModel
internal import SystemCalls

/// The daemon's paths: from command line and config, else systemd's `*_DIRECTORY` variables, else XDG's; see file-hierarchy(7).
struct Places: Equatable {
    var configFile: String?
    /// Where users write settings, for messages.
    var changeableConfigFile: String
    var data: DataFolder
    var cache: String
    var socket: String

    /// - Parameters:
    ///   - socket: from the command line; nil for `PODCASTD_SOCKET`, else the default.
    ///   - isRoot: whether the system's folders are the default.
    ///   - runtime: a folder for `XDG_RUNTIME_DIR`, if that is not set.
    /// - Throws: `configuration` if there is no folder for the library.
    init(
        settings: Settings, configFile: String?, socket: String?, variable: (String) -> String?, isRoot: Bool,
        runtime: String? = nil, changeableConfigFile: String = "podcastd.conf"
    ) throws(ToolFailure) {
        func first(_ name: String) -> String? { variable(name)?.split(separator: ":").first.map(String.init) }
        (self.configFile, self.changeableConfigFile) = (configFile, changeableConfigFile)
        data = try DataFolder(settings: settings, variable: variable, isRoot: isRoot)
        let folders = StandardFolders(variable, usesHome: !isRoot, runtime: runtime)
        cache =
            settings.text("daemon.cache_dir") ?? first("CACHE_DIRECTORY") ?? folders.cache
            ?? StandardFolders.systemCache
        self.socket =
            socket ?? variable("PODCASTD_SOCKET").map(CurrentProcess.absolutePath)
            ?? first("RUNTIME_DIRECTORY").map { $0 + "/control" } ?? folders.socket ?? StandardFolders.systemSocket
    }
}

enum DaemonOptions {
    static let dataDir = OptionDeclaration("data-dir", nil, "DIR", .folder, help: "Folder of the library.")
    static let cacheDir = OptionDeclaration("cache-dir", nil, "DIR", .folder, help: "Folder of the episode cache.")
    static let socket = OptionDeclaration("socket", nil, "PATH", .file, help: "Path of the control socket.")
    static let output = OptionDeclaration("output", nil, "SPEC", help: "Sound output: \(OutputKind.usage()).")
    static let logLevel = OptionDeclaration(
        "log-level", nil, "LEVEL",
        help: "Log level: error, warning, notice, info or debug; notice,playback=debug for one section.")

    static let program = ProgramDeclaration(
        "podcastd", "Play podcasts as a service.",
        details: [
            "Keeps a library of feeds and episodes and a queue, plays episodes, and answers on its control socket. It runs in "
                + "the foreground until SIGTERM or SIGINT; SIGHUP reloads the config file.",
            "It is controlled by podcastctl and other clients. Feeds are fetched by podcast-refresh, audio is decoded by "
                + "podcast-decode; both must be in the same directory.",
        ],
        options: [SettingsReader.configOption, dataDir, cacheDir, socket, output, logLevel],
        subcommands: SubcommandList { [CheckCommand.declaration] }, runsWithoutCommand: true,
        manual: ManualNotes(
            section: 8,
            statuses: [
                .success, .usage, .badData, .noInput, .unavailable, .cannotCreate, .ioError, .tryAgain, .configuration,
            ],
            environment: [
                ("STATE_DIRECTORY, CACHE_DIRECTORY, RUNTIME_DIRECTORY", "Folders, set by systemd."),
                ("XDG_DATA_HOME, XDG_CACHE_HOME, XDG_RUNTIME_DIR", "Folders of a user's daemon."),
                ("NOTIFY_SOCKET, WATCHDOG_USEC, LISTEN_FDS", "Set by systemd; see sd_notify(3)."),
            ],
            files: [
                ("DATA/library.db", "Feeds, episodes, queue and positions."),
                ("DATA/backups/", "Backups of the library; see podcastctl backup."),
                ("DATA/library.db.vN.backup", "The library as it was before an update of its schema."),
                ("DATA/settings", "Settings made by clients."),
                ("/etc/podcastd.conf", "Settings; see podcastd.conf(5)."),
            ],
            seeAlso: ["podcastctl(1)", "podcast-refresh(1)", "podcastd.conf(5)", "podcastd-protocol(7)"]))

    static let settings: [(option: OptionDeclaration, key: String)] = [
        (dataDir, "daemon.data_dir"), (cacheDir, "daemon.cache_dir"), (output, "output.sink"),
        (logLevel, "daemon.log_level"),
    ]
}
