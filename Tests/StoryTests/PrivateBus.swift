import Foundation
import SystemCalls
import TestSupport
import Testing

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
    func run(_ tool: RequiredTool, _ arguments: [String]) throws -> Outcome<Int32?> {
        let result = try Programs.run(
            Launch(
                tool.path(), arguments,
                environment: ["PATH=/usr/bin:/bin", "HOME=/nonexistent", "LC_ALL=C.UTF-8"] + environment))
        let isLine = result.output.hasSuffix("\n")
        return Outcome(
            status: result.status, output: isLine ? String(result.output.dropLast()) : result.output,
            errors: result.errors)
    }
}
