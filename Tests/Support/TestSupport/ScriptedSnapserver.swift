import MachineSupport
import PodcastModel
import SystemCalls

/// The ports of a snapserver with one client, which answers as well or as badly as a test wants.
package final class ScriptedSnapserver: Sendable {
    package enum Manner: Sendable {
        case honest
        /// Sends notifications without an end, in place of an answer.
        case flooding
        /// Answers nothing.
        case silent
    }

    private let ports: Ports
    private let threads: [DedicatedThread]

    package init(_ manner: Manner = .honest) throws {
        let ports = Ports(control: try LoopbackListener(), source: try LoopbackListener())
        self.ports = ports
        threads = [
            try DedicatedThread(name: .test) {
                while let socket = try? ports.control.accept() { ports.serve(socket.raw, manner) }
            },
            try DedicatedThread(name: .test) {
                while let socket = try? ports.source.accept() { ports.hear(socket.raw) }
            },
        ]
    }

    deinit {
        ports.control.shutdown()
        ports.source.shutdown()
        for thread in threads { thread.join() }
    }

    package var controlPort: UInt16 { ports.control.port }
    package var sourcePort: UInt16 { ports.source.port }
    /// The output of podcastd that plays on it.
    package var output: String { "snapcast:127.0.0.1:\(sourcePort)?control=\(controlPort)" }

    /// The volumes that were set, in percent.
    package var volumes: [Int] { ports.volumes.read { $0 } }

    /// Waits until these volumes were set.
    package func awaitVolumes(_ volumes: [Int]) -> Bool {
        ports.volumes.wait(until: .now + .seconds(60)) { $0 == volumes }
    }
}

private final class Ports: Sendable {
    let control: LoopbackListener
    let source: LoopbackListener
    let volumes = Monitor<[Int]>([])

    init(control: consuming LoopbackListener, source: consuming LoopbackListener) {
        self.control = control
        self.source = source
    }

    /// Reads the sound as soon as it comes.
    func hear(_ socket: Int32) {
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        while let count = try? bytes.withUnsafeMutableBytes({ try StreamSocket.receive(socket, into: $0) }), count > 0 {
        }
    }

    func serve(_ socket: Int32, _ manner: ScriptedSnapserver.Manner) {
        var lines = LineBuffer()
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        while let count = try? bytes.withUnsafeMutableBytes({ try StreamSocket.receive(socket, into: $0) }), count > 0 {
            bytes.withUnsafeBytes { lines.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            while let line = lines.takeLine({ String(decoding: $0, as: UTF8.self) }) {
                switch manner {
                case .honest: guard send(answer(line), to: socket) else { return }
                case .flooding: while send(#"{"jsonrpc":"2.0","method":"Server.OnUpdate"}"#, to: socket) {}
                case .silent: break
                }
            }
        }
    }

    private func send(_ line: String, to socket: Int32) -> Bool {
        Array((line + "\r\n").utf8).withUnsafeBytes { (try? StreamSocket.send(socket, $0)) != nil }
    }

    private func answer(_ request: String) -> String {
        if let percent = request.split(separator: "\"percent\":").dropFirst().first?.prefix(while: \.isNumber) {
            volumes.update { $0.append(Int(percent) ?? -1) }
            return #"{"id":1,"jsonrpc":"2.0","result":{}}"#
        }
        let volume = #"{"percent":\#(volumes.read { $0.last } ?? 100),"muted":false}"#
        let client = #"{"id":"room","connected":true,"config":{"volume":\#(volume)}}"#
        let stream = #"{"id":"podcasts","uri":{"scheme":"tcp","host":"127.0.0.1:\#(source.port)"}}"#
        let group = #"{"stream_id":"podcasts","muted":false,"clients":[\#(client)]}"#
        return #"{"id":1,"jsonrpc":"2.0","result":{"server":{"streams":[\#(stream)],"groups":[\#(group)]}}}"#
    }
}
