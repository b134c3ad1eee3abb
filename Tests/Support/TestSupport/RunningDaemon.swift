package import ControlClient
package import ControlLanguage
package import ControlProtocol
package import Foundation
package import JSON
package import PodcastModel
package import SystemCalls
package import Reporting
import MachineSupport
import Testing

/// podcastd as a process, ready when this exists and gone with it.
package final class RunningDaemon {
    package let scratch: Scratch
    package let socketPath: String
    package private(set) var process: ChildProcess
    private let notifications: Notifications
    /// What has to exist as long as the daemon.
    package var companions: [AnyObject] = []

    /// Starts a daemon and waits for its `READY=1`; `log` is a file for what it says, `shell` commands that a shell runs
    /// before it becomes the daemon, behind `launcher`. With `trustsLoopback`, devices and servers may name feeds of this machine.
    package init(
        output: String? = "null", in scratch: Scratch? = nil, arguments: [String] = [], environment: [String] = [],
        log: String? = nil, shell: String? = nil, launcher: [String] = [], socket: String? = nil,
        trustsLoopback: Bool = false
    ) throws {
        let scratch = try scratch ?? Scratch()
        if trustsLoopback {
            let folder = URL(filePath: scratch.path + "/.config/podcastd")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data("[network]\nprivate_hosts = 127.0.0.1\n".utf8).write(to: folder.appending(path: "podcastd.conf"))
        }
        self.scratch = scratch
        socketPath = socket ?? scratch.path + "/control"
        notifications = try Notifications(path: scratch.path + "/notify")
        var command = launcher
        if let shell { command += ["/bin/sh", "-c", "\(shell)\nexec \"$0\" \"$@\""] }
        command.append(Programs.path("podcastd"))
        command +=
            Self.places(scratch) + ["--socket", socketPath] + (output.map { ["--output", $0] } ?? []) + arguments
        process = try Self.start(scratch, command, environment, notifications, log)
        try #require(notifications.wait(for: "READY=1"), "the daemon did not get ready")
    }

    deinit { _ = process.terminate(grace: .seconds(5)) }

    package static func places(_ scratch: Scratch) -> [String] {
        ["--data-dir", scratch.path + "/data", "--cache-dir", scratch.path + "/cache"]
    }

    private static func start(
        _ scratch: Scratch, _ command: [String], _ environment: [String], _ notifications: Notifications, _ log: String?
    ) throws -> ChildProcess {
        let log = try log.map { try FileHandle(forWritingTo: Self.emptyFile($0)) }
        defer { try? log?.close() }
        return try ChildProcess(
            Launch(
                command[0], Array(command.dropFirst()),
                environment: [
                    "HOME=\(scratch.path)", "PATH=/usr/bin:/bin", "NOTIFY_SOCKET=\(notifications.path)",
                ] + environment,
                descriptors: log.map { [DescriptorMapping($0.fileDescriptor, to: STDERR_FILENO)] } ?? []))
    }

    private static func emptyFile(_ path: String) throws -> URL {
        try Data().write(to: URL(filePath: path))
        return URL(filePath: path)
    }

    /// A new connection that watches parts of the status and has subscribed to feeds.
    package func connect(watching parts: StatusPart..., subscribing urls: String...) throws -> DaemonConnection {
        let connection = try DaemonConnection(path: socketPath)
        connection.owner = self
        if !parts.isEmpty { try connection.watch(parts) }
        if !urls.isEmpty { try connection.call(Subscribe { $0.urls = urls }) }
        return connection
    }

    /// A new connection whose lines the test writes itself.
    package func connectRaw() throws -> RawConnection { try RawConnection(path: socketPath) }

    /// Waits for a line of the service manager's.
    package func waitForNotification(_ line: String) -> Bool { notifications.wait(for: line) }

    /// Runs podcastctl with this daemon; `stdin` is what it reads.
    package func ctl(
        _ arguments: String..., environment: [String] = [], stdin: String? = nil
    ) throws -> Outcome<Int32?> { try ctl(arguments, environment: environment, stdin: stdin) }

    package func ctl(
        _ arguments: [String], environment: [String] = [], stdin: String? = nil
    ) throws -> Outcome<Int32?> {
        let input = try stdin.map { text in
            let file = try scratch.file("stdin-\(UUID().uuidString)", text)
            return try FileHandle(forReadingFrom: URL(filePath: file))
        }
        defer { try? input?.close() }
        return try Programs.run(
            Launch(
                Programs.path("podcastctl"), ["--socket", socketPath] + arguments,
                environment: ["PATH=/usr/bin:/bin", "HOME=/nonexistent"] + environment,
                descriptors: input.map { [DescriptorMapping($0.fileDescriptor, to: STDIN_FILENO)] } ?? []))
    }

    /// Expects that podcast-refresh, as cron runs it, succeeds; `socket` is where it looks for the daemon.
    package func refreshByCron(socket: String? = nil) throws {
        try expectOutcome(
            Programs.run(
                "podcast-refresh", ["--data-dir", scratch.path + "/data", "--force"],
                environment: ["PODCASTD_SOCKET=\(socket ?? socketPath)"]), 0)
    }

    /// Runs `podcastctl play` with something that can be played. A busy machine may need longer to load it than `play` waits.
    package func play(_ arguments: String...) throws { try play(arguments) }

    private func play(_ arguments: [String]) throws {
        let outcome = try ctl(["play"] + arguments)
        #expect(outcome.status == 0 || outcome.status == 75 && outcome.errors.contains("still loading"), "\(outcome)")
    }

    /// Does the same and waits until a client sees that it plays.
    @discardableResult
    package func play(_ arguments: String..., watchedBy client: DaemonConnection) throws -> PlayerReply {
        try play(arguments)
        return try client.player(.playing)
    }

    /// Kills it as a power cut of the process would, and waits until it is gone.
    package func kill() {
        process.signal(SIGKILL)
        _ = process.wait()
    }

    /// Asks it to stop and tells how it ended.
    package func stop() -> TerminationStatus {
        process.signal(SIGTERM)
        return process.wait()
    }
}

