internal import PodcastModel
internal import SystemCalls

/// A UPnP MediaRenderer, which fetches a file and plays it. Never blocks; one thread. A call takes effect later, in the order of the
/// calls; failures are reports. Its events only say that there is something to ask for: state, position and volume.
final class UPnPRenderer {
    private struct Call {
        var service: UPnPDescription.Service
        var action: String
        var arguments: KeyValuePairs<String, String>
        var done: (Result<XMLLeaves, Failure>) -> Void
    }

    /// Until the file plays from its position, or from that of a seek.
    private struct Start {
        var position: MediaTime
        let limit = Instant.now + UPnPRenderer.startTime
        var isPlaying = false
        var seeksLeft = 8
    }

    private struct Failure: Error { var reason: String? }

    private static let (pollTime, startPollTime) = (Duration.seconds(1), Duration.milliseconds(400))
    /// How long a renderer may take until it plays.
    private static let startTime = Duration.seconds(20)
    private static let mostFailures = 4
    private static let subscriptionSeconds = 300

    private let device: UPnPDescription
    private let requests: DeviceRequests
    /// Where the renderer sends its events.
    private let callback: String
    private var calls: [Call] = []
    private var isCalling = false
    private var reports: [RemoteReport] = []
    private var failures = 0
    private var url: String?
    private var start: Start?
    private var isPlaying = false
    /// Whether the renderer has not answered yet that it plays the file: until then other answers may concern the former file.
    private var isLoading = false
    private var nextPoll = Instant.now
    private var polls = 0
    private var subscriptions: [String: String] = [:]
    private var nextSubscription = Instant.now

    init(_ device: UPnPDescription, _ requests: DeviceRequests, callback: String) {
        self.device = device
        self.requests = requests
        self.callback = callback
    }

    // MARK: calls

    func load(_ item: RemoteItem, from position: MediaTime) {
        url = item.url
        start = Start(position: position)
        let metadata = UPnPMessages.metadata(item)
        transport("SetAVTransportURI", ["CurrentURI": item.url, "CurrentURIMetaData": metadata], isVital: true)
        transport("Play", ["Speed": "1"], isVital: true) { [self] in if url == item.url { isLoading = false } }
        isLoading = true
    }

    func play() { transport("Play", ["Speed": "1"]) }
    func pause() {
        isPlaying = false
        transport("Pause")
    }
    func seek(to position: MediaTime) {
        guard start == nil else {
            start?.position = position
            return
        }
        transport("Seek", ["Unit": "REL_TIME", "Target": UPnPMessages.time(position)])
        if isPlaying { start = Start(position: position, isPlaying: true) }
    }
    func stop() {
        // What another control point plays continues.
        guard url != nil else { return }
        url = nil
        start = nil
        isLoading = false
        calls = []
        transport("Stop")
    }
    /// - Parameter percent: from 0 to 100.
    func setVolume(_ percent: Int) {
        call(device.rendering, "SetVolume", ["Channel": "Master", "DesiredVolume": String(min(max(percent, 0), 100))])
    }

    /// - Parameter isVital: whether the file cannot be played without it.
    private func transport(
        _ action: String, _ arguments: KeyValuePairs<String, String> = [:], isVital: Bool = false,
        done: @escaping () -> Void = {}
    ) {
        call(device.transport, action, arguments) { [self] result in
            nextPoll = .now
            done()
            if isVital, case .failure(let failure) = result, failure.reason != nil || failures > 1 {
                fail(failure.reason)
            }
        }
    }

    private func fail(_ reason: String?) {
        start = nil
        isLoading = false
        calls = []
        reports.append(.failed("it does not play the file" + (reason.map { ": \($0)" } ?? "")))
    }

    private func call(
        _ service: UPnPDescription.Service, _ action: String, _ arguments: KeyValuePairs<String, String> = [:],
        done: @escaping (Result<XMLLeaves, Failure>) -> Void = { _ in }
    ) {
        calls.append(Call(service: service, action: action, arguments: arguments, done: done))
        sendNext()
    }

    private func sendNext() {
        guard !isCalling, !calls.isEmpty else { return }
        isCalling = true
        let call = calls.removeFirst()
        requests.send(
            "POST", call.service.control,
            [
                ("Content-Type", "text/xml; charset=\"utf-8\""),
                ("SOAPAction", "\"\(call.service.type)#\(call.action)\""),
            ], body: UPnPMessages.action(call.action, of: call.service.type, call.arguments)
        ) { [weak self] answer in self?.received(answer, of: call) }
    }

