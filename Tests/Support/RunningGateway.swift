import ChildProcess
import Foundation
import SystemCalls
import Testing

/// podcast-web at a Unix socket, and at a port of this machine for browsers, ready when this exists and gone with it.
final class RunningGateway {
    let socketPath: String
    /// Where a browser finds it.
    private(set) var url = ""
    private let process: ChildProcess

    /// - Parameter settings: the text of its `web.conf`.
    init(daemon: String, in scratch: Scratch, settings: String = "", hasPort: Bool = false) throws {
        socketPath = scratch.path + "/web-\(UUID().uuidString.prefix(8))"
        let config = try scratch.file("web.conf", settings)
        let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let output = socketPath + ".out"
        try Data().write(to: URL(filePath: output))
        let written = try FileHandle(forWritingTo: URL(filePath: output))
        defer { try? written.close() }
        let notifications = try Notifications(path: socketPath + ".notify")
        process = try ChildProcess(
            Launch(
                Programs.path("podcast-web"),
                ["--socket", daemon, "--config", config, "--listen", socketPath, "--files"]
                    + [root.appending(path: "web").path] + (hasPort ? ["--listen", "127.0.0.1:0"] : []),
                environment: ["HOME=\(scratch.path)", "PATH=/usr/bin:/bin", "NOTIFY_SOCKET=\(notifications.path)"],
                descriptors: [DescriptorMapping(written.fileDescriptor, to: STDOUT_FILENO)]))
        try #require(notifications.wait(for: "READY=1"), "podcast-web did not get ready")
        url = String(decoding: try Data(contentsOf: URL(filePath: output)), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    deinit { _ = process.terminate(grace: .seconds(5)) }

    func connect() throws -> HTTPConversation {
        let conversation = try HTTPConversation(path: socketPath)
        conversation.owner = self
        return conversation
    }

    /// Asks it to stop and tells how it ended.
    func stop() -> TerminationStatus {
        process.signal(SIGTERM)
        return process.wait()
    }
}