/// Tests with one daemon.
package protocol DaemonStory {
    var daemon: RunningDaemon { get }
}

extension DaemonStory {
    /// Runs podcastctl with the daemon.
    package func ctl(_ arguments: String...) throws -> Outcome<Int32?> { try daemon.ctl(arguments) }
}

/// The service manager's end of sd_notify(3).
package final class Notifications {
    package let path: String
    private let socket: Int32

    package init(path: String) throws {
        self.path = path
        unlink(path)
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let bound = withUnixAddress(path) { bind(socket, $0, $1) }
        // Daemons of other users notify it as well.
        try #require(bound == 0 && chmod(path, 0o666) == 0)
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(socket) }

    package func wait(for line: String) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { return false }
            if String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n").contains(Substring(line)) {
                return true
            }
        }
    }
}

/// A client of a running daemon that waits for what a test expects.
package final class DaemonConnection {
    /// Nanoseconds that a reply or an event may take.
    private static let limit = Duration.seconds(60)

    private let connection: ControlConnection
    /// What has to exist as long as the connection.
    package var owner: AnyObject?
    /// Changes that were looked at while waiting for one, oldest first.
    private var changes: [EventReply] = []
    /// Changes of the player up to this number are ignored, also those that the connection still holds.
    private var forgotten: UInt64 = 0

    package init(path: String) throws {
        connection = try ControlConnection(path: path)
        connection.timeout = Self.limit
    }

    /// Calls a command and returns its reply.
    ///
    /// - Parameter file: its descriptor is sent with the request.
    @discardableResult
    package func call<Called: Command>(_ command: Called, file: OpenFile? = nil) throws -> Called.Reply {
        try connection.call(command, file: file)
    }

    /// Calls a command and returns its reply as it is on the wire.
    package func answer(to command: some Command) throws -> JSONValue { try connection.call(Request(id: nil, command)) }

    /// Sends a command and does not wait for its reply.
    package func begin<Called: Command>(
        _ command: Called, handler: @escaping (Result<Called.Reply, ClientFailure>) -> Void = { _ in }
    ) { connection.send(command, handler: handler) }

    /// Waits until something has come from the daemon.
    package func process() throws {
        guard waitForDescriptors(readable: connection.descriptor, until: .now + Self.limit) else {
            throw ClientFailure.timedOut
        }
        for case .changed(let change) in connection.process() { changes.append(change) }
    }

    /// Plays something, or what is next for nil, and waits until it is heard.
    @discardableResult
    package func play(_ what: String? = nil) throws -> PlayerReply {
        try call(Play { $0.what = what })
        return try player(.playing)
    }

    /// Watches parts of the status.
    @discardableResult
    package func watch(_ parts: [StatusPart]) throws -> SnapshotReply { try call(SubscribeStatus { $0.parts = parts }) }

    /// Waits until the player is in a state; needs a subscription to it.
    @discardableResult
    package func player(_ state: PlayerReply.State) throws -> PlayerReply {
        let snapshot = try watch([.player])
        forgotten = snapshot.sequence
        changes.removeAll { $0.sequence <= forgotten }
        if let now = snapshot.parts[.player].flatMap({ PlayerReply(json: $0) }), now.state == state { return now }
        defer { changes = [] }
        return try wait(for: .player) { json in
            PlayerReply(json: json).flatMap { $0.state == state ? $0 : nil }
        }
    }

    /// Waits for a change of the player that matches, of those to come or already here.
    @discardableResult
    package func player(_ matches: (PlayerReply) -> Bool) throws -> PlayerReply {
        try wait(for: .player) { json in PlayerReply(json: json).flatMap { matches($0) ? $0 : nil } }
    }

    /// Waits for a change of the queue's extent that matches, of those to come or already here.
    @discardableResult
    package func queue(_ matches: (QueueExtent) -> Bool) throws -> QueueExtent {
        try wait(for: .queue) { json in QueueExtent(json: json).flatMap { matches($0) ? $0 : nil } }
    }

    /// Waits for a change of the activities that matches, of those to come or already here.
    @discardableResult
    package func activities(_ matches: ([Activity]) -> Bool) throws -> [Activity] {
        try wait(for: .activities) { json in
            let activities = [Activity](json: json)
            return matches(activities) ? activities : nil
        }
    }

    /// Waits for a change of a part, of those to come or already here.
    package func change(of part: StatusPart) throws { try wait(for: part) { _ in () } }

    /// Waits for the next event of a part, of those to come or already here.
    package func event(of part: StatusPart) throws -> EventReply {
        try change(of: part)
        let index = try #require(changes.firstIndex { $0.part == part })
        return changes.remove(at: index)
    }

    /// Forgets the changes that were looked at.
    package func forgetEvents() { changes = [] }

    private func wait<Value>(for part: StatusPart, _ value: (JSONValue) -> Value?) throws -> Value {
        var next = 0
        let deadline = Instant.now + Self.limit
        while true {
            while next < changes.count {
                let change = changes[next]
                next += 1
                if change.part == part, let found = value(change.value) { return found }
            }
            guard let event = try connection.nextEvent(until: deadline) else { throw ClientFailure.timedOut }
            guard case .changed(let change) = event else { continue }
            if change.part != .player || change.sequence > forgotten { changes.append(change) }
        }
    }
}

