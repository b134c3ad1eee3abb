internal import AudioOutput
internal import CommandLineTool
internal import Glibc
internal import MediaPorts
internal import PodcastModel
internal import SystemCalls

/// `podcast-play`, from command line to exit status.
public enum PlayProgram {
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
        try ToolFailure.wrapping(.software) { try SignalDescriptor(catching: [SIGINT, SIGTERM, SIGHUP]) }
    }
}

extension MediaFailure {
    /// The exit status after this failure of a path or URL, the same as of podcastctl's 'play'.
    func exitStatus(of input: String) -> CommandLineTool.ExitStatus {
        let isRemote = input.contains("://") && !FileAddress.isFile(input)
        return switch kind {
        case .notFound: isRemote ? .unavailable : .noInput
        case .forbidden: isRemote ? .unavailable : .noPermission
        case .network: .tryAgain
        case .notAudio, .damaged: .badData
        case .changed: .tryAgain
        case .storage, .sink, .noOutput: .ioError
        case .decoder: .unavailable
        case .internal: .software
        }
    }
}

/// The command line of `podcast-play`, from which help, manual page and completions are made.
enum PlayDeclaration {
    static let output = OptionDeclaration(
        "output", "o", "SPEC",
        help: "Output: \(OutputKind.usage(withDaemon: false)) (default: alsa).")
    static let unpaced = OptionDeclaration(
        flag: "unpaced", help: "Do not play files, pipes and null in real time.")
    static let start = OptionDeclaration("start", nil, "TIME", .time, help: "Start each file at this time.")
    static let end = OptionDeclaration("end", nil, "TIME", .time, help: "Stop each file at this time.")
    static let speed = OptionDeclaration("speed", nil, "X", help: "Playback speed from 0.5 to 4; the pitch is kept.")
    static let noDSP = OptionDeclaration(flag: "no-dsp", help: "Play the decoded samples unchanged.")
    static let json = OptionDeclaration(
        flag: "json", help: "Write JSON to stdout: one object per line while playing, one document for probe.")
    static let inputs = ArgumentDeclaration("FILE|URL", .file, isRepeatable: true, help: "What to play, in order.")

    static let contentType = OptionDeclaration(
        "content-type", nil, "TYPE", help: "Media type of the file; the content takes precedence.")
    static let decode = OptionDeclaration(
        "decode", nil, "PATH", .file,
        help: "Also write the decoded audio: signed 16 bit, little endian, in the file's first format.")
    static let input = ArgumentDeclaration("FILE|URL", .file, help: "The file to describe.")

    static let probe = SubcommandDeclaration(
        ["probe"], "Describe a file.", group: "Commands",
        details: [
            "Decodes the whole file, which measures its length and finds changes of format and damage.",
            "If the file is not audio, the exit status is 65, or 0 with --json.",
        ],
        options: [contentType, decode], arguments: [input])

    static let program = ProgramDeclaration(
        "podcast-play", "Play files and URLs in the foreground.",
        details: [
            "Needs neither daemon nor library, and leaves no files behind. Plays MP3, AAC, Opus, Vorbis, FLAC, ALAC and WAV, and the sound of video files.",
            "Ctrl-C stops playback; the exit status is 0.",
        ],
        options: [output, unpaced, start, end, speed, noDSP, json], arguments: [inputs],
        subcommands: SubcommandList { [probe] }, runsWithoutCommand: true,
        manual: ManualNotes(
            statuses: [
                .success, .usage, .badData, .noInput, .unavailable, .software, .ioError, .tryAgain, .noPermission,
            ],
            environment: [
                ("TMPDIR", "Directory for temporary files (default: /tmp).")
            ],
            examples: [
                ("podcast-play episode.mp3", "Plays a file on the default sound device."),
                (
                    "podcast-play --unpaced --output wav:clip.wav --start 10:00 --end 11:30 https://example.org/e.mp3",
                    "Writes a part of an episode to a file."
                ),
                ("podcast-play probe --json episode.mp3", "Describes a file."),
            ],
            seeAlso: ["podcastd(8)", "podcastctl(1)"]))
}
