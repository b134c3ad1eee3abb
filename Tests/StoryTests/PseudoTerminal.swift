import Foundation
import PodcastModel
import SystemCalls
import Testing
import TestSupport

/// Both ends of a terminal: pty(7), by the numbers of ioctl_tty(2), which Glibc's overlay hides.
struct PseudoTerminal: ~Copyable {
    let master: Int32
    let slave: Int32

    init() throws {
        let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (unlocked, number): (Int32, Int32) = (0, -1)
        let isUsable = ioctl(master, 0x4004_5431, &unlocked) == 0 && ioctl(master, 0x8004_5430, &number) == 0
        try #require(master >= 0 && isUsable, "no pseudo terminal")
        let slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(slave >= 0)
        (self.master, self.slave) = (master, slave)
    }

    deinit {
        close(master)
        close(slave)
    }

    /// The terminal as stdin, stdout and stderr of a child process.
    var descriptors: [DescriptorMapping] {
        [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].map { DescriptorMapping(slave, to: $0) }
    }

    /// Starts an installed program whose terminal this is.
    func start(_ program: String, _ arguments: [String], _ environment: [String] = []) throws -> ChildProcess {
        let path = "PATH=\(Programs.folder):/usr/bin:/bin"
        let home = environment.contains { $0.hasPrefix("HOME=") } ? [] : ["HOME=/nonexistent"]
        return try ChildProcess(
            Launch(
                Programs.path(program), arguments, environment: [path] + home + environment, descriptors: descriptors))
    }

    /// - Parameter cell: pixels of a character cell.
    func resize(columns: UInt16, lines: UInt16, cell: (width: UInt16, height: UInt16)) {
        var size = winsize(
            ws_row: lines, ws_col: columns, ws_xpixel: columns * cell.width, ws_ypixel: lines * cell.height)
        expectEqual(ioctl(master, 0x5414, &size), 0)
    }

    func type(_ text: String) {
        let bytes = Array(text.utf8)
        expectEqual(write(master, bytes, bytes.count), bytes.count)
    }

    /// Waits until what is typed is not shown; what is typed before is thrown away.
    func waitForSilence() {
        var settings = termios()
        while tcgetattr(slave, &settings) == 0, settings.c_lflag & tcflag_t(ECHO) != 0 { sched_yield() }
    }

    /// Types byte by byte: each one when the program has read the one before.
    func press(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            var (byte, waiting): (UInt8, Int32) = (byte, 1)
            expectEqual(write(master, &byte, 1), 1)
            let deadline = Instant.now + Self.patience
            while ioctl(slave, 0x541B, &waiting) == 0, waiting > 0, Instant.now < deadline { sched_yield() }
        }
    }

    /// After this time a program counts as one that has hung or ended.
    private static let patience = Duration.seconds(60)

    /// Reads what is shown until it contains a text. `react` gets everything that was shown so far.
    func shown(until text: String, react: (String) -> Void = { _ in }) -> String {
        shown(react: react) { $0.contains(text) }
    }

    /// Reads what is shown until it matches.
    func shown(react: (String) -> Void = { _ in }, until matches: (String) -> Bool) -> String {
        var shown: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while !matches(String(decoding: shown, as: UTF8.self)) {
            guard waitForDescriptors(readable: master, until: .now + Self.patience) else { break }
            let count = read(master, &piece, piece.count)
            if count <= 0 { break }
            shown += piece[..<count]
            react(String(decoding: shown, as: UTF8.self))
        }
        return String(decoding: shown, as: UTF8.self)
    }
}