extension ClientFailure {
    /// The error with which the daemon answered; nil if it did not answer.
    package var refusal: ControlError? { if case .refused(let error) = self { error } else { nil } }
    package var code: ControlError.Code? { refusal?.code }
    package var what: String { refusal?.what ?? "" }
}

/// A connection whose lines a test writes and reads itself.
package final class RawConnection {
    private let socket: FileDescriptor
    private var received: [UInt8] = []

    /// Connects and reads the greeting.
    package init(path: String) throws {
        socket = try LocalSocket.connect(to: path)
        LocalSocket.setTimeouts(socket.raw, .seconds(60))
        try #require(try readLine()["method"]?.stringValue == "hello")
    }

    package func send(_ text: String) {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let outcome = bytes.withUnsafeBytes { [sent] in
                try? LocalSocket.send(socket.raw, UnsafeRawBufferPointer(rebasing: $0[sent...]))
            }
            guard case .bytes(let count)? = outcome else { return }
            sent += count
        }
    }

    /// - Throws: `ClientFailure.closed` if the daemon has closed the connection.
    package func readLine() throws -> JSONValue {
        while true {
            if let end = received.firstIndex(of: 10) {
                let line = Array(received[..<end])
                received.removeFirst(end + 1)
                return try line.withUnsafeBytes { try JSONValue(parsing: $0) }
            }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            guard
                case .bytes(let count) = try buffer.withUnsafeMutableBytes({
                    try LocalSocket.receive(socket.raw, into: $0)
                })
            else { throw ClientFailure.closed }
            received += buffer[..<count]
        }
    }
}

package func withUnixAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
}
