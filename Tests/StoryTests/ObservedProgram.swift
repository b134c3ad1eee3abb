import Foundation
import PodcastModel
import SystemCalls
import Testing

/// A program that runs while this exists, and what it writes to standard output.
final class ObservedProgram {
    private let process: ChildProcess
    private let output: FileDescriptor
    private(set) var text = ""

    /// - Parameter hasErrors: whether standard error is observed as well.
    init(_ path: String, _ arguments: [String], environment: [String] = [], hasErrors: Bool = false) throws {
        let pipe = try SystemCalls.Pipe()
        process = try ChildProcess(
            Launch(
                path, arguments, environment: ["PATH=/usr/bin:/bin", "HOME=/nonexistent", "LC_ALL=C"] + environment,
                descriptors: (hasErrors ? [1, 2] : [1]).map { DescriptorMapping(pipe.writing.raw, to: $0) }))
        output = pipe.closingWriting()
    }

    deinit { _ = process.terminate(grace: .seconds(2)) }

    /// Waits until all that was written matches.
    ///
    /// - Returns: false if the program has ended, or after the limit.
    func wait(for matches: (String) -> Bool, atMost limit: Duration = .seconds(60)) throws -> Bool {
        let deadline = Instant.now + limit
        while !matches(text) {
            guard waitForDescriptors(readable: output.raw, until: deadline) else { return false }
            let bytes = try output.readSome(upTo: 64 << 10)
            if bytes.isEmpty { return false }
            text += String(decoding: bytes, as: UTF8.self)
        }
        return true
    }

    /// Waits for a text, and forgets what came up to its end.
    func wait(for expected: String, atMost limit: Duration = .seconds(60)) throws -> Bool {
        guard try wait(for: { $0.contains(expected) }, atMost: limit), let found = text.range(of: expected) else {
            return false
        }
        text.removeSubrange(..<found.upperBound)
        return true
    }

    func stop() -> TerminationStatus {
        process.signal(SIGTERM)
        return process.wait()
    }

    func wait() -> TerminationStatus { process.wait() }

    /// How often it has waited and continued.
    func wakeUps() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(number)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
        return try #require(line?.split(separator: "\t").last.flatMap { Int($0) })
    }

    var number: Int32 { process.processID }
}
