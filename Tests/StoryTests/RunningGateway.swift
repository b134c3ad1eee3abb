import Foundation
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// podcast-web or podcast-mpd at a Unix socket, and at a port of this machine, ready when this exists and gone with it.
final class RunningGateway {
    let socketPath: String
    /// What it printed: where clients find it at a port.
    private(set) var url = ""
    private let process: ChildProcess
    private let notifications: Notifications

    /// - Parameter settings: the text of its config file.
    init(
        _ program: String = "podcast-web", daemon: String, in scratch: Scratch, settings: String = "",
        hasPort: Bool = false, port: String = "127.0.0.1:0", environment: [String] = [], watchdog: Duration? = nil
    ) throws {
        socketPath = scratch.path + "/gateway-\(UUID().uuidString.prefix(8))"
        let config = try scratch.file("gateway.conf", settings)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: config)
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let output = socketPath + ".out"
        try Data().write(to: URL(filePath: output))
        let written = try FileHandle(forWritingTo: URL(filePath: output))
        defer { try? written.close() }
        notifications = try Notifications(path: socketPath + ".notify")
        process = try ChildProcess(
            Launch(
                Programs.path(program),
                ["--socket", daemon, "--config", config, "--listen", socketPath]
                    + (program == "podcast-web" ? ["--files", root.appending(path: "web").path] : [])
                    + (hasPort || port != "127.0.0.1:0" ? ["--listen", port] : []),
                environment: ["HOME=\(scratch.path)", "PATH=/usr/bin:/bin", "NOTIFY_SOCKET=\(notifications.path)"]
                    + environment
                    + (watchdog.map { ["WATCHDOG_USEC=\(Int($0.inSeconds * 1e6))"] } ?? []),
                descriptors: [DescriptorMapping(written.fileDescriptor, to: STDOUT_FILENO)]))
        try #require(notifications.wait(for: "READY=1"), "\(program) did not get ready")
        url = String(decoding: try Data(contentsOf: URL(filePath: output)), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Whether it tells its service manager this.
    func waits(for notification: String) -> Bool { notifications.wait(for: notification) }

    deinit { _ = process.terminate(grace: .seconds(5)) }

    /// The port, of podcast-mpd.
    var port: String { String(url.drop { $0 != ":" }.dropFirst()) }

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
