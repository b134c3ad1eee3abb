internal import DecoderProtocol
internal import Glibc
public import MediaPorts
internal import SystemCalls

/// The whole of a decoder executable, for whichever decoder it links.
public enum DecoderProgram {
    /// Confines the process and decodes until the daemon hangs up.
    ///
    /// - Parameters:
    ///   - arguments: with the program's own name first. `--prove ACT` tries a `ForbiddenAct` instead of decoding, `--self-test`
    ///     decodes the sample.
    ///   - sample: a short, whole file of a kind that the decoder takes.
    ///   - makeDecoder: makes the decoder, before the process is confined.
    /// - Returns: the exit status, of sysexits.h.
    public static func run(
        _ arguments: [String], sample: @autoclosure () -> [UInt8], makeDecoder: () throws(DecoderError) -> any Decoder
    ) -> Int32 {
        if !Confinement.isEnforced { say("built without its sandbox; not for use") }
        if arguments.count == 3, arguments[1] == "--prove", let act = ForbiddenAct(rawValue: arguments[2]) {
            return prove(act)
        }
        if arguments.dropFirst() == ["--help"] {
            print("podcast-decode decodes MPEG audio for podcastd and podcast-play, which start it.")
            print("There is nothing to run by hand, but: --prove ACT  tries what its sandbox must not allow;")
            print("--self-test  confines itself and decodes some silence.")
            print("ACT: \(ForbiddenAct.allCases.map(\.rawValue).joined(separator: ", "))")
            return EX_OK
        }
        if arguments.dropFirst() == ["--self-test"] { return testItself(sample(), makeDecoder) }
        guard arguments.count == 1, (try? sizeOfFile(DecoderDescriptors.memory)) != nil else {
            say("started by podcastd and podcast-play only: it decodes what they hand over")
            return EX_USAGE
        }
        do throws(DecoderError) {
            return serve(try makeDecoder())
        } catch {
            say("\(error)")
            return EX_SOFTWARE
        }
    }

    private static func serve(_ decoder: any Decoder) -> Int32 {
        do throws(SystemError) {
            let service = try DecodeService(decoder)
            try Confinement.enter(descriptors: DecoderDescriptors.limit)
            try service.run()
            return EX_OK
        } catch {
            say("\(error)")
            return EX_IOERR
        }
    }

    private static func testItself(
        _ sample: [UInt8], _ makeDecoder: () throws(DecoderError) -> any Decoder
    ) -> Int32 {
        do throws(DecoderError) {
            guard let fault = SelfTest.fault(of: try makeDecoder(), sample: sample) else { return EX_OK }
            say(fault)
        } catch {
            say("\(error)")
        }
        return EX_SOFTWARE
    }

    private static func prove(_ act: ForbiddenAct) -> Int32 {
        do throws(SystemError) {
            try Confinement.enter(descriptors: DecoderDescriptors.limit)
        } catch {
            say("\(error)")
            return EX_OSERR
        }
        act.attempt()
        say("nothing stopped: \(act.rawValue)")
        return EX_SOFTWARE
    }

    private static func say(_ words: String) {
        try? FileDescriptor.write(2, Array("podcast-decode: \(words)\n".utf8))
    }
}
