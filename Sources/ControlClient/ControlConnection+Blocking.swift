public import ControlLanguage
public import JSON
public import PodcastModel
public import SystemCalls

// For programs that have nothing else to do while they wait.

extension ControlConnection {
    /// - Parameter file: its descriptor is sent with the request.
    /// - Throws: `refused` with the daemon's error, or why there is no reply.
    public func call<Called: Command>(_ command: Called, file: OpenFile? = nil) throws(ClientFailure) -> Called.Reply {
        let answer = try call(Request(id: nil, command), file: file)
        guard let reply = Called.Reply(json: answer) else { throw .unreadable(Called.name) }
        return reply
    }

    /// Sends a request and waits for its result as it is on the wire.
    ///
    /// - Parameter onEvent: gets the events that come meanwhile; without `onEvent`, events wait for `nextEvent` or `process`.
    /// - Throws: `refused` with the daemon's error, or why there is no result.
    public func call(
        _ request: Request, file: OpenFile? = nil, onEvent: ((ConnectionEvent) -> Void)? = nil
    ) throws(ClientFailure) -> JSONValue {
        let deadline = timeout.map { Instant.now + $0 }
        var outcome: Outcome?
        let ticket = send(request, file: file) { outcome = $0 }
        while true {
            switch outcome {
            case .reply(let json)?: return json
            case .failure(let failure)?: throw failure
            case nil: break
            }
            guard wait(until: deadline) else {
                cancel(ticket)
                throw .timedOut
            }
            step()
            if let onEvent {
                events.forEach(onEvent)
                events = []
            }
        }
    }

    /// - Parameter deadline: on CLOCK_MONOTONIC; nil for no limit.
    /// - Returns: the next event; nil if no event came before the deadline.
    /// - Throws: why the connection has ended for good.
    public func nextEvent(until deadline: Instant? = nil) throws(ClientFailure) -> ConnectionEvent? {
        while events.isEmpty {
            if case .failed(let failure) = state { throw failure }
            guard wait(until: deadline) else { return nil }
            step()
        }
        return events.removeFirst()
    }

    /// Waits until `step` has something to do. Returns false if the deadline came first.
    private func wait(until deadline: Instant?) -> Bool {
        let limit = deadline ?? .distantFuture
        let due = self.deadline ?? .distantFuture
        let isReady = waitForDescriptors(
            readable: descriptor, writable: wantsWriting ? descriptor : -1, until: min(limit, due))
        return isReady || due < limit
    }
}
