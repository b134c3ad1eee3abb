import Glibc
@testable import Reporting

/// Environment variables set by systemd, and messages to systemd and to the journal.
enum ServiceFuzz {
    private static let variables = [
        "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES",
    ]

    /// The first lines of the input are the variables' values, with `$` for this process id; the rest is a message.
    static func run(_ input: FuzzInput) {
        var lines = input.rest.split(separator: UInt8(ascii: "\n"), maxSplits: 6, omittingEmptySubsequences: false)
        let message = lines.count > 6 ? String(decoding: lines.removeLast(), as: UTF8.self) : ""
        for (variable, line) in zip(variables, lines) { set(variable, Array(line)) }
        let notifier = ServiceNotifier.fromEnvironment()
        notifier.watchdog()
        notifier.stopping()
        require((ServiceNotifier.watchdogInterval() ?? .seconds(1)) > .zero, "a watchdog that never waits")
        let sockets = SocketActivation.inheritedSockets()
        require(sockets.allSatisfy { (3..<67).contains($0) }, "\(sockets)")
        for variable in variables { require(getenv(variable) == nil, "\(variable) is left for children") }
        checkLog(message)
    }

    private static func set(_ variable: String, _ value: [UInt8]) {
        if value.isEmpty || value.contains(0) {
            unsetenv(variable)
        } else if value == [UInt8(ascii: "$")] {
            setenv(variable, "\(getpid())", 1)
        } else {
            setenv(variable, value.map { CChar(bitPattern: $0) } + [0], 1)
        }
    }

    private static func checkLog(_ message: String) {
        let entry = LogEntry(.notice, "fuzz", message, about: [.feed(7)])
        for hasPriority in [false, true] {
            let line = entry.line(hasPriority: hasPriority)
            require(line.dropLast().allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "a control character in a line")
        }
        let fields = entry.journalDatagram(identifier: "fuzz").split(separator: UInt8(ascii: "\n"))
        require(fields.count == 5, "a message has \(fields.count) fields")
    }
}
