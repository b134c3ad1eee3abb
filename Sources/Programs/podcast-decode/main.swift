internal import DecoderSandbox
internal import Glibc
internal import MPEGDecoding
internal import MediaPorts

// Started by the player only, with the descriptors of DecoderProtocol.
exit(
    DecoderProgram.run(CommandLine.arguments, sample: SilentSample.bytes) { () throws(DecoderError) in try MPEGDecoder()
    })
