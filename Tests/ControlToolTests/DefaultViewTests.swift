import CommandLineTool
import ControlLanguage
import ControlProtocol
@testable import ControlTool
import Foundation
import JSON
import PodcastModel
import SystemCalls
import Testing
import TestSupport

/// Commands without a view are shown by the members that their replies declare.
@Suite(.ownThread) struct DefaultViewTests {
    private func shown(_ reply: some ReplyObject, _ options: [String] = [], width: Int?) throws -> String {
        let tool = try ToolRun()
        let output = try Capture(in: tool.folder)
        let view = try View(
            parsed: ControlProgram.declaration.parse(["outputs"] + options),
            streams: ToolStreams(
                output: ToolOutput(descriptor: output.descriptor.raw), errors: ToolOutput(descriptor: 2),
                terminal: Terminal(isInteractive: width != nil, width: width, usesStyle: false)),
            socket: "", machine: OtherMachine().machine)
        view.showMembers(of: reply.json, type(of: reply).members)
        try view.output.flush()
        return try output.text
    }

    @Test func rowsAreATableOfTheirMembers() throws {
        let list = OutputListReply([OutputReply(OutputSetup("kitchen", "alsa:hw:1"))])
        try expectEqual(
            shown(list, width: 100),
            "NAME     SPECIFICATION  ENABLED  VOLUME  DELAY  KIND  STATE  FORMAT  ATSPEEDONE  REASON\n"
                + "kitchen  alsa:hw:1      true     100     0      alsa  idle           false\n"
        )
        try expectEqual(shown(list, width: nil), "kitchen\talsa:hw:1\ttrue\t100\t0\talsa\tidle\t\tfalse\t\n")
    }

    @Test func otherMembersAreNamedUnlessThereIsOne() throws {
        try expectEqual(shown(QueueLengthReply(length: 3), width: 60), "3\n")
        try expectEqual(
            shown(RulesAppliedReply { ($0.judged, $0.changed) = (7, 2) }, width: 60), "judged: 7\nchanged: 2\n")
    }
}

@Suite(.ownThread) struct DatesAndQuestionsTests {
    private let tool: ToolRun

    init() throws { tool = try ToolRun() }

    @Test func rulesThatWouldChangeManyEpisodesNeedAYes() throws {
        tool.reply("rules.apply", ["judged": 906, "changed": 51])
        let refused = try tool.run("rules apply")
        expectEqual(refused.status, .usage)
        expectContains(refused.errors, "the rules would change 51 episodes; nothing was changed")
        try expectEqual(tool.run("rules apply --yes").output, "906 episodes checked, 51 changed\n")
        try expectContains(
            tool.run("rules apply --all --try").output, "906 episodes would be checked, 51 would be changed")
        tool.reply("rules.apply", ["judged": 906, "changed": 50])
        try expectEqual(tool.run("rules apply").output, "906 episodes checked, 50 changed\n")
    }

    @Test func theHistoryShowsEachDayOnceOnATerminal() throws {
        let rows = [(2, 9, "Three"), (2, 8, "Two"), (1, 23, "One")].map { day, hour, title in
            HeardReply {
                $0.record.time = Timestamp(year: 2026, month: 11, day: day, second: hour * 3600)
                $0.record.title = title
            }
        }
        tool.reply("episodes.history", HistoryReply(rows).json)
        let lines = try tool.run("history --utc", width: 80).output.split(separator: "\n")
        #expect(lines[1].contains("2026-11-02 09:00Z") && lines[3].contains("2026-11-01 23:00Z"))
        #expect(lines[2].contains(" 08:00Z") && !lines[2].contains("2026"))
        let piped = try tool.run("history --utc").output
        expectEqual(piped.split(separator: "\n").filter { $0.hasPrefix("2026-11-02T") }.count, 2)
    }

    @Test func aTemplateShowsDatesInTheTimeOfThePlace() throws {
        tool.reply("episodes.list", Samples.list)
        let local = try tool.run(["episodes", "--format", "{published:date} {published:local}"]).output
        for line in local.split(separator: "\n") {
            let words = line.split(separator: " ")
            #expect(words.count == 2 && words[0].count == 10 && words[1].hasPrefix(words[0]) && words[1].count > 19)
        }
        try expectContains(tool.run(["episodes", "--format", "{published:day}"]).errors, "{published:local}")
    }
}
