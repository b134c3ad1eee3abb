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
            try Confinement.enter(decoder.sandbox, descriptors: DecoderDescriptors.limit)
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
            guard let fault = SelfTest.fault(of: try makeDecoder(), decoder.sandbox, sample: sample) else {
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
            try Confinement.enter(decoder.sandbox, descriptors: DecoderDescriptors.limit)
        } catch {
            say("\(error)")
            return EX_OSERR
        }
        act.attempt()
        say("the sandbox did not prevent: \(act.rawValue)")
        return EX_SOFTWARE
    }

    private func say(_ message: String) {
        try? FileDescriptor.write(2, Array("\(decoder.executable): \(message)\n".utf8))
    }
}
