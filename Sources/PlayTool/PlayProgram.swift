internal import AudioOutput
internal import CommandLineTool
internal import Glibc
internal import MediaPorts
internal import PodcastModel
internal import SystemCalls

/// `podcast-play`, from command line to exit status.
public enum PlayProgram {
    /// Runs the program on the main thread.
    ///
    /// - Parameter arguments: the command line without the program's name.
    /// - Returns: the exit status.
    public static func run(_ arguments: [String] = Array(CommandLine.arguments.dropFirst())) -> Int32 {
        PlayDeclaration.program.run(arguments, streams: .standard.reporting(asAskedBy: arguments)) {
            (parsed, output) throws(ToolFailure) in
            if parsed.subcommand == PlayDeclaration.probe {
                return try Probe(parsed).run(output)
            }
            return try PlayRun(parsed).run(output)
        }.rawValue
    }

    /// Signals from a terminal, from systemd, or at the end of a session.
    static func catchSignals() throws(ToolFailure) -> SignalDescriptor {
        do throws(SystemError) {
            return try SignalDescriptor(catching: [SIGINT, SIGTERM, SIGHUP])
        } catch {
            throw ToolFailure(.software, error.description)
        }
    }
}

extension MediaFailure {
    /// The exit status after a playback failure, the same as of podcastctl's 'play'.
    ///
    /// - Parameter input: the path or URL that failed.
    func exitStatus(of input: String) -> CommandLineTool.ExitStatus {
        let isRemote = input.contains("://") && !FileAddress.isFile(input)
        return switch kind {
        case .notFound: isRemote ? .unavailable : .noInput
        case .forbidden: isRemote ? .unavailable : .noPermission
        case .network: .tryAgain
        case .notAudio, .damaged: .badData
        case .changed: .tryAgain
        case .storage, .sink: .ioError
        case .internal: .software
        }
    }
}
