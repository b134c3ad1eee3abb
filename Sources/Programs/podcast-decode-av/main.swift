internal import AVDecoding
internal import DecoderProtocol
internal import DecoderSandbox
internal import Glibc

// Only the player and podcast-refresh start this program: the player with the descriptors listed in DecoderProtocol,
// podcast-refresh with `--picture SIDE`, a picture as standard input and its copy of SIDE pixels as standard output.
if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "--picture",
    let side = Int(CommandLine.arguments[2]), CoverPicture.sides.contains(side)
{
    let picture = CoverPicture(longestSide: side)
    exit(SandboxedFilter.run(.av, mostBytes: CoverPicture.mostBytes) { try picture.jpeg(of: $0) })
}
exit(DecoderProgram.run(CommandLine.arguments, .av, sample: SilentWave.bytes) { AVDecoder() })
