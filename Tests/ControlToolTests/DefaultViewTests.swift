import CommandLineTool
import ControlLanguage
import ControlProtocol
import PodcastModel
import SystemCalls
import TestSupport
import Testing

@testable import ControlTool

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
        try view.showMembers(of: reply.json, type(of: reply).members)
        try view.output.flush()
        return try output.text
    }

    @Test func rowsAreATableOfTheirMembers() throws {
        let list = OutputListReply([OutputReply(name: "kitchen", specification: "alsa:hw:1", isEnabled: true)])
        try expectEqual(
            shown(list, width: 80),
            "NAME     KIND  SPECIFICATION  ENABLED  STATE  VOLUME  DELAY  FORMAT  REASON\n"
                + "kitchen  alsa  alsa:hw:1      true     idle   100     0\n"
        )
        try expectEqual(shown(list, width: nil), "kitchen\talsa\talsa:hw:1\ttrue\tidle\t100\t0\t\t\n")
    }

    @Test func otherMembersAreNamedUnlessThereIsOne() throws {
        try expectEqual(shown(QueueLengthReply(length: 3), width: 60), "3\n")
        try expectEqual(
            shown(RulesAppliedReply { ($0.judged, $0.changed) = (7, 2) }, width: 60), "judged: 7\nchanged: 2\n")
    }
}
