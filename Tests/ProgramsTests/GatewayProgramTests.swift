import Foundation
import SystemCalls
import TestSupport
import Testing

/// The program that contains all gateways.
@Suite(.ownThread) struct GatewayProgramTests {
    @Test func startedByItsOwnNameItNamesTheGateways() throws {
        let help = try Programs.run("podcast-gateways", ["--help"])
        expectEqual(help.status, 0)
        let run = try Programs.run("podcast-gateways", [])
        expectEqual(run.status, 64)
        for name in ["podcast-output", "podcast-mpd", "podcast-web"] {
            expectContains(help.output, name)
            expectContains(run.errors, name)
        }
    }

    /// A library of the system cannot be missing here, but a file of its name that is found first cannot be loaded.
    @Test(arguments: [
        ("podcast-web", "libmicrohttpd.so.12", "libmicrohttpd is missing; install podcastd-web"),
        ("podcast-mpris", "libsystemd.so.0", "; install libsystemd0\n"),
    ])
    func aMissingLibraryIsNamedWithItsPackage(program: String, library: String, message: String) throws {
        let scratch = try Scratch()
        _ = try scratch.file(library, "not a library")
        let web = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../web")
        let own = CurrentProcess.variable("LD_LIBRARY_PATH").map { ":" + $0 } ?? ""
        let run = try Programs.run(
            program,
            ["--socket", scratch.path + "/none"]
                + (program == "podcast-web" ? ["--listen", "127.0.0.1:0", "--files", web.path] : []),
            environment: ["LD_LIBRARY_PATH=\(scratch.path)\(own)"])
        expectEqual(run.status, 69, "\(run.errors)")
        expectContains(run.errors, message)
        #expect(!run.errors.contains("DBUS_SESSION_BUS_ADDRESS"))
        // No address is printed at which nobody answers.
        expectEqual(run.output, "")
    }
}
