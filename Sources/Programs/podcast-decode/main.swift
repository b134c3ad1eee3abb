internal import DecoderProtocol
internal import DecoderSandbox
internal import Glibc
internal import MPEGDecoding
internal import MediaPorts

// Only the player starts this program, and passes the descriptors listed in DecoderProtocol.
exit(
    DecoderProgram.run(CommandLine.arguments, .mpeg, sample: SilentSample.bytes) { () throws(DecoderError) in
        try MPEGDecoder()
    })
