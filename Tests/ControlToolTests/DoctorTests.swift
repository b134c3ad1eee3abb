import CommandLineTool
import ControlLanguage
import ControlProtocol
import ControlTool
import Foundation
import JSON
import PodcastModel
import Reporting
import SystemCalls
import TestSupport
import Testing

@Suite struct DoctorTests {
    /// What doctor finds on a machine whose daemon does not run, at the user's own socket or another.
    private func checks(
        _ machine: OtherMachine, socket: String = "/run/user/1000/podcastd/control"
    ) throws -> [String: Finding] {
        let result = try ToolRun().run(["doctor", "--json"], socket: socket, machine: machine)
        let all = [Finding](json: try JSONValue(parsing: result.output))
        expectEqual(Set(all.map(\.check)).count, all.count)
        #expect(all.allSatisfy { !$0.text.isEmpty && ($0.severity == .ok) == ($0.fix == nil) })
        return Dictionary(uniqueKeysWithValues: all.map { ($0.check, $0) })
    }

    private func named(_ check: String, _ finding: Finding) -> Finding {
        var finding = finding
        finding.check = check
        return finding
    }

    /// A desktop that was changed by `change`.
    private func machine(_ change: (inout OtherMachine) -> Void) -> OtherMachine {
        var machine = OtherMachine()
        change(&machine)
        return machine
    }

    @Test func aWellMachineWithoutItsDaemonNeedsOnlyTheDaemon() throws {
        let checks = try checks(OtherMachine())
        expectEqual(checks.values.filter { $0.severity != .ok }.map(\.check), ["daemon"])
        expectEqual(checks["daemon"]?.fix, "systemctl --user enable --now podcastd.socket")
        expectEqual(checks["units"]?.text, "podcastd.socket is enabled and running")
        expectEqual(checks["sound server"]?.text, "found: PipeWire and PulseAudio")
        expectEqual(checks["library space"]?.text, "50 GiB free in /home/ann/.local/share/podcastd")
    }

    @Test(arguments: [
        (nil, "ok", "no config file; the defaults apply"),
        ("[playback]\nspeed = 1.5\n", "ok", "/home/ann/.config/podcastd/podcastd.conf"),
        ("[playback]\nspeeed = 1\n", "notice", ":2: unknown setting"),
        (
            "[playback]\nspeeed = 1\nspeed = fast\n", "needs-a-person",
            "podcastd does not start: /home/ann/.config/podcastd/podcastd.conf:2: unknown setting"
        ),
        ("[playback]\nspeeed = 1\nspeed = fast\n", "needs-a-person", "; /home/ann/.config/podcastd/podcastd.conf:3: "),
    ])
    func aConfigFileIsReadWithoutADaemon(_ text: String?, _ outcome: String, _ finding: String) throws {
        let file = "/home/ann/.config/podcastd/podcastd.conf"
        let checks = try checks(
            machine {
                guard let text else { return }
                $0.open.insert(file)
                $0.files[file] = text
            })
        expectEqual(checks["settings"]?.severity.rawValue, outcome)
        expectContains(checks["settings"]?.text ?? "", finding)
        expectEqual(checks["daemon"]?.fix == "correct the settings, see below", outcome == "needs-a-person")
    }

    @Test func aWellMachineWithItsDaemonEndsWithSuccess() throws {
        let tool = try ToolRun()
        tool.reply("server.version", VersionReply(version: "9.9.9").json)
        tool.reply("doctor.run", CheckListReply([named("decoder", .ok("it decodes"))]).json)
        let result = try tool.run(["doctor"], machine: OtherMachine())
        expectOutcome(
            result, .success, output: "ok  daemon        podcastd 9.9.9 answers at ",
            "ok  decoder       it decodes\n", "ok  units         not applicable (not the socket of the units)\n")
        // Room is the daemon's to tell: only it knows its folders.
        #expect(!result.output.contains("space"))
    }

    @Test func whatTheDaemonFindsDecidesTheStatus() throws {
        let tool = try ToolRun()
        let found = named("library", .problem("it is damaged", fix: "restore a backup"))
        tool.reply("doctor.run", CheckListReply([found]).json)
        try expectOutcome(
            tool.run(["doctor"], machine: OtherMachine()), .unavailable,
            output: "problem  library       it is damaged\n", "           fix: restore a backup\n")
    }

