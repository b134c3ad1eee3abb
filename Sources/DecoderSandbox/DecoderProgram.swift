public import DecoderProtocol
internal import Glibc
public import MediaPorts
internal import SystemCalls

/// The main program of a decoder executable.
public struct DecoderProgram {
    /// Confines the process and decodes until the host closes the socket.
    /// - Parameters:
    ///   - arguments: `--prove ACT` tries a `ForbiddenAct` instead of decoding, `--self-test` decodes the sample.
    ///   - makeDecoder: called before the process is confined.
    /// - Returns: the exit status (sysexits.h).
    public static func run(
        _ arguments: [String], _ decoder: DecoderKind, sample: @autoclosure () -> [UInt8],
        makeDecoder: () throws(DecoderError) -> any Decoder
    ) -> Int32 {
        DecoderProgram(decoder: decoder).run(arguments, sample: sample(), makeDecoder: makeDecoder)
    }

    private let decoder: DecoderKind

    private func run(
        _ arguments: [String], sample: @autoclosure () -> [UInt8], makeDecoder: () throws(DecoderError) -> any Decoder
    ) -> Int32 {
        if !Confinement.isEnforced { say("built without its sandbox; only for tests") }
        if arguments.count == 3, arguments[1] == "--prove", let act = ForbiddenAct(rawValue: arguments[2]) {
            return prove(act)
        }
        if arguments.dropFirst() == ["--help"] {
            print("\(decoder.executable) decodes \(decoder.purpose) for podcastd and podcast-play, which start it.")
            print("For tests: --prove ACT  Try an act that the sandbox must prevent.")
            print("           --self-test  Enter the sandbox and decode a short sample.")
            print("ACT: \(ForbiddenAct.allCases.map(\.rawValue).joined(separator: ", "))")
            return EX_OK
        }
        if arguments.dropFirst() == ["--self-test"] { return testItself(sample(), makeDecoder) }
        guard arguments.count == 1, (try? sizeOfFile(DecoderDescriptors.inherited.memory)) != nil else {
            say("only podcastd and podcast-play can start this program")
            return EX_USAGE
        }
        do throws(DecoderError) {
            return serve(try makeDecoder())
        } catch {
            say("\(error)")
            return EX_SOFTWARE
        }
    }

    private func serve(_ codec: any Decoder) -> Int32 {
        do throws(SystemError) {
            let service = try DecodeService(codec)
            try Confinement.enter(decoder)
            try service.run()
            return EX_OK
        } catch {
            say("\(error)")
            return EX_IOERR
        }
    }

    private func testItself(
        _ sample: [UInt8], _ makeDecoder: () throws(DecoderError) -> any Decoder
    ) -> Int32 {
        do throws(DecoderError) {
            guard let fault = SelfTest.fault(of: try makeDecoder(), decoder, sample: sample) else {
                return EX_OK
            }
            say(fault)
        } catch {
            say("\(error)")
        }
        return EX_SOFTWARE
    }

    private func prove(_ act: ForbiddenAct) -> Int32 {
        do throws(SystemError) {
            try Confinement.enter(decoder)
        } catch {
            say("\(error)")
            return EX_OSERR
        }
        act.attempt()
        say("the sandbox did not prevent: \(act.rawValue)")
        return EX_SOFTWARE
    }

    private func say(_ message: String) { decoder.say(message) }
}

/// Decodes a sample inside the sandbox, to find an incompatible kernel, library or filter before the first episode.
enum SelfTest {
    private static let maximumSteps = 200
    /// Bytes of PCM for one step.
    private static let room = 64 << 10

    /// Confines the process permanently and decodes the sample. Returns the failure, if any.
    static func fault(of decoder: any Decoder, _ kind: DecoderKind, sample: [UInt8]) -> String? {
        guard Confinement.isEnforced else { return "built without its sandbox; only for tests" }
        do throws(SystemError) {
            try Confinement.enter(kind)
        } catch {
            return "cannot enter its sandbox: \(error)"
        }
        let sound = Result { () throws(DecoderError) in try soundBytes(of: decoder, sample) }
        switch sound {
        case .success(let bytes): return bytes > 0 ? nil : "decoded no audio from its sample"
        case .failure(let error): return "cannot decode its sample: \(error)"
        }
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
        do throws(SystemError) {
            let input = try readInput(mostBytes)
            try Confinement.enter(decoder)
            let output = Result { try convert(input) }
            switch output {
            case .success(let bytes): try FileDescriptor.write(STDOUT_FILENO, bytes)
            case .failure(let error):
                decoder.say("\(error)")
                return EX_DATAERR
            }
            return EX_OK
        } catch {
            decoder.say("\(error)")
            return EX_IOERR
        }
    }

    private static func readInput(_ mostBytes: Int) throws(SystemError) -> [UInt8] {
        var input: [UInt8] = []
        while input.count < mostBytes {
            let more = try FileDescriptor.read(STDIN_FILENO, upTo: min(1 << 20, mostBytes - input.count))
            if more.isEmpty { break }
            input += more
        }
        return input
    }
}

extension DecoderKind {
    fileprivate func say(_ message: String) {
        try? FileDescriptor.write(STDERR_FILENO, Array("\(executable): \(message)\n".utf8))
    }
}
