import JSON
import CommandLineTool
import Foundation
import Library
import LibraryModel
import LoopbackServer
import PodcastModel
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
        let process = Process()
        process.executableURL = Self.program
        process.arguments = ["--data-dir", rig.data, "--force", "--quiet"]
        process.environment = ["PATH": "/usr/bin:/bin"]
        try process.run()
        #expect(gate.waitForArrival())
        #expect(try rig.run("--force").status == .tryAgain)
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(try rig.titles() == ["The second", "The first"])
        gate.open()
        #expect(try rig.run("--force").status == .success)
        #expect(try rig.titles().count == 3)
        withExtendedLifetime(stuck) {}
    }
}
