public import DecoderProtocol
internal import Glibc
internal import PodcastModel
public import MediaPorts
internal import SystemCalls

/// The main program of a decoder executable.
public enum DecoderProgram {
    /// Confines the process and decodes until the host closes the socket.
    /// - Parameters:
    ///   - arguments: `--prove ACT` tries a `ForbiddenAct` instead of decoding, `--self-test` decodes the sample.
    ///   - makeDecoder: called before the process is confined.
    /// - Returns: the exit status (sysexits.h).
    public static func run(
        _ arguments: [String], _ decoder: DecoderKind, sample: @autoclosure () -> [UInt8],
        makeDecoder: () throws(DecoderError) -> any Decoder
    ) -> Int32 {
        if !Confinement.isEnforced { decoder.say("built without its sandbox; only for tests") }
        if arguments.count == 3, arguments[1] == "--prove", let act = ForbiddenAct(rawValue: arguments[2]) {
            return decoder.run(failure: EX_SOFTWARE) {
                try Confinement.enter(decoder)
                act.attempt()
                throw Fault(description: "the sandbox did not prevent: \(act.rawValue)")
            }
        }
        if arguments.dropFirst() == ["--help"] {
            print("\(decoder.executable) decodes \(decoder.purpose) for podcastd and podcast-play, which start it.")
            print("For tests: --prove ACT  Try an act that the sandbox must prevent.")
            print("           --self-test  Map a ring, enter the sandbox and decode a short sample.")
            print("ACT: \(ForbiddenAct.words.joinedText(", "))")
            return EX_OK
        }
        if arguments.dropFirst() == ["--self-test"] {
            return decoder.run(failure: EX_SOFTWARE) {
                try SelfTest.run(try makeDecoder(), decoder, sample: sample())
            }
        }
        guard arguments.count == 1, (try? FileStatus(of: DecoderDescriptors.inherited.memory).size) != nil else {
            decoder.say("only podcastd and podcast-play can start this program")
            return EX_USAGE
        }
        return decoder.run(failure: EX_IOERR) {
            let service = try DecodeService(try makeDecoder())
            try Confinement.enter(decoder)
            try service.run()
        }
    }
}

private struct Fault: Error, CustomStringConvertible {
    let description: String
}

/// Maps a ring and decodes a sample inside the sandbox, to find an incompatible kernel, library or filter before the first episode.
private enum SelfTest {
    private static let maximumSteps = 200
    /// Bytes of PCM for one step.
    private static let room = 64 << 10

    /// Confines the process permanently and decodes the sample.
    static func run(_ decoder: any Decoder, _ kind: DecoderKind, sample: [UInt8]) throws {
        guard Confinement.isEnforced else { throw Fault(description: "built without its sandbox; only for tests") }
        _ = try mapError(of: RingLayout.makeMemory()) { (error: SystemError) in
            Fault(description: "cannot map the memory for its audio: \(error)")
        }
        try mapError(of: Confinement.enter(kind)) { (error: SystemError) in
            Fault(description: "cannot enter its sandbox: \(error)")
        }
        do throws(DecoderError) {
            if try soundBytes(of: decoder, sample) > 0 { return }
        } catch {
            throw Fault(description: "cannot decode its sample: \(error)")
        }
        throw Fault(description: "decoded no audio from its sample")
    }

    private static func soundBytes(of decoder: any Decoder, _ sample: [UInt8]) throws(DecoderError) -> Int {
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 16)
        defer { output.deallocate() }
        _ = try decoder.open(BytesInput(sample))
        var sum = 0
        for _ in 0..<maximumSteps {
            switch try decoder.decode(into: output) {
            case .produced(let bytes, _): sum += bytes
            case .formatChanged: break
            case .ended: return sum
            }
        }
        return sum
    }
}

/// Converts standard input to standard output in the sandbox of a decoder.
public enum SandboxedFilter {
    /// Reads up to `mostBytes` of input, confines the process, and writes the result, or prints the error of `convert`.
    /// - Returns: the exit status (sysexits.h).
    public static func run(_ decoder: DecoderKind, mostBytes: Int, convert: ([UInt8]) throws -> [UInt8]) -> Int32 {
        decoder.run(failure: EX_IOERR) {
            let input = try FileDescriptor.read(STDIN_FILENO, upTo: mostBytes)
            try Confinement.enter(decoder)
            try FileDescriptor.write(STDOUT_FILENO, try convert(input))
        }
    }

    /// Confines the process, passes frames from standard input to `encode` until the input ends, and writes the results. Frames
    /// that do not come in time are silence, so that listeners stay connected.
    /// - Parameters:
    ///   - count: frames that `encode` takes.
    ///   - rate: in frames per second.
    public static func run(
        _ decoder: DecoderKind, frames count: Int, frameSize: Int, rate: Int,
        encode: (UnsafeRawBufferPointer) throws -> [UInt8]
    ) -> Int32 {
        decoder.run(failure: EX_IOERR) {
            try Confinement.enter(decoder)
            let patience = Duration.milliseconds(500)
            let time = Duration.nanoseconds(Int64(count) * 1_000_000_000 / Int64(rate))
            var input = [UInt8](repeating: 0, count: count * frameSize)
            var filled = 0
            var due = Instant.now + patience
            while true {
                if waitForDescriptors(readable: STDIN_FILENO, until: due) {
                    let more = try input.withUnsafeMutableBytes { bytes in
                        try readSome(STDIN_FILENO, into: UnsafeMutableRawBufferPointer(rebasing: bytes[filled...]))
                    }
                    if more == 0 { return }
                    filled += more ?? 0
                    due = max(due, .now + patience)
                } else {
                    for index in filled..<input.count { input[index] = 0 }
                    filled = input.count
                    due += time
                }
                guard filled == input.count else { continue }
                try FileDescriptor.write(STDOUT_FILENO, try input.withUnsafeBytes(encode))
                filled = 0
            }
        }
    }
}

extension DecoderKind {
    fileprivate func say(_ message: String) {
        try? FileDescriptor.write(STDERR_FILENO, Array("\(executable): \(message)\n".utf8))
    }

    /// - Returns: success, or `failure` after an error, which is printed.
    fileprivate func run(failure: Int32, _ body: () throws -> Void) -> Int32 {
        do {
            try body()
            return EX_OK
        } catch {
            say("\(error)")
            return failure
        }
    }
}
