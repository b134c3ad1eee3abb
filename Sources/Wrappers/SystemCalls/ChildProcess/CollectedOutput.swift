internal import Glibc
internal import PodcastModel

/// The output of a program that has ended.
public struct CollectedOutput: Sendable {
    public var status: TerminationStatus
    /// Standard output, cut at the limit.
    public var output: [UInt8]
    /// Standard error, cut at the limit. Untrusted: clean it before it is shown.
    public var errors: [UInt8]
    /// True if the program wrote more than the limit, or was ended before its time.
    public var isCut: Bool

    /// Runs a program to its end and returns its output. Blocks, so it must not run on a shared thread.
    /// - Parameters:
    ///   - launch: the program; its descriptors 1 and 2 are used for the output.
    ///   - limit: bytes kept of each stream; further output is read and discarded.
    ///   - timeout: time until the program and its children are killed; nil for never.
    ///   - interruption: when readable, the program is asked to end, and killed half a second later; -1 for none.
    ///   - file: a descriptor for the standard output, which is not returned then; -1 for none.
    public static func of(
        _ launch: Launch, limit: Int, timeout: Duration? = nil, interruption: Int32 = -1, outputTo file: Int32 = -1
    ) throws(SystemError) -> CollectedOutput {
        let output = try Pipe()
        let errors = try Pipe()
        var launch = launch
        launch.descriptors.append(DescriptorMapping(file >= 0 ? file : output.writing.raw, to: 1))
        launch.descriptors.append(DescriptorMapping(errors.writing.raw, to: 2))
        let child = try ChildProcess(launch)
        let fromOutput = output.closingWriting()
        let fromErrors = errors.closingWriting()
        var streams = [BoundedStream(limit: limit), BoundedStream(limit: limit)]
        let deadline = timeout.map { .now + $0 } ?? Instant.distantFuture
        var ranOut = false
        // A grandchild may keep a stream open forever, and the program may close both, so only the program's end counts.
        while true {
            var entries = [
                PollEntry(streams[0].isOver ? -1 : fromOutput.raw), PollEntry(streams[1].isOver ? -1 : fromErrors.raw),
                PollEntry(child.descriptor), PollEntry(interruption),
            ]
            try waitForAny(&entries, until: deadline)
            if entries[0].isReady { try streams[0].take(fromOutput.raw) }
            if entries[1].isReady { try streams[1].take(fromErrors.raw) }
            if entries[2].isReady && !entries[0].isReady && !entries[1].isReady { break }
            ranOut = entries[3].isReady || .now >= deadline
            guard ranOut else { continue }
            if entries[3].isReady { _ = child.terminate(grace: .milliseconds(500)) } else { child.signalGroup(SIGKILL) }
            break
        }
        let status = child.wait()
        return CollectedOutput(
            status: status, output: streams[0].bytes, errors: streams[1].bytes,
            isCut: ranOut || streams.contains(where: \.isCut))
    }
}

/// The beginning of the output of a descriptor.
struct BoundedStream {
    let limit: Int
    private(set) var bytes: [UInt8] = []
    private(set) var isOver = false
    private(set) var isCut = false

    /// Reads the available bytes once and keeps them up to the limit.
    mutating func take(_ descriptor: Int32) throws(SystemError) {
        let block = try FileDescriptor.readSome(descriptor, upTo: 16_384)
        if block.isEmpty { isOver = true }
        let kept = min(block.count, limit - bytes.count)
        bytes += block[..<kept]
        if kept < block.count { isCut = true }
    }
}
