import ChildProcess
import ControlLanguage
import Foundation
import JSON
import SystemCalls
import Testing

/// podcastd as a process, ready when this exists and gone with it.
final class RunningDaemon {
    let scratch: Scratch
    let socketPath: String
    private(set) var process: ChildProcess
    private let notifications: Notifications

    /// Starts a daemon and waits for its `READY=1`; `log` is a file for what it says, `shell` commands that a shell runs
    /// before it becomes the daemon, behind `launcher`.
    init(
        output: String = "null", in scratch: Scratch? = nil, arguments: [String] = [], environment: [String] = [],
        log: String? = nil, shell: String? = nil, launcher: [String] = []
    ) throws {
        let scratch = try scratch ?? Scratch()
        self.scratch = scratch
        socketPath = scratch.path + "/control"
        notifications = try Notifications(path: scratch.path + "/notify")
        var command = launcher
        if let shell { command += ["/bin/sh", "-c", "\(shell)\nexec \"$0\" \"$@\""] }
        command.append(Programs.path("podcastd"))
        command += Self.places(scratch) + ["--socket", socketPath, "--output", output] + arguments
        process = try Self.start(scratch, command, environment, notifications, log)
        try #require(notifications.wait(for: "READY=1"), "the daemon did not get ready")
    }

    deinit { _ = process.terminate(grace: 5000) }

    static func places(_ scratch: Scratch) -> [String] {
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

    /// A new connection.
    func connect() throws -> DaemonConnection { try DaemonConnection(path: socketPath) }

    /// Waits for a line of the service manager's.
    func waitForNotification(_ line: String) -> Bool { notifications.wait { $0 == line } }

    /// Waits for a line of the service manager's that fits.
    func waitForNotification(_ fits: (Substring) -> Bool) -> Bool { notifications.wait(fits) }

    /// Leaves no room for what it has to tell the service manager, until that is read.
    func fillNotifications() { notifications.fill() }

    /// Kills it as a power cut of the process would, and waits until it is gone.
    func kill() {
        process.signal(SIGKILL)
        _ = process.wait()
    }

    /// Asks it to stop and tells how it ended.
    func stop() -> TerminationStatus {
        process.signal(SIGTERM)
        return process.wait()
    }
}

/// The service manager's end of sd_notify(3).
final class Notifications {
    let path: String
    private let socket: Int32

    init(path: String) throws {
        self.path = path
        unlink(path)
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let bound = withUnixAddress(path) { bind(socket, $0, $1) }
        try #require(bound == 0)
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(socket) }

    func wait(for line: String) -> Bool { wait { $0 == line } }

    func wait(_ fits: (Substring) -> Bool) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { return false }
            if String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n").contains(where: fits) {
                return true
            }
        }
    }

    func fill() {
        let sender = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(sender) }
        while withUnixAddress(path, { Int32(sendto(sender, "X=1", 3, Int32(MSG_DONTWAIT), $0, $1)) }) > 0 {}
    }
}

/// A client that speaks the protocol by hand, so that nothing of ours hides what is on the wire.
final class DaemonConnection {
    private let socket: Int32
    private var received: [UInt8] = []
    private var lastID: Int64 = 0
    private var lastCall = ""
    /// What `event` notifications said, in order.
    private(set) var events: [JSONValue] = []
    let hello: JSONValue

    init(path: String) throws {
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        self.socket = socket
        let connected = withUnixAddress(path) { connect(socket, $0, $1) }
        try #require(connected == 0, "cannot connect to \(path)")
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        hello = .null
        let first = try readLine()
        try #require(first["method"]?.stringValue == "hello")
    }

    deinit { close(socket) }

    struct CallFailed: Error {
        var code: Int64
        var what: String
    }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    @discardableResult
    func call(_ method: String, _ parameters: JSONValue = .object([])) throws -> JSONValue {
        lastID += 1
        lastCall = method
        let request: JSONValue = [
            "jsonrpc": "2.0", "id": .integer(lastID), "method": .string(method), "params": parameters,
        ]
        send(request.text + "\n")
        while true {
            let line = try readLine()
            guard line["id"]?.integerValue == lastID else {
                if let event = line["params"] { events.append(event) }
                continue
            }
            if let error = line["error"] {
                throw CallFailed(
                    code: error["code"]?.integerValue ?? 0, what: error["data"]?["what"]?.stringValue ?? "\(error)")
            }
            return line["result"] ?? .null
        }
    }

    /// Calls a command and reads its reply.
    @discardableResult
    func call<Called: Command>(_ command: Called) throws -> Called.Reply {
        let answer = try call(Called.name, command.params ?? .object([]))
        return try #require(Called.Reply(json: answer), "the answer to \(Called.name) cannot be read")
    }

    /// Reads events until one fits, of those to come or already here.
    @discardableResult
    func event(_ part: String, _ fits: (JSONValue) -> Bool) throws -> JSONValue {
        var next = 0
        while true {
            while next < events.count {
                let event = events[next]
                next += 1
                if event["part"]?.stringValue == part, let value = event["value"], fits(value) { return value }
            }
            let line = try readLine()
            if let event = line["params"] { events.append(event) }
        }
    }

    /// Lets go of the events that are here already.
    func forgetEvents() { events.removeAll() }

    /// Waits until the player is in a state; needs a subscription to `player`.
    @discardableResult
    func player(_ state: String) throws -> JSONValue {
        let now = try call("status.get")
        // What came before is older, and not to be taken for what comes next.
        events.removeAll()
        if now["state"]?.stringValue == state { return now }
        defer { events.removeAll() }
        return try event("player") { $0["state"]?.stringValue == state }
    }

    /// The daemon closed the connection, or said nothing for a minute.
    struct Closed: Error {
        var lastCall: String
        /// errno(3) of a connection that failed; nil at its orderly end.
        var error: Int32?
        var events: [JSONValue]
    }

    func readLine() throws -> JSONValue {
        while true {
            if let end = received.firstIndex(of: 10) {
                let line = Array(received[..<end])
                received.removeFirst(end + 1)
                return try line.withUnsafeBytes { try JSONValue(parsing: $0) }
            }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = recv(socket, &buffer, buffer.count, 0)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                throw Closed(lastCall: lastCall, error: count < 0 ? errno : nil, events: events.suffix(5))
            }
            received += buffer[..<count]
        }
    }
}

func withUnixAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
}
