internal import CommandLineTool
internal import Glibc
internal import LoopbackServer
internal import PodcastModel
internal import SystemCalls

let root = OptionDeclaration(
    "root", nil, "DIR", .folder, help: "The folder whose files are served; the current one by default.")
let port = OptionDeclaration("port", nil, "N", .integer(0...65_535), help: "The port; a free one by default.")
let rate = OptionDeclaration(
    "rate", nil, "BYTES", .integer(1...1_000_000_000), help: "Send at most so many bytes a second on a connection.")
let delay = OptionDeclaration(
    "delay", nil, "MS", .integer(0...600_000), help: "Wait so many milliseconds before each answer.")

let program = ProgramDeclaration(
    "podcast-demo-server", "Serve files on this machine's loopback address",
    details: ["Prints the server's URL and serves until its standard input is closed or a signal asks it to end."],
    options: [root, port, rate, delay])

/// Waits until stdin is closed or a signal arrives; the program that started the server ends it in one of these ways.
func waitForEnd(_ signals: borrowing SignalDescriptor) throws(SystemError) {
    var ignored = [UInt8](repeating: 0, count: 4096)
    while true {
        waitForDescriptors(readable: signals.raw, 0, writable: -1, until: .distantFuture)
        if try signals.next(until: .distantPast) != nil { return }
        // After a signal alone this read would block, but then the line above has returned.
        if try retrying("read", { read(0, &ignored, ignored.count) }) == 0 { return }
    }
}

func serve(_ arguments: ParsedArguments, _ output: ToolOutput) throws(ToolFailure) -> CommandLineTool.ExitStatus {
    let path = arguments.text(root) ?? "."
    let faults = arguments.integer(rate).map { [Fault.rate(Int($0))] } ?? []
    let pause = arguments.integer(delay).map { Wait.time(.milliseconds($0)) }
    do throws(SystemError) {
        guard try FileStatus(path: path).isFolder else { throw SystemError(code: ENOTDIR, call: path) }
        let signals = try SignalDescriptor(catching: [SIGTERM, SIGINT])
        let server = try LoopbackServer(port: UInt16(arguments.integer(port) ?? 0))
        let folder = Folder(path)
        server.serveOtherwise { request in
            let answer = folder.resource(request.path).map { Answer.resource($0, faults: faults) } ?? .status(404)
            return pause.map { .after($0, answer) } ?? answer
        }
        do throws(ToolFailure) {
            output.line(server.url(""))
            try output.flush()
        } catch {
            // stdout is closed, so no program can read the URL.
            return error.status
        }
        try waitForEnd(signals)
        server.stop()
        return .success
    } catch {
        throw ToolFailure(error.code == EADDRINUSE ? .unavailable : .noInput, error.description)
    }
}

exit(program.run { (arguments, output) throws(ToolFailure) in try serve(arguments, output) }.rawValue)
