internal import CommandLineTool
internal import Configuration
internal import GatewayKit
internal import PodcastModel
internal import SystemCalls

/// podcast-sync, from command line to exit status.
public enum SyncProgram {
    private static let config = SyncSettings.file.option("Accounts")
    private static let check = OptionDeclaration(flag: "check", help: "Check the file, print the accounts, and exit.")

    private static var program: ProgramDeclaration {
        .gateway(
            "podcast-sync", "Synchronize the podcast player with servers.",
            details: [
                "Keeps subscriptions, positions and played marks the same here and on servers, and so on every phone that uses them. Each "
                    + "line below [accounts] of the file is 'NAME = KIND URL USER [PASSWORD]'. KIND is gpodder for a server with gPodder's "
                    + "interface, version 2, nextcloud for Nextcloud with GPodder Sync, or podcastd for podcast-web of another podcastd, whose URL may be zeroconf:NAME if its web.conf announces that name.",
                "A password that is not in the file comes from the service manager's credential sync-NAME, or is asked for on a terminal.",
                "If both sides have data, the first synchronization waits for your consent: 'podcastctl sync try' shows its changes, and "
                    + "'podcastctl sync now' starts it. 'podcastctl sync' shows the accounts.",
                "The later of two changes wins. The history keeps replaced positions, and 'podcastctl undo' restores them. Servers other "
                    + "than podcastd do not store the times of subscriptions, so your own changes since the last synchronization win.",
                "SIGHUP reads the file again.",
            ], options: [config, check],
            ManualNotes(
                statuses: [.success, .usage, .software, .protocolFault, .noPermission, .configuration],
                environment: [
                    ("CREDENTIALS_DIRECTORY", "Set by systemd: where the files sync-NAME with passwords are.")
                ],
                files: [SyncSettings.file.note],
                examples: [
                    (
                        "home = nextcloud https://cloud.example.org alice", "A line for the file, without the password."
                    ),
                    ("podcast-sync --check", "Report what is wrong with the file."),
                ], seeAlso: ["podcastctl(1)", "podcastd(8)", "podcast-web(1)"]))
    }

    public static func main() -> Int32 {
        program.runGateway { launch throws(ToolFailure) in
            let file = launch.parsed.text(config)
            if launch.parsed.isSet(check) {
                for account in try SyncSettings.file.read(explicit: file, isRequired: true).accounts {
                    launch.output.line(
                        SafeText.line(
                            "\(account.name): \(account.kind.rawValue), \(account.user) at \(account.address)"))
                }
                return
            }
            try SyncRunner(socket: launch.socket) { () throws(ToolFailure) in try settings(file) }.run()
        }
    }

    /// The settings with all passwords.
    private static func settings(_ file: String?) throws(ToolFailure) -> SyncSettings {
        var settings = try SyncSettings.file.read(explicit: file, isRequired: true)
        if settings.accounts.isEmpty {
            throw ToolFailure(.configuration, "sync.conf has no accounts", hint: "see podcast-sync(1)")
        }
        for index in settings.accounts.indices {
            settings.accounts[index].password = try password(of: settings.accounts[index])
        }
        return settings
    }

    private static func password(of account: AccountSettings) throws(ToolFailure) -> String {
        if let password = account.password { return password }
        if let folder = CurrentProcess.variable("CREDENTIALS_DIRECTORY"),
            let bytes = try? StoredFile.contents(of: "\(folder)/sync-\(account.name)", limit: 4096)
        {
            return String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
        }
        guard TerminalInput.isTerminal(0) else {
            throw ToolFailure(
                .configuration, "account '\(account.name)' has no password",
                hint:
                    "write the password to the end of its line in sync.conf, or give the service the credential sync-\(account.name)"
            )
        }
        return try SecretInput.line(
            prompt: "Password of '\(account.user)' at \(account.address): ", on: ToolStreams.standard.errors)
    }

    /// `podcastd-HOST`, of characters that every server takes.
    static var deviceName: String {
        let plain = CurrentProcess.hostName.lowercased().filter {
            $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-")
        }
        return "podcastd-" + plain.prefix(40)
    }

    static func log(_ line: String) {
        try? FileDescriptor.write(2, Array("podcast-sync: \(SafeText.line(line))\n".utf8))
    }
}
