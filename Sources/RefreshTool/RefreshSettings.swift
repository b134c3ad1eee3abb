internal import CommandLineTool
internal import Configuration
internal import HTTP
internal import LibraryModel

/// What command line and settings say about a run.
struct RefreshSettings {
    /// Where the library is.
    let folder: DataFolder
    /// What clients set, by the names of the settings.
    let ofClients: [ClientSetting]
    /// How many feeds are fetched at once.
    let jobs: Int
    /// What all fetches share.
    let network: HTTPSettings
    /// Which directories may be asked.
    let directories: DirectorySettings

    /// Reads the files that the daemon reads too.
    ///
    /// - Throws: `configuration` when the config file is wrong, or no folder for the library is known.
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
            settings.value(of: declaration.key, from: .client).map { .init(name: declaration.key, value: $0) }
        }
        jobs = arguments.integer(RefreshDeclaration.jobs).map { Int($0) } ?? settings.integer("refresh.jobs")
        directories = DirectorySettings(settings, variable: environment.variable)
        network = HTTPSettings(
            userAgent: ProductVersion.userAgent(contact: settings.text("network.contact")),
            proxy: settings.text("network.proxy"), certificateFile: settings.text("network.ca_file"),
            maximumIdleConnections: jobs, privateHosts: PrivateHosts(settings.text("network.private_hosts") ?? ""))
    }
}