    @Test func aDaemonThatDoesNotKnowDoctorIsStillLookedAtFromOutside() throws {
        let tool = try ToolRun()
        tool.daemon.refuse("doctor.run", ControlError(.methodNotFound, "no such command"))
        try expectOutcome(
            tool.run(["doctor"], machine: OtherMachine()), .success, output: "its own checks failed: no such command",
            "clock")
    }

    @Test func theTextFitsATerminalAndCarriesNoControlCharacters() throws {
        let tool = try ToolRun()
        let found = named(
            "feeds\u{1B}[2J",
            .notice(
                "a title \u{1B}]0;x\u{7}that goes on for longer than a narrow terminal has columns to show",
                fix: "podcast-refresh explain 7"))
        tool.reply("doctor.run", CheckListReply([found]).json)
        let text = try tool.run(["doctor"], width: 60, machine: OtherMachine()).output
        #expect(!text.contains("\u{1B}") && !text.contains("\u{7}"))
        let lines = text.split(separator: "\n").filter { !$0.contains("fix:") && !$0.contains(tool.socket) }
        #expect(lines.allSatisfy { TerminalText.width(of: String($0)) <= 60 }, "\(text)")
        expectContains(text, "columns to\n                      show\n")
        let styled = try tool.run(["doctor"], width: 60, style: true, machine: OtherMachine()).output
        #expect(styled.hasPrefix("\u{1B}[32mok"))
    }

    @Test func theOrderIsAlwaysTheSame() throws {
        let result = try ToolRun().run(["doctor", "--json"], socket: "/nowhere", machine: OtherMachine())
        expectEqual(result.status, .unavailable)
        let names = [Finding](json: try JSONValue(parsing: result.output)).map(\.check)
        expectEqual(
            names,
            [
                "daemon", "units", "timer", "linger", "sound server", "clock", "settings",
            ])
    }

