internal import CommandLineTool
internal import Configuration
internal import FeedDocuments
internal import HTTP
internal import Library
internal import SystemCalls

/// The settings of a run, from the command line and the files that the daemon reads too.
struct RefreshSettings {
    let folder: DataFolder
    let ofClients: [ClientSetting]
    /// Maximum number of feeds that are fetched at the same time.
    let jobs: Int
    let network: HTTPSettings
    let directories: DirectorySettings

    /// - Throws: `configuration` if the config file is wrong, or no folder for the library is known.
    init(_ arguments: ParsedArguments, _ environment: RefreshEnvironment, tell: (SettingProblem) -> Void)
        throws(ToolFailure)
    {
        let reader = SettingsReader(
            arguments: arguments, options: [(RefreshDeclaration.dataFolder, "daemon.data_dir")],
            variable: environment.variable)
        let own = try reader.read(report: tell)
        folder = try DataFolder(settings: own, variable: environment.variable, isRoot: environment.isRoot)
        let settings = reader.addClientSettings(to: own, from: folder, report: tell)
        ofClients = SettingTable.all.compactMap { declaration in
            settings.value(of: declaration.key, from: .client).map { .init(.key(declaration.key), $0) }
        }
        jobs = arguments.integer(RefreshDeclaration.jobs).map { Int($0) } ?? settings.integer("refresh.jobs")
        directories = DirectorySettings(settings, variable: environment.variable)
        network = HTTPSettings(
            userAgent: ProductVersion.userAgent(contact: settings.text("network.contact")),
            proxy: settings.text("network.proxy"), certificateFile: settings.text("network.ca_file"),
            maximumIdleConnections: jobs, privateHosts: PrivateHosts(settings.text("network.private_hosts") ?? ""))
    }
}

/// Which directories may be asked, where they are, and with what key.
struct DirectorySettings {
    private let settings: Settings
    let key: PodcastIndexKey?
    /// The file of the key, if the file cannot be used.
    let badKeyFile: String?

    /// The key is in a separate file, which systemd may pass as the credential `podcast-index`, because every client can
    /// read the settings.
    init(_ settings: Settings, variable: (String) -> String?) {
        self.settings = settings
        let credential = variable("CREDENTIALS_DIRECTORY").map { $0 + "/podcast-index" }
        let file =
            settings.text("directories.podcast_index_key_file")
            ?? credential.flatMap { FileAccess().isAllowed($0) ? $0 : nil }
        key = file.flatMap { try? InputFile($0).text(upTo: 4096) }.flatMap(PodcastIndexKey.init(file:))
        badKeyFile = key == nil ? file : nil
    }

    /// Whether a directory may be asked, key or not.
    func isOn(_ directory: Directory) -> Bool { settings["directories.\(directory.rawValue)"] == "on" }

    /// The directories that are on and can be asked.
    var usable: [Directory] { Directory.allCases.filter { isOn($0) && ($0 != .podcastIndex || key != nil) } }

    /// The base URL of a directory, without a slash at the end.
    func address(of directory: Directory) -> String {
        let text = settings["directories.\(directory.rawValue)_url"]
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}

/// What `podcast-refresh` needs of the world around it.
struct RefreshEnvironment {
    /// Looks up an environment variable; nil when it is unset or empty.
    var variable: (String) -> String?
    /// Whether the system's library is meant where nothing else says so.
    var isRoot: Bool
    var clock: any RefreshClock
    var errors: ToolOutput
    /// What is behind `errors`.
    var errorTerminal: Terminal
    /// Makes the network, when one is needed.
    var makeTransport: (HTTPSettings) throws(ToolFailure) -> any FeedTransport
    var limits = FetchLimits()
    /// Sleeps between two tries for the lock.
    var pause: (Duration) -> Void
    /// Path of the program that decodes pictures.
    var pictureDecoder: () throws(SystemError) -> String = { () throws(SystemError) in
        try Launch.sibling("podcast-decode-av")
    }
    /// How long to wait for another refresh to end.
    var lockPatience = Duration.seconds(5)

    static func ofProcess() -> RefreshEnvironment {
        RefreshEnvironment(
            variable: CurrentProcess.variable, isRoot: CurrentProcess.effectiveUser == 0, clock: SystemClock(),
            errors: ToolStreams.standard.errors, errorTerminal: Terminal(descriptor: 2),
            makeTransport: { settings throws(ToolFailure) in
                try ToolFailure.wrapping(.software) { try HTTPMulti(settings: settings) }
            },
            pause: CurrentProcess.sleep)
    }
}
