public import SystemCalls

/// A sandboxed process that encodes 16-bit stereo of 48 kHz. Sound that does not come in time is silence. Killed by `deinit`.
public final class EncodedSound {
    private let process: ChildProcess
    /// Readable when there are encoded bytes, or the sound has ended.
    public let output: FileDescriptor

    /// - Parameters:
    ///   - form: `mp3` or `opus`.
    ///   - input: the descriptor from which the process reads the sound.
    public init(_ form: String, from input: Int32) throws(SystemError) {
        let pipe = try Pipe()
        let launch = Launch(
            try Launch.sibling("podcast-decode-av"), ["--encode", form],
            descriptors: [DescriptorMapping(input, to: 0), DescriptorMapping(pipe.writing.raw, to: 1)])
        process = try ChildProcess(launch)
        output = pipe.closingWriting()
    }
}
