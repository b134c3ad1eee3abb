internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import PodcastModel
internal import Reporting

/// `podcastctl doctor`: checks from outside, asks the daemon for its own checks, and shows both.
struct Doctor {
    /// Longer than the deadline of the daemon's own checks.
    private static let daemonTimeout = Duration.seconds(15)
    /// Deadline of the checks on this side; longer than the programs that they run may take.
    private static let deadline = Duration.seconds(10)

    let view: View
    private var machine: Machine { view.machine }
    private var socket: String { view.socket }

    /// Runs all checks and shows the findings; the status is `unavailable` if there is a problem.
    func run() throws(ToolFailure) -> ExitStatus {
        let output = view.streams.output
        let outside = OutsideChecks(machine, socket: socket)
        var (daemon, inside) = askDaemon(outside)
        daemon.check = "daemon"
        let own = CheckRunner(outside.all + (inside == nil ? outside.withoutDaemon : []), deadline: Self.deadline)
        let checks = [daemon] + own.findings() + (inside ?? [])
        if !view.printForProgram(
            view.template == nil ? checks.json : CheckListReply(checks).json, CheckListReply.members)
        {
            for line in CheckText.lines(checks, terminal: view.terminal) { output.line(line) }
        }
        return checks.contains { $0.severity == .problem } ? .unavailable : .success
    }

    /// Whether the daemon answers, and its own checks; nil if the daemon did not run its checks.
    private func askDaemon(_ outside: OutsideChecks) -> (Finding, [Finding]?) {
        let instance = outside.instance
        let log = "see its log: \(instance.journalctl) -u podcastd -e"
        do throws(ClientFailure) {
            let client = try ControlConnection(path: socket)
            client.timeout = Self.daemonTimeout
            let version = try client.call(GetVersion())
            do throws(ClientFailure) {
                let inside = try client.call(RunChecks()).rows
                return (.ok("\(version.server) \(version.version) answers at \(socket)"), inside)
            } catch {
                let failure = ToolFailure(error)
                let text = "answers at \(socket), but its own checks failed: \(failure.message)"
                return (.notice(text, fix: failure.hint ?? log), nil)
            }
        } catch .notRunning {
            let fix = outside.settings.severity == .problem ? "correct the settings, see below" : starting(instance)
            return (.problem("not running at \(socket)", fix: fix), nil)
        } catch .forbidden {
            let fix = "sudo adduser $USER podcastd, then log in again"
            return (.problem("no permission to use \(socket)", fix: fix), nil)
        } catch {
            let failure = ToolFailure(error)
            return (.problem("\(socket): \(failure.message)", fix: failure.hint ?? log), nil)
        }
    }

    private func starting(_ instance: Instance) -> String {
        switch instance {
        case .named: "podcastd --socket \(socket)"
        case .user, .system:
            machine.isBootedBySystemd ? "\(instance.systemctl) enable --now podcastd.socket" : "run podcastd"
        }
    }
}

/// Checks as text: one line each, followed by a fix.
enum CheckText {
    private static let leastFinding = 24

    /// Lines in columns; on a terminal, long findings are wrapped within their column.
    static func lines(_ checks: [Finding], terminal: Terminal) -> [String] {
        let labels = checks.map { label($0.severity) }
        let names = checks.map { SafeText.line($0.check) }
        let labelWidth = labels.map(\.count).max() ?? 0
        let indent = labelWidth + 2 + (names.map(\.count).max() ?? 0) + 2
        let width = terminal.width.map { max($0 - indent, leastFinding) } ?? .max
        var lines: [String] = []
        for (index, check) in checks.enumerated() {
            let name = padded(names[index], to: indent - labelWidth - 2)
            let head = terminal.styled(padded(labels[index], to: labelWidth), style(check.severity)) + "  " + name
            for (row, text) in TextLayout.wrapped(SafeText.line(check.text), width: width).enumerated() {
                lines.append((row == 0 ? head : padded("", to: indent)) + text)
            }
            // A fix is not wrapped, so that it can be copied.
            if let fix = check.fix { lines.append(padded("", to: indent) + "fix: " + SafeText.line(fix)) }
        }
        return lines
    }

    private static func label(_ outcome: Finding.Severity) -> String {
        outcome == .problem ? "problem" : outcome.rawValue
    }

    private static func style(_ outcome: Finding.Severity) -> Terminal.Style {
        switch outcome {
        case .ok, .repaired: .green
        case .notice: .bold
        case .problem: .red
        }
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
