import ChildProcess
import Foundation
import PodcastModel
import SystemCalls
import Testing

/// A program that runs while this exists, and what it writes to standard output.
final class ObservedProgram {
    private let process: ChildProcess
    private let output: FileDescriptor
    private(set) var text = ""

    init(_ path: String, _ arguments: [String], environment: [String] = []) throws {
        let pipe = try SystemCalls.Pipe()
        process = try ChildProcess(
            Launch(
                path, arguments, environment: ["PATH=/usr/bin:/bin", "HOME=/nonexistent", "LC_ALL=C"] + environment,
                descriptors: [DescriptorMapping(pipe.writing.raw, to: 1)]))
        output = pipe.closingWriting()
    }

    deinit { _ = process.terminate(grace: .seconds(2)) }

    /// Waits until all that was written matches.
    ///
    /// - Returns: false if the program has ended, or after a minute.
    func wait(for matches: (String) -> Bool) throws -> Bool {
        let deadline = Instant.now + .seconds(60)
        while !matches(text) {
            guard waitForDescriptors(readable: output.raw, until: deadline) else { return false }
            let bytes = try output.readSome(upTo: 64 << 10)
            if bytes.isEmpty { return false }
            text += String(decoding: bytes, as: UTF8.self)
        }
        return true
    }

    /// Waits for a text, and forgets what came up to its end.
    func wait(for expected: String) throws -> Bool {
        guard try wait(for: { $0.contains(expected) }), let found = text.range(of: expected) else { return false }
        text.removeSubrange(..<found.upperBound)
        return true
    }

    func stop() -> TerminationStatus {
        process.signal(SIGTERM)
        return process.wait()
    }

    var number: Int32 { process.processID }
}

/// A session bus of D-Bus for one test.
final class PrivateBus {
    let address: String
    private let daemon: ObservedProgram

    init(in scratch: Scratch) throws {
        address = "unix:path=\(scratch.path)/bus"
        daemon = try ObservedProgram(
            RequiredTool.dbusDaemon.path(),
            ["--session", "--nofork", "--nopidfile", "--address=\(address)", "--print-address=1"])
        try #require(try daemon.wait(for: "\n"), "dbus-daemon did not get ready")
    }

    var environment: [String] { ["DBUS_SESSION_BUS_ADDRESS=\(address)"] }

    /// Ends the bus, as the end of a session does.
    func stop() { _ = daemon.stop() }

    /// Runs a program to its end on this bus.
    func run(_ tool: RequiredTool, _ arguments: [String]) throws -> (status: Int32?, output: String, errors: String) {
        var result = try Programs.run(
            Launch(
                tool.path(), arguments,
                environment: ["PATH=/usr/bin:/bin", "HOME=/nonexistent", "LC_ALL=C.UTF-8"] + environment))
        if result.output.hasSuffix("\n") { result.output.removeLast() }
        return result
    }
}
