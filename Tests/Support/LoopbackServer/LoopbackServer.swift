internal import MachineSupport
internal import PodcastModel
public import SystemCalls

/// An HTTP/1.1 server on 127.0.0.1 with its own threads; stops when it is released.
public final class LoopbackServer: Sendable {
    /// Chooses the reply to a request; runs on the connection's thread.
    public typealias Handler = @Sendable (LoggedRequest) -> Answer

    /// A path of the server; served as long as this object exists.
    public final class Endpoint: Sendable {
        /// URL for clients.
        public let url: String
        private let path: String
        private let number: Int
        private let core: ServerCore

        init(url: String, path: String, number: Int, core: ServerCore) {
            self.url = url
            self.path = path
            self.number = number
            self.core = core
        }

        deinit {
            core.state.update { state in
                // A later endpoint may have replaced this one.
                if state.handlers[path]?.number == number { state.handlers[path] = nil }
            }
        }

        /// The requests to this path so far, in order.
        public var requests: [LoggedRequest] { core.state.read { [path] in $0.log.filter { $0.path == path } } }

        /// Waits until this path has received `count` requests.
        /// - Returns: false after the timeout.
        public func waitForRequests(_ count: Int, within limit: Duration = .seconds(60)) -> Bool {
            core.state.wait(until: .now + limit) { [path] state in
                state.log.count { $0.path == path } >= count
            }
        }
    }

    /// The port it listens on.
    public var port: UInt16 { core.port }
    private let core: ServerCore

    /// Starts a server.
    /// - Parameter port: 0 selects a free port.
    public init(port: UInt16 = 0) throws(SystemError) {
        core = try ServerCore(port: port)
        try core.start()
    }

    deinit { core.stop() }

    /// `http://127.0.0.1:PORT` and a path that begins with a slash.
    public func url(_ path: String) -> String { "http://127.0.0.1:\(core.port)\(path)" }

    /// Serves a path, ignoring the query; replaces an earlier endpoint at the same path.
    public func serve(_ path: String, _ handler: @escaping Handler) -> Endpoint {
        let number = core.state.update { state in
            state.lastEndpoint += 1
            state.handlers[path] = (state.lastEndpoint, handler)
            return state.lastEndpoint
        }
        return Endpoint(url: url(path), path: path, number: number, core: core)
    }

    /// Serves a path with one reply after another, then repeats the last one.
    public func serve(_ path: String, _ answers: Answer...) -> Endpoint {
        let next = Monitor(0)
        return serve(path) { _ in
            let number = next.update { number in
                defer { number += 1 }
                return number
            }
            return answers.isEmpty ? .status(404) : answers[min(number, answers.count - 1)]
        }
    }

    /// Serves all paths without an endpoint, until the server stops.
    public func serveOtherwise(_ handler: @escaping Handler) { core.state.update { $0.fallback = handler } }

    /// All requests so far, in order.
    public var requests: [LoggedRequest] { core.state.read { $0.log } }

    /// Number of connections accepted so far.
    public var acceptedConnections: Int { core.state.read { $0.accepted } }

    /// Waits until at most `count` connections are open.
    /// - Returns: false after the timeout.
    public func waitForConnections(atMost count: Int, within limit: Duration = .seconds(60)) -> Bool {
        core.state.wait(until: .now + limit) { $0.connections.count <= count }
    }

    /// Closes all connections and the port, and waits for the threads to end.
    public func stop() { core.stop() }
}
