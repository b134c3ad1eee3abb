import ChildProcess
import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import PodcastModel
import SystemCalls
import Testing
import TestSupport

/// `status --follow`, told through the programs as they are installed.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct FollowStoryTests {
    @Test func followingSurvivesARestartOfTheDaemon() throws {
        let scratch = try Scratch()
        var daemon: RunningDaemon? = try RunningDaemon(in: scratch)
        let output = scratch.path + "/followed"
        try Data().write(to: URL(filePath: output))
        let file = try FileHandle(forWritingTo: URL(filePath: output))
        let follower = try ChildProcess(
            Launch(
                Programs.path("podcastctl"), ["--socket", scratch.path + "/control", "status", "--follow"],
                environment: ["PATH=/usr/bin:/bin", "HOME=/nonexistent"],
                descriptors: [
                    DescriptorMapping(file.fileDescriptor, to: 1), DescriptorMapping(file.fileDescriptor, to: 2),
                ]))
        defer { _ = follower.terminate(grace: .seconds(1)) }
        func shown(_ text: String) throws -> Bool {
            let deadline = Date(timeIntervalSinceNow: 60)
            while Date.now < deadline {
                if try String(contentsOfFile: output, encoding: .utf8).hasSuffix(text) { return true }
            }
            return false
        }
        #expect(try shown("stopped\n"))
        _ = daemon?.stop()
        #expect(try shown("podcastctl: the connection to podcastd has ended; waiting for it to start again\n"))
        daemon = nil
        let again = try RunningDaemon(in: scratch)
        #expect(try shown("again\nstopped\n"))
        withExtendedLifetime(again) {}
        let lines = try String(contentsOfFile: output, encoding: .utf8)
        expectEqual(lines.split(separator: "\n").count { $0.contains("has ended") }, 1)
    }
}
