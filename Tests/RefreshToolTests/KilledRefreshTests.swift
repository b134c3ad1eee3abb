import JSON
import ChildProcess
import CommandLineTool
import Foundation
import Library
import LibraryModel
import LoopbackServer
import PodcastModel
import SystemCalls
import Testing

/// The program as a process of its own.
struct KilledRefreshTests {
    /// Beside the test bundle lie the programs.
    private static let program: URL = {
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? "/proc/self/exe"
        let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: bundle)) ?? bundle
        return URL(filePath: path).deletingLastPathComponent().appending(path: "podcast-refresh")
    }()

    @Test func aKilledRefreshLeavesAUsableLibraryAndNoLock() throws {
        let rig = try RefreshRig()
        let gate = Gate()
        defer { gate.open() }
        let first = try rig.publish("two-episodes.xml", at: "/first.xml")
        #expect(try rig.run("add", first.url).status == .success)
        let resource = Resource(try RefreshRig.fixture("three-episodes-one-renamed.xml"), etag: "\"2\"")
        let stuck = rig.server.serve("/first.xml") { _ in
            .resource(resource, faults: [.stall(at: 400, .gate(gate))])
        }
        let process = try ChildProcess(
            Launch(
                Self.program.path, ["--data-dir", rig.data, "--force", "--quiet"], environment: ["PATH=/usr/bin:/bin"]))
        #expect(gate.waitForArrival())
        #expect(try rig.run("--force").status == .tryAgain)
        process.signal(SIGKILL)
        #expect(process.wait() == .signaled(SIGKILL))
        #expect(try rig.titles() == ["The second", "The first"])
        gate.open()
        #expect(try rig.run("--force").status == .success)
        #expect(try rig.titles().count == 3)
        withExtendedLifetime(stuck) {}
    }
}