    @Test(arguments: [
        ("inactive", "disabled", Finding.Severity.notice, "systemctl --user enable --now podcastd.socket"),
        ("failed", "enabled", .problem, "see why: journalctl --user -u podcastd -e"),
    ])
    func unitsThatDoNotStartAreTold(active: String, file: String, outcome: Finding.Severity, fix: String) throws {
        let found = try #require(
            try checks(
                machine {
                    $0.units?["podcastd.socket"] = ("loaded", file, active)
                    $0.units?["podcastd.service"] = ("loaded", "disabled", "inactive")
                })["units"])
        expectEqual(found.severity, outcome)
        expectEqual(found.fix, fix)
    }

    @Test func missingUnitsAndASilentServiceManagerAreTold() throws {
        try expectEqual(checks(machine { $0.units = [:] })["units"]?.text, "podcastd.service is not installed")
        try expectEqual(checks(machine { $0.units = nil })["units"]?.text, "systemd does not answer")
        let without = machine { $0.open.remove("/run/systemd/system") }
        try expectEqual(checks(without)["units"]?.severity, .ok)
    }

    @Test func feedsThatNobodyRefreshesAreTold() throws {
        let stopped = machine { $0.units?["podcast-refresh.timer"] = ("loaded", "disabled", "inactive") }
        try expectEqual(checks(stopped)["timer"]?.severity, .problem)
        try expectEqual(checks(stopped)["timer"]?.fix, "systemctl --user enable --now podcast-refresh.timer")
        func cron(of user: String) -> OtherMachine {
            machine {
                $0.units = [:]
                $0.folders["/etc/cron.d"] = ["podcastd-refresh"]
                $0.files["/etc/cron.d/podcastd-refresh"] = "*/30 * * * * \(user) podcast-refresh --quiet\n"
            }
        }
        try expectEqual(
            checks(cron(of: "ann"))["timer"]?.text, "cron refreshes the feeds: /etc/cron.d/podcastd-refresh")
        // The feeds of the machine's service are others.
        try expectEqual(checks(cron(of: "podcastd"))["timer"]?.severity, .notice)
        let own = machine {
            $0.units = [:]
            $0.crontab = "*/30 * * * * podcast-refresh --quiet\n"
        }
        try expectEqual(checks(own)["timer"]?.text, "cron refreshes the feeds: crontab -l")
    }

    @Test(
        arguments: [
            (
                ["podcast-refresh.timer": ("loaded", "disabled", "inactive")], 80, 1,
                "\n  systemctl --user enable --now podcast-refresh.timer\n"
            ),
            ([:], 80, 1, "\n  crontab -e, and add the line: */30 * * * * /usr/local/bin/podcast-refresh --quiet\n"),
            (["podcast-refresh.timer": ("loaded", "enabled", "active")], 80, 1, nil),
            ([:], 80, 2, nil), ([:], nil, 1, nil),
        ] as [([String: (load: String, file: String, active: String)], Int?, Int, String?)])
    func theFirstSubscriptionNamesWhatRefreshesFeedsByItself(
        units: [String: (load: String, file: String, active: String)], width: Int?, feeds: Int, advice: String?
    ) throws {
        let tool = try ToolRun()
        // The socket of a user's own daemon.
        let runtime = tool.folder.appendingPathComponent("podcastd")
        try FileManager.default.createDirectory(at: runtime, withIntermediateDirectories: true)
        let socket = runtime.appendingPathComponent("control").path
        try FileManager.default.createSymbolicLink(atPath: socket, withDestinationPath: tool.socket)
        let all = try #require(Samples.feeds["feeds"]?.arrayValue)
        tool.reply("feeds.list", ["feeds": .array(Array(all.prefix(feeds))), "hasAfter": false])
        tool.reply(
            "feeds.subscribe", ["feeds": [["url": "http://a/", "feed": all[0], "isNew": true]]])
        let desktop = machine {
            $0.units = units
            $0.variables["XDG_RUNTIME_DIR"] = tool.folder.path
        }
        let result = try tool.run(["subscribe", "http://a/"], width: width, socket: socket, machine: desktop)
        expectEqual(result.status, .success)
        #expect(result.output.contains("feeds are refreshed only by hand") == (advice != nil), "\(result.output)")
        if let advice { expectContains(result.output, advice) }
    }

    @Test func aDaemonThatEndsWithTheLogInIsTold() throws {
        let found = try checks(machine { $0.open.remove("/var/lib/systemd/linger/ann") })["linger"]
        expectEqual(found?.severity, .notice)
        expectEqual(found?.fix, "loginctl enable-linger")
    }

    @Test func aSoundServerThatDiedOrIsAnotherUsersIsTold() throws {
        let dead = try checks(machine { $0.sockets["/run/user/1000/pulse/native"] = .dead })["sound server"]
        expectEqual(dead?.severity, .problem)
        expectEqual(dead?.text.contains("PulseAudio"), true)
        let others = machine {
            $0.variables["PULSE_SERVER"] = "unix:/run/user/7/pulse/native"
            $0.sockets["/run/user/7/pulse/native"] = .forbidden
        }
        try expectEqual(checks(others)["sound server"]?.severity, .problem)
        try expectEqual(checks(machine { $0.sockets = [:] })["sound server"]?.severity, .ok)
    }

    @Test func aClockThatCannotBeRightIsTold() throws {
        let dead = try checks(machine { $0.now = Timestamp(seconds: 86_400) })["clock"]
        expectEqual(dead?.severity, .problem)
        expectEqual(dead?.text.contains("1970-01-02"), true)
        try expectEqual(checks(machine { $0.isClockKept = false })["clock"]?.severity, .notice)
        try expectEqual(checks(machine { $0.isClockKept = nil })["clock"]?.severity, .ok)
    }

    @Test(
        arguments: [
            (8 << 20, .problem), (200 << 20, .notice), (1 << 30, .ok), (nil, .problem),
        ] as [(Int64?, Finding.Severity)])
    func aFullDiskIsTold(free: Int64?, outcome: Finding.Severity) throws {
        let checks = try checks(machine { $0.free = free })
        expectEqual(checks["library space"]?.severity, outcome)
        expectEqual(checks["cache space"]?.severity, outcome)
    }

    @Test func theSystemsInstanceHasItsOwnUnits() throws {
        let found = try checks(OtherMachine(), socket: "/run/podcastd/control")
        expectEqual(found["daemon"]?.fix, "sudo systemctl enable --now podcastd.socket")
        expectEqual(found["sound server"]?.severity, .ok)
    }

    @Test func aNamedSocketSaysNothingOfUnits() throws {
        let checks = try checks(OtherMachine(), socket: "/tmp/other")
        expectEqual(checks["units"]?.text.hasPrefix("not applicable"), true)
        expectEqual(checks["daemon"]?.fix, "podcastd --socket /tmp/other")
        expectEqual(checks["library space"], nil)
    }
}
