internal import MachineSupport
internal import PodcastModel
internal import SystemCalls

/// State shared by the server's threads.
final class ServerCore: Sendable {
    struct State {
        var handlers: [String: (number: Int, handler: LoopbackServer.Handler)] = [:]
        var lastEndpoint = 0
        var fallback: LoopbackServer.Handler?
        var log: [LoggedRequest] = []
        var accepted = 0
        /// Open sockets. A thread removes a socket under the lock before closing it, so that `stop` never uses a reused
        /// descriptor.
        var connections: Set<Int32> = []
        /// Number of running threads.
        var threads = 0
        var isStopping = false
        /// Gates at which replies wait; opened when the server stops.
        var gates: [ObjectIdentifier: Gate] = [:]
    }

    /// Maximum number of connections; further ones wait to be accepted.
    static let maximumConnections = 256
    /// Maximum number of logged requests, so that a server that runs for days does not keep all of them.
    static let maximumLog = 100_000

    let state = Monitor(State())
    let port: UInt16
    private let listener: LoopbackListener

    init(port: UInt16) throws(SystemError) {
        listener = try LoopbackListener(port: port)
        self.port = listener.port
    }

    func start() throws(SystemError) { try startThread { $0.accept() } }

    func stop() {
        let gates = state.update { state in
            state.isStopping = true
            for socket in state.connections { StreamSocket.shutdown(socket) }
            return Array(state.gates.values)
        }
        listener.shutdown()
        for gate in gates { gate.open() }
        _ = state.wait { $0.threads == 0 }
    }

    /// Waits as a reply requires.
    /// - Returns: false if the server stops meanwhile.
    func pause(_ wait: Wait) -> Bool {
        switch wait {
        case .time(let duration): return !state.wait(until: .now + duration) { $0.isStopping }
        case .gate(let gate):
            let isStopping = state.update { state in
                state.gates[ObjectIdentifier(gate)] = gate
                return state.isStopping
            }
            if isStopping { return false }
            gate.pass()
            return !state.read { $0.isStopping }
        }
    }

    private func accept() {
        while let socket = try? listener.accept() {
            let raw = socket.raw
            let number: Int? = state.update { state in
                if state.isStopping { return nil }
                state.connections.insert(raw)
                state.accepted += 1
                return state.accepted
            }
            guard let number else { return }
            _ = socket.release()
            do {
                try startThread { core in
                    Connection(raw, number: number, core: core).run()
                    core.close(raw)
                }
            } catch {
                close(raw)
            }
            _ = state.wait { $0.connections.count < ServerCore.maximumConnections || $0.isStopping }
        }
    }

    private func close(_ raw: Int32) {
        state.update { state in
            state.connections.remove(raw)
            _ = FileDescriptor(owning: raw)
        }
    }

    private func startThread(
        _ body: @escaping @Sendable (ServerCore) -> Void
    ) throws(SystemError) {
        state.update { $0.threads += 1 }
        do {
            let thread = try DedicatedThread(name: .test) { [self] in
                body(self)
                state.update { $0.threads -= 1 }
            }
            thread.detach()
        } catch {
            state.update { $0.threads -= 1 }
            throw error
        }
    }
}
