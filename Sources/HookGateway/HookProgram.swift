internal import CommandLineTool
internal import Configuration
internal import ControlClient
internal import ControlLanguage
internal import GatewayKit
internal import PodcastModel
internal import SystemCalls

/// podcast-hooks, from command line to exit status.
public enum HookProgram {
    private static let config = HookSettings.file.option("Events and programs")
    private static let check = OptionDeclaration(
        flag: "check", help: "Check the file, print the programs of each event, and exit.")

    private static var program: ProgramDeclaration {
        .gateway(
            "podcast-hooks", "Run programs on events of the podcast player.",
            details: [
                "Each line below [hooks] of the file is 'EVENT = PROGRAM ARGUMENT…'; an event may have several lines. PROGRAM is "
                    + "an absolute path. Arguments with spaces are enclosed in double quotation marks; there is no shell.",
                "The program reads the event from standard input: one line of JSON with 'event', 'time' and, depending on the "
                    + "event, 'episode' or 'episodes' (as in podcastd-protocol(7)), 'state', 'position', 'duration' and 'reason'. It "
                    + "inherits no other descriptor and a small environment, with PODCASTD_EVENT and PODCASTD_SOCKET. "
                    + "What it writes is logged line by line, and its exit status if that is not 0.",
                "Events:",
            ] + HookEvent.allCases.map { "\($0.rawValue): \($0.help)" },
            options: [config, check],
            ManualNotes(
                statuses: [.success, .usage, .software, .protocolFault, .noPermission, .configuration],
                files: [HookSettings.file.note],
                examples: [
                    ("podcast-hooks --check", "Report unknown events and missing programs."),
                    ("new-episodes = /usr/local/bin/announce --short", "A line for the file."),
                ], seeAlso: ["podcastctl(1)", "podcastd(8)", "podcastd-protocol(7)"]))
    }

    public static func main() -> Int32 {
        program.runGateway { launch throws(ToolFailure) in
            let settings = try HookSettings.file.read(
                explicit: launch.parsed.text(config), isRequired: true, check: { $0.hooks.compactMap(problem) })
            if launch.parsed.isSet(check) {
                for hook in settings.hooks {
                    let words = ([hook.program] + hook.arguments).joinedText(" ")
                    launch.output.line("\(hook.event.rawValue): \(SafeText.line(words))")
                }
                return
            }
            let socket = launch.socket
            let connection = ControlConnection(reconnectingTo: socket, restrictedTo: .read)
            try HookRunner(connection: connection, settings: settings, environment: environment(socket)) { line in
                try? FileDescriptor.write(2, Array("podcast-hooks: \(line)\n".utf8))
            }.run()
        }
    }

    /// What programs get: enough for podcastctl, notify-send and programs with messages in the user's language.
    private static func environment(_ socket: String) -> [String] {
        Launch.inherited(["DBUS_SESSION_BUS_ADDRESS", "HOME", "LANG", "LC_ALL", "LOGNAME", "USER", "XDG_RUNTIME_DIR"])
            + ["PATH=/usr/local/bin:/usr/bin:/bin", "PODCASTD_SOCKET=\(socket)"]
    }

    private static func problem(_ hook: Hook) -> SettingProblem? {
        do throws(SystemError) {
            guard try FileStatus(path: hook.program).isRegular else {
                return SettingProblem(line: hook.line, message: "\(SafeText.line(hook.program)): not a file")
            }
            try FileAccess.execute.check(hook.program)
            return nil
        } catch {
            return SettingProblem(line: hook.line, message: "\(SafeText.line(hook.program)): \(error.reason)")
        }
    }
}
