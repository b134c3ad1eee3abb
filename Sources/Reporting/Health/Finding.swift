internal import PodcastModel

/// What a check found.
public struct Finding: Equatable, Sendable {
    /// How serious a finding is. The raw values are those of the control protocol.
    public enum Severity: String, CaseIterable, Sendable {
        /// As expected, or not applicable here.
        case ok
        /// Works; the fix is optional.
        case notice
        /// Was damaged, and works again.
        case repaired
        /// Something does not work, or will soon fail, until a person applies the fix.
        case problem = "needs-a-person"
    }

    /// The check's name: a word or two, the same in every release. A `HealthCheck` sets it.
    public var check = ""
    public var severity = Severity.ok
    /// One line.
    public var text = ""
    /// One command or sentence; nil if there is nothing to do.
    public var fix: String?

    public init() {}

    public init(_ check: String, _ severity: Severity, _ text: String, fix: String? = nil) {
        self.check = check
        self.severity = severity
        self.text = text
        self.fix = fix
    }

    func named(_ check: String) -> Finding {
        var finding = self
        finding.check = check
        return finding
    }

    public static func ok(_ text: String) -> Finding { Finding("", .ok, text) }

    /// For a check that says nothing of this machine.
    public static func notApplicable(_ reason: String) -> Finding { .ok("not applicable (\(reason))") }

    public static func notice(_ text: String, fix: String) -> Finding { Finding("", .notice, text, fix: fix) }

    public static func problem(_ text: String, fix: String) -> Finding { Finding("", .problem, text, fix: fix) }

    /// Judges the free space of a folder.
    /// - Parameter free: bytes that can still be written; nil if the system does not report them.
    public static func space(in folder: String, free: Int64?) -> Finding {
        let fix = "make room: df -h \(folder)"
        guard let free else {
            return .problem("\(folder) cannot be read", fix: "correct its permissions: ls -ld \(folder)")
        }
        let text = "\(ByteSize.text(free)) free in \(folder)"
        // The library may fail to store positions, or the next episodes will not fit.
        if free < 32 << 20 { return .problem("only \(text)", fix: fix) }
        return free < 256 << 20 ? .notice("only \(text)", fix: fix) : .ok(text)
    }
}

/// A row of `doctor`: names, and what finds out about them. It may block on a disk, a device or the network.
public struct HealthCheck: Sendable {
    /// The name under which a check that does not finish is reported.
    let name: String
    let run: @Sendable () -> [Finding]

    public init(_ name: String, _ judge: @escaping @Sendable () -> Finding) { self.init([name]) { [judge()] } }

    /// Several checks that cannot run at the same time, or share what they read.
    /// - Parameter judge: returns a finding for each name.
    public init(_ names: [String], _ judge: @escaping @Sendable () -> [Finding]) {
        name = names[0]
        run = { zip(names, judge()).map { $1.named($0) } }
    }
}
