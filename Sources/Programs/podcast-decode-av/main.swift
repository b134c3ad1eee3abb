internal import AVDecoding
internal import DecoderProtocol
internal import DecoderSandbox
internal import Glibc
internal import PodcastModel

// Only the player and podcast-refresh start this program: the player with the descriptors listed in DecoderProtocol,
// podcast-refresh with `--picture SIDE FORMAT`, a picture as standard input and its copy of SIDE pixels as standard output.
if CommandLine.arguments.count == 4, CommandLine.arguments[1] == "--picture",
    let side = Int(CommandLine.arguments[2]), CoverPicture.sides.contains(side),
    let format = PictureFormat(rawValue: CommandLine.arguments[3])
{
    let picture = CoverPicture(PictureForm(format, side: side))
    exit(SandboxedFilter.run(.picture, mostBytes: CoverPicture.mostBytes) { try picture.copy(of: $0) })
}
// podcast-web starts it with `--encode FORM`: 16-bit stereo of 48 kHz as standard input, the stream as standard output.
if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "--encode",
    let encoder = try? SoundEncoder(CommandLine.arguments[2])
{
    exit(
        SandboxedFilter.run(.av, frames: encoder.frameCount, frameSize: 4, rate: 48_000) { try encoder.encode($0) })
}
exit(DecoderProgram.run(CommandLine.arguments, .av, sample: SilentWave.bytes) { AVDecoder() })
