internal import AVDecoding
internal import DecoderProtocol
internal import DecoderSandbox
internal import Glibc

// Only the player starts this program, and passes the descriptors listed in DecoderProtocol.
exit(DecoderProgram.run(CommandLine.arguments, .av, sample: SilentWave.bytes) { AVDecoder() })
