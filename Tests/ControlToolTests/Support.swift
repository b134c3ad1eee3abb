import CommandLineTool
import ControlLanguage
import ControlProtocol
import ControlTool
import Foundation
import JSON
import LineServing
import Synchronization
import SystemCalls
import TestSupport

/// podcastctl against a canned daemon, over a real socket.
final class ToolRun {
    private let served: ServedDaemon
    var daemon: CannedDaemon { served.daemon }
    var folder: URL { served.folder }
    var socket: String { served.socket }
    var server: ControlServer { served.server }

    init() throws { served = try ServedDaemon() }

    /// Answers a command from now on.
    func reply(_ command: String, _ value: JSONValue) { daemon.reply(to: command, value) }

    /// Runs a command line, split at spaces; `width` makes stdout a terminal without style.
    func run(_ line: String, width: Int? = nil, style: Bool = false) throws -> Outcome<CommandLineTool.ExitStatus> {
        try run(line.split(separator: " ").map(String.init), width: width, style: style)
    }

    func run(
        _ words: [String], width: Int? = nil, style: Bool = false, socket: String? = nil,
        machine: OtherMachine = OtherMachine()
    ) throws -> Outcome<CommandLineTool.ExitStatus> {
        let (output, errors) = (try Capture(in: folder), try Capture(in: folder))
        let path = socket ?? self.socket
        let status = ControlTool.run(
            words,
            streams: ToolStreams(
                output: ToolOutput(descriptor: output.descriptor.raw),
                errors: ToolOutput(descriptor: errors.descriptor.raw),
                terminal: Terminal(isInteractive: width != nil, width: width, usesStyle: style)),
            variable: { $0 == "PODCASTD_SOCKET" ? path : nil }, machine: machine.machine)
        return Outcome(status: status, output: try output.text, errors: try errors.text)
    }
}

/// A file that takes what a program writes.
final class Capture {
    let descriptor: FileDescriptor
    private let path: String

    init(in folder: URL) throws {
        path = folder.appendingPathComponent(UUID().uuidString).path
        descriptor = try FileDescriptor.open(path, O_RDWR | O_CREAT | O_TRUNC)
    }

    var text: String { get throws { try String(contentsOfFile: path, encoding: .utf8) } }
}
