public import PodcastModel
internal import SystemCalls

/// Makes small copies of pictures with podcast-decode-av, in the sandbox of a decoder.
public struct PictureDecoder: Sendable {
    public enum Failure: Error, Equatable {
        /// The program cannot be run; the system's error message.
        case notRun(String)
        /// The bytes are not a picture that can be decoded; the reason in one line.
        case undecodable(String)
    }

    /// Bytes of a small copy.
    private static let largestCopy = 2 << 20
    private static let timeout = Duration.seconds(20)

    private let executable: String

    /// - Parameter executable: path of podcast-decode-av.
    public init(executable: String) { self.executable = executable }

    /// A file of the form's format. Blocks until the program has ended.
    public func smallCopy(of picture: [UInt8], _ form: PictureForm) throws(Failure) -> [UInt8] {
        let collected: CollectedOutput
        do throws(SystemError) {
            let file = try MemoryFile(name: "picture")
            try picture.span.bytes.withUnsafeBytes { bytes throws(SystemError) in try file.write(bytes, at: 0) }
            let input = try file.openForReading()
            let launch = Launch(
                executable, ["--picture", "\(form.side)", form.format.rawValue],
                descriptors: [DescriptorMapping(input.raw, to: 0)])
            collected = try CollectedOutput.of(launch, limit: Self.largestCopy, timeout: Self.timeout)
        } catch { throw .notRun(error.description) }
        if case .exited(0) = collected.status, !collected.isCut, !collected.output.isEmpty { return collected.output }
        let line = String(utf8: collected.errors).split(separator: "\n").last ?? ""
        let words = line.split(separator: ": ", maxSplits: 1).last ?? ""
        throw .undecodable(words.isEmpty ? "cannot be decoded" : SafeText.line(String(words)))
    }
}
