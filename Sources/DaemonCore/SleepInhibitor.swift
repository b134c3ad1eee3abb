internal import Synchronization
internal import SystemCalls

/// Keeps the machine from going to sleep, through systemd-inhibit(1): logind's lock lasts as long as the input of the program that it
/// runs, so the lock ends with this process at the latest. A machine without logind goes to sleep as it likes. Any thread.
final class SleepInhibitor: Sendable {
    private final class Lock: Sendable {
        private let input: FileDescriptor

        init() throws(SystemError) {
            let pipe = try Pipe()
            let program = try ChildProcess(
                Launch(
                    "/usr/bin/systemd-inhibit",
                    ["--what=sleep", "--who=podcastd", "--why=An episode plays", "--mode=block", "cat"],
                    environment: ["PATH=/usr/bin:/bin"] + Launch.inherited(["DBUS_SYSTEM_BUS_ADDRESS"]),
                    descriptors: [DescriptorMapping(pipe.reading.raw, to: 0)]))
            // It ends by itself without logind, and with its input.
            program.reapAtEnd()
            input = pipe.closingReading()
        }
    }

    private let lock = Mutex<Lock?>(nil)

    func begin() { lock.withLock { $0 = $0 ?? (try? Lock()) } }
    func end() { lock.withLock { $0 = nil } }
}
