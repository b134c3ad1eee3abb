internal import ChildProcess
internal import CommandLineTool
internal import ControlClient
internal import Glibc
internal import HookModel
internal import PodcastModel
internal import SystemCalls

/// podcast-hooks, from command line to exit status.
public enum HookProgram {
    /// - Returns: the exit status of the process.
    public static func main() -> Int32 {
        CurrentProcess.ignore(SIGPIPE)
        return program.run { parsed, output throws(ToolFailure) in
            let path = try configPath(parsed.text(config))
            let settings = try settings(path)
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
            try HookLoop(source: source, runner: runner).run()
            return .success
        }.rawValue
    }

    /// What programs get: enough for podcastctl, notify-send and programs with messages in the user's language.
    private static func environment(_ socket: String) -> [String] {
        Launch.inherited(["DBUS_SESSION_BUS_ADDRESS", "HOME", "LANG", "LC_ALL", "LOGNAME", "USER", "XDG_RUNTIME_DIR"])
            + ["PATH=/usr/local/bin:/usr/bin:/bin", "PODCASTD_SOCKET=\(socket)"]
    }

    private static func configPath(_ explicit: String?) throws(ToolFailure) -> String {
        if let explicit { return explicit }
        guard let file = StandardFolders(CurrentProcess.variable).configFile else {
            throw ToolFailure(.configuration, "HOME is not set", hint: "name the file with --config")
        }
        return StoredFile.folder(of: file) + "/hooks.conf"
    }

    /// - Throws: every problem of the file, one a line, with programs that are missing.
    private static func settings(_ path: String) throws(ToolFailure) -> HookSettings {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try StoredFile.contents(of: path, limit: 1 << 20)
        } catch {
            throw ToolFailure(.configuration, "\(path): \(error.reason)", hint: "podcast-hooks(1) has an example")
        }
        let settings = HookSettings(parsing: String(decoding: bytes, as: UTF8.self))
        let problems = (settings.problems + settings.hooks.compactMap(problem)).sorted { $0.line < $1.line }
        guard problems.isEmpty else {
            throw ToolFailure(.configuration, problems.map { "\(path), \($0)" }.joined(separator: "\n"))
        }
        return settings
    }

    /// Why a program cannot be run.
    private static func problem(_ hook: Hook) -> HookSettings.Problem? {
        do throws(SystemError) {
            guard case .regular = try FileKind(at: hook.program) else {
                return .init(line: hook.line, "\(SafeText.line(hook.program)): not a file")
            }
            try FileAccess.execute.check(hook.program)
            return nil
        } catch {
            return .init(line: hook.line, "\(SafeText.line(hook.program)): \(error.reason)")
        }
    }
}
