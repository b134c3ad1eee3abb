internal import PodcastModel
internal import SystemCalls

/// A UPnP MediaRenderer: makes the calls on which `RendererMachine` decides, and subscribes to its events.
final class UPnPRenderer: RemotePlayer {
    private let device: UPnPDescription
    private let requests: DeviceRequests
    /// Where the renderer sends its events.
    private let callback: String
    private var machine = RendererMachine(at: .now)
    private var reports: [RemoteReport] = []
    /// Identifiers by the URLs of the services.
    private var subscriptions: [String: String] = [:]

    init(_ device: UPnPDescription, _ requests: DeviceRequests, callback: String) {
        self.device = device
        self.requests = requests
        self.callback = callback
    }

    var isBusy: Bool { machine.isBusy }
    var deadline: Instant { machine.deadline }

    func load(_ item: RemoteItem, from position: MediaTime) { handle(.load(item, from: position)) }
    func perform(_ order: RemoteOrder) { handle(.order(order)) }

    func abandonCall() { handle(.overdue) }

    /// The renderer has sent an event.
    func notice() { handle(.notice) }

    func process() -> [RemoteReport] {
        handle(.tick)
        return exchange(&reports, with: [])
    }

    private func handle(_ event: RendererMachine.Event) {
        for action in machine.handle(event, at: .now) {
            switch action {
            case .call(let call): send(call)
            case .subscribe: subscribe()
            case .report(let report): reports.append(report)
            }
        }
    }

    private func send(_ call: RendererMachine.Call) {
        let request = UPnPMessages.request(call, to: device)
        requests.send(request) { [weak self] answer in
            self?.handle(.answer(UPnPMessages.answer(answer, to: call), to: call))
        }
    }

    /// UPnP Device Architecture 1.0, section 4.
    private func subscribe() {
        for url in [device.transport.events, device.rendering.events].compactMap(\.self) {
            let known = subscriptions[url].map { [("SID", $0)] }
            let headers = known ?? [("CALLBACK", "<\(callback)>"), ("NT", "upnp:event")]
            requests.send("SUBSCRIBE", url, headers + [("TIMEOUT", "Second-300")]) { [weak self] answer in
                // A renderer that has restarted does not know the old one.
                self?.subscriptions[url] = answer?.status == 200 ? answer?.sid ?? known?[0].1 : nil
            }
        }
    }
}

extension DeviceRequests {
    /// Calls an action.
    func send(_ request: UPnPMessages.Request, done: @escaping (Answer?) -> Void) {
        let (service, action, arguments) = request
        send(
            "POST", service.control,
            [
                ("Content-Type", "text/xml; charset=\"utf-8\""), ("SOAPAction", "\"\(service.type)#\(action)\""),
            ], body: UPnPMessages.action(action, of: service.type, arguments), done: done)
    }
}
