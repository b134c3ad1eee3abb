internal import CommandLineTool
internal import Glibc
internal import LoopbackServer
internal import SystemCalls

let root = OptionDeclaration("root", "DIR", .folder, help: "The folder whose files are served; the current one by default.")
let port = OptionDeclaration("port", "N", .integer(0...65_535), help: "The port; one that is free by default.")
let rate = OptionDeclaration(
    "rate", "BYTES", .integer(1...1_000_000_000), help: "Send no more than so many bytes a second on a connection.")
let delay = OptionDeclaration("delay", "MS", .integer(0...600_000), help: "Wait so many milliseconds before each answer.")

let program = ProgramDeclaration(
    "podcast-demo-server", "Serve files on this machine's loopback address",
    details: [
        "Prints the server's URL and serves until its standard input is closed or it receives SIGTERM or SIGINT."
    ],
    options: [root, port, rate, delay])

/// Waits until stdin ends or a signal asks to stop; either is how whoever started the server lets it go.
func waitForEnd() {
    var (signals, set) = (signalfd_siginfo(), sigset_t())
    sigemptyset(&set)
    sigaddset(&set, SIGTERM)
    sigaddset(&set, SIGINT)
    sigprocmask(SIG_BLOCK, &set, nil)
    let descriptor = signalfd(-1, &set, Int32(SFD_CLOEXEC.rawValue))
    defer { close(descriptor) }
    var polled = [pollfd(fd: 0, events: Int16(POLLIN), revents: 0), pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
    var ignored = [UInt8](repeating: 0, count: 4096)
    while true {
        if poll(&polled, 2, -1) < 0 && errno != EINTR { return }
        if polled[1].revents != 0 {
            _ = read(descriptor, &signals, MemoryLayout<signalfd_siginfo>.size)
            return
        }
        if polled[0].revents != 0 && read(0, &ignored, ignored.count) <= 0 { return }
    }
}

let status = program.run { (arguments, output) throws(ToolFailure) in
    let path = arguments.text(root) ?? "."
    let folder = Folder(path)
    var faults: [Fault] = []
    if let bytes = arguments.integer(rate) { faults.append(.rate(Int(bytes))) }
    let pause = arguments.integer(delay).map { Wait.time(.milliseconds($0)) }
    do throws(SystemError) {
        guard try FileStatus(path: path).isFolder else { throw SystemError(code: ENOTDIR, call: path) }
        let server = try LoopbackServer(port: UInt16(arguments.integer(port) ?? 0))
        server.serveOtherwise { [faults] request in
            let answer = folder.resource(request.path).map { Answer.resource($0, faults: faults) } ?? .status(404)
            return pause.map { .after($0, answer) } ?? answer
        }
        waitForEndAfter(server.url(""), output)
        server.stop()
        return .success
    } catch {
        throw ToolFailure(error.call.hasPrefix("bind") ? .unavailable : .noInput, error.description)
    }
}
exit(status.rawValue)
