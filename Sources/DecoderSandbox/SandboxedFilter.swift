public import DecoderProtocol
internal import Glibc
internal import SystemCalls

/// Converts standard input to standard output in the sandbox of a decoder.
public enum SandboxedFilter {
    /// Reads up to `mostBytes` of input, confines the process, and writes the result, or prints the error of `convert`.
    /// - Returns: the exit status (sysexits.h).
    public static func run(_ decoder: DecoderKind, mostBytes: Int, convert: ([UInt8]) throws -> [UInt8]) -> Int32 {
        do throws(SystemError) {
            let input = try readInput(mostBytes)
            try Confinement.enter(decoder.sandbox, descriptors: DecoderDescriptors.limit)
            let output = Result { try convert(input) }
            switch output {
            case .success(let bytes): try FileDescriptor.write(STDOUT_FILENO, bytes)
            case .failure(let error):
                say(decoder, "\(error)")
                return EX_DATAERR
            }
            return EX_OK
        } catch {
            say(decoder, "\(error)")
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

    private static func say(_ decoder: DecoderKind, _ message: String) {
        try? FileDescriptor.write(STDERR_FILENO, Array("\(decoder.executable): \(message)\n".utf8))
    }
}