    private func received(_ answer: DeviceRequests.Answer?, of call: Call) {
        isCalling = false
        if let answer {
            failures = 0
            let leaves = XMLLeaves(answer.body)
            let reason = leaves["errorDescription"] ?? "\(call.action) failed with HTTP \(answer.status)"
            call.done(answer.status == 200 ? .success(leaves) : .failure(Failure(reason: reason)))
        } else {
            failures += 1
            if failures == Self.mostFailures { reports.append(.lost) }
            call.done(.failure(Failure()))
        }
        sendNext()
    }

    // MARK: reports

    /// Whether calls have not taken effect yet.
    var isBusy: Bool { isCalling || !calls.isEmpty }
    /// Without a file the renderer is asked for its volume once, and when its events say so.
    var deadline: Instant? { min(nextSubscription, isBusy || url == nil && polls > 0 ? .distantFuture : nextPoll) }

    /// An event has come.
    func notice() {
        nextPoll = .now
        polls = 0
    }

    /// The renderer's reports since the last call, oldest first.
    func process() -> [RemoteReport] {
        let now = Instant.now
        if now >= nextSubscription { subscribe() }
        if let limit = start?.limit, now > limit { fail(nil) }
        if let deadline, deadline <= now { poll() }
        return exchange(&reports, with: [])
    }

    private func poll() {
        nextPoll = .now + Self.pollTime
        if url != nil {
            call(device.transport, "GetTransportInfo") { [self] in took(state: try? $0.get()) }
            call(device.transport, "GetPositionInfo") { [self] in took(position: try? $0.get()) }
        }
        // Renderers without events.
        if polls % 5 == 0 {
            call(device.rendering, "GetVolume", ["Channel": "Master"]) { [self] in
                guard let text = (try? $0.get())?["CurrentVolume"], let volume = Int(text) else { return }
                reports.append(.volume(min(max(volume, 0), 100)))
            }
        }
        polls += 1
    }

    private func took(state answer: XMLLeaves?) {
        guard url != nil, !isLoading, let text = answer?["CurrentTransportState"] else { return }
        isPlaying = text == "PLAYING"
        // The renderer was paused or stopped before it was where it should be.
        if !isPlaying, text != "TRANSITIONING", start?.isPlaying == true { start = nil }
        switch text {
        case "PLAYING":
            if start != nil { start?.isPlaying = true } else { reports.append(.state(.playing)) }
        case "PAUSED_PLAYBACK": reports.append(.state(.paused))
        case "TRANSITIONING":
            start?.isPlaying = false
            reports.append(.state(.loading))
        case _: reports.append(.state(start == nil ? .stopped : .loading))
        }
    }

    private func took(position answer: XMLLeaves?) {
        guard let url, !isLoading, let answer else { return }
        // Another control point plays something else.
        if let other = answer["TrackURI"], other.hasPrefix("http"), other != url, start == nil {
            self.url = nil
            return reports.append(.state(.stopped))
        }
        let position = answer["RelTime"].flatMap { UPnPMessages.time($0) }
        if let start, start.isPlaying { return begin(start, at: position) }
        if start == nil, let position { reports.append(.position(position)) }
    }

    /// Seeks to where the file is to start. Renderers that have no bytes yet ignore or refuse it, so the position tells.
    private func begin(_ begun: Start, at position: MediaTime?) {
        let wanted = begun.position - MediaTime(seconds: 2)
        guard begun.seeksLeft > 0, wanted > position ?? .zero else {
            start = nil
            return reports.append(.state(.playing))
        }
        start?.seeksLeft -= position == nil ? begun.seeksLeft : 1
        call(device.transport, "Seek", ["Unit": "REL_TIME", "Target": UPnPMessages.time(begun.position)])
        nextPoll = .now + Self.startPollTime
    }

    // MARK: events (UPnP Device Architecture 1.0, section 4)

    private func subscribe() {
        nextSubscription = .now + .seconds(Self.subscriptionSeconds / 2)
        for url in [device.transport.events, device.rendering.events].compactMap(\.self) {
            let known = subscriptions[url].map { [("SID", $0)] }
            let headers = known ?? [("CALLBACK", "<\(callback)>"), ("NT", "upnp:event")]
            requests.send("SUBSCRIBE", url, headers + [("TIMEOUT", "Second-\(Self.subscriptionSeconds)")]) {
                [weak self] answer in
                // A renderer that has restarted does not know the old one.
                self?.subscriptions[url] = answer?.status == 200 ? answer?.sid ?? known?[0].1 : nil
            }
        }
    }
}
