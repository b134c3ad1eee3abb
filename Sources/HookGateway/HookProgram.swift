internal import CommandLineTool
internal import ControlClient
internal import GatewayKit
internal import Glibc
internal import PodcastModel
internal import SystemCalls

/// podcast-hooks, from command line to exit status.
public enum HookProgram {
    /// - Returns: the exit status of the process.
    public static func main() -> Int32 {
        CurrentProcess.ignore(SIGPIPE)
        return program.run { parsed, output throws(ToolFailure) in
            let settings: HookSettings = try SettingsFile.read(
                "hooks.conf", explicit: parsed.text(config), isRequired: true, variable: CurrentProcess.variable,
                check: { $0.hooks.compactMap(problem) })
            if parsed.isSet(check) {
                for hook in settings.hooks {
                    try output.line(
                        "\(hook.event.rawValue): \(SafeText.line(([hook.program] + hook.arguments).joined(separator: " ")))"
                    )
                }
                return .success
            }
            let place = SocketDiscovery(explicit: parsed.text(socket), variable: CurrentProcess.variable)
            let runner = HookRunner(settings: settings, environment: environment(place.path)) { line in
                try? FileDescriptor.write(2, Array("podcast-hooks: \(line)\n".utf8))
            }
            let source = HookSource(connection: ControlConnection(reconnectingTo: place.path)) { runner.run($0) }
            try HookService(source: source, runner: runner).run()
            return .success
        }.rawValue
    }

    /// What programs get: enough for podcastctl, notify-send and programs with messages in the user's language.
    private static func environment(_ socket: String) -> [String] {
        Launch.inherited(["DBUS_SESSION_BUS_ADDRESS", "HOME", "LANG", "LC_ALL", "LOGNAME", "USER", "XDG_RUNTIME_DIR"])
            + ["PATH=/usr/local/bin:/usr/bin:/bin", "PODCASTD_SOCKET=\(socket)"]
    }

    /// Why a program cannot be run.
    private static func problem(_ hook: Hook) -> SettingsProblem? {
        do throws(SystemError) {
            guard case .regular = try FileKind(at: hook.program) else {
                return SettingsProblem(line: hook.line, "\(SafeText.line(hook.program)): not a file")
            }
            try FileAccess.execute.check(hook.program)
            return nil
        } catch {
            return SettingsProblem(line: hook.line, "\(SafeText.line(hook.program)): \(error.reason)")
        }
    }
}
