public import CommandLineTool

/// The command line of `podcast-play`, from which help, manual page and completions are made.
public enum PlayDeclaration {
    static let output = OptionDeclaration(
        "output", "o", "SPEC",
        help: "Where the sound goes: alsa[:DEVICE], pipe:COMMAND, fifo:PATH, wav:PATH, raw:PATH or null.")
    static let unpaced = OptionDeclaration(
        flag: "unpaced", help: "Let files, pipes and null run as fast as they can.")
    static let start = OptionDeclaration("start", nil, "TIME", .time, help: "Begin there in each file.")
    static let end = OptionDeclaration("end", nil, "TIME", .time, help: "End there in each file.")
    static let noDSP = OptionDeclaration(flag: "no-dsp", help: "Play the samples as they were decoded.")
    static let json = OptionDeclaration(
        flag: "json", help: "Write JSON to stdout: one object a line while playing, one document for probe.")
    static let inputs = ArgumentDeclaration("FILE|URL", .file, count: .some, help: "What to play, in order.")

    static let contentType = OptionDeclaration(
        "content-type", nil, "TYPE", help: "The type with which the file was served; a hint that the bytes overrule.")
    static let decode = OptionDeclaration(
        "decode", nil, "PATH", .file,
        help: "Also write the whole decode: signed 16 bit, little endian, in the file's first format.")
    static let quick = OptionDeclaration(flag: "quick", help: "Look at the beginning only.")
    static let input = ArgumentDeclaration("FILE|URL", .file, help: "What to look at.")

    static let probe = SubcommandDeclaration(
        ["probe"], "Tell what is in a file.", group: "Commands",
        details: [
            "Decodes the whole file, so that its length is measured, changes of format inside it are found and damage shows.",
            "With --json a file that is no audio is an answer and the status is 0; otherwise the status is 65 then.",
        ],
        options: [contentType, decode, quick], arguments: [input])

    /// The program.
    public static let program = ProgramDeclaration(
        "podcast-play", "Play files and URLs in the foreground.",
        details: [
            "Needs neither daemon nor library, and leaves nothing behind. MPEG audio is played; other codecs are named.",
            "Ctrl-C stops; that is no failure.",
        ],
        options: [output, unpaced, start, end, noDSP, json], arguments: [inputs],
        subcommands: SubcommandList { [probe] }, runsWithoutCommand: true,
        manual: ManualNotes(
            statuses: [
                .success, .usage, .badData, .noInput, .unavailable, .software, .ioError, .tryAgain, .noPermission,
            ],
            environment: [
                ManualNotes.Item("TMPDIR", "Where episodes are kept while they are played; /tmp without it.")
            ],
            examples: [
                ManualNotes.Item("podcast-play episode.mp3", "Plays a file on the default sound device."),
                ManualNotes.Item(
                    "podcast-play --unpaced --output wav:clip.wav --start 10:00 --end 11:30 https://example.org/e.mp3",
                    "Writes a part of an episode to a file."),
                ManualNotes.Item("podcast-play probe --json episode.mp3", "Describes a file."),
            ],
            seeAlso: ["podcastd(8)", "podcastctl(1)"]))
}
