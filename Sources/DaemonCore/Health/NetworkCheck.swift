internal import HTTP
internal import PodcastModel
internal import Reporting
internal import Synchronization
internal import SystemCalls

/// How a host answered.
enum HostAnswer: Equatable, Sendable {
    /// With HTTP, whatever the status.
    case answered
    /// The request failed; the text is libcurl's.
    case failed(HTTPError.Kind, String)
}

/// Whether the hosts of feeds can be reached: names, connections, certificates, the proxy.
struct NetworkCheck {
    /// Hosts that are asked: enough to distinguish a network failure from one of a single host.
    private static let maximumHosts = 3
    private static let patienceSeconds = 5

    /// Whether `network.proxy` is set.
    let usesProxy: Bool
    /// The answers of `scheme://host[:port]` origins, in their order. Blocks for up to this number of seconds in total.
    let ask: (_ origins: [String], _ seconds: Int) -> [HostAnswer]

    /// Checks the hosts of these feeds; blocks for up to five seconds.
    func finding(feeds: [Feed]) -> Finding {
        let origins = Self.origins(of: feeds.map(\.url))
        guard let first = origins.first else { return .ok("no feeds with a host to check") }
        let answers = ask(origins, Self.patienceSeconds)
        let failures = zip(origins, answers).compactMap { origin, answer -> (String, HTTPError.Kind, String)? in
            if case .failed(let kind, let words) = answer { return (origin, kind, words) }
            return nil
        }
        let way = usesProxy ? " through network.proxy" : ""
        guard let (origin, kind, words) = failures.first else {
            let others = origins.count > 1 ? " and \(origins.count - 1) more" : ""
            return .ok("\(first)\(others) answered\(way)")
        }
        let finding = "\(origin)\(way): \(words)"
        return failures.count < origins.count
            ? .notice("\(finding) (\(origins.count - failures.count) of \(origins.count) answered)", fix: fix(kind))
            : .problem(finding, fix: fix(kind))
    }

    private func fix(_ kind: HTTPError.Kind) -> String {
        switch kind {
        case .resolve: usesProxy ? "check network.proxy and /etc/resolv.conf" : "check the network and /etc/resolv.conf"
        case .certificate, .tls:
            "check the clock; sudo apt install ca-certificates; or set network.ca_file to the certificates"
        default:
            usesProxy ? "check network.proxy" : "check the network and its firewall, or set network.proxy"
        }
    }

    /// The distinct `scheme://host[:port]` of URLs, at most three; without passwords and paths, which may be secret.
    static func origins(of addresses: [String]) -> [String] {
        var origins: [String] = []
        for address in addresses where HTTPURL.isHTTP(address) {
            let parts = address.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true)
            guard parts.count >= 2 else { continue }
            let host = parts[1].prefix { $0 != "?" && $0 != "#" }.split(separator: "@").last ?? ""
            let origin = "\(parts[0].lowercased())//\(host.lowercased())"
            if !host.isEmpty && !origins.contains(origin) { origins.append(origin) }
            if origins.count == maximumHosts { break }
        }
        return origins
    }
}

extension HTTPThread {
    /// Asks hosts, with the settings of every other request; see `NetworkCheck.ask`.
    func ask(_ origins: [String], within seconds: Int) -> [HostAnswer] {
        let deadline = Instant.now + .seconds(seconds)
        let questions = origins.map { origin in
            var request = HTTPRequest(origin + "/")
            request.method = .head
            request.maximumRedirects = 0
            request.timeouts = .init(
                connect: .seconds(seconds), firstByte: .seconds(seconds), stall: .seconds(seconds),
                total: .seconds(seconds))
            let question = HostQuestion()
            return (question, start(request, delegate: question))
        }
        return questions.map { question, transfer in
            // Slightly longer than libcurl's own limit, because its error says which step was slow.
            let answer = question.answer(until: deadline + .milliseconds(300))
            if answer == nil { cancel(transfer) }
            return answer ?? .failed(.timeout, "no answer within \(seconds) s")
        }
    }
}

/// One host's answer; another thread waits for it.
private final class HostQuestion: HTTPTransferDelegate, Sendable {
    private let known = Mutex<HostAnswer?>(nil)
    private let arrived = Semaphore()

    func answer(until deadline: Instant) -> HostAnswer? {
        arrived.wait(until: deadline)
        return known.withLock { $0 }
    }

    func transfer(_ transfer: HTTPTransfer, didReceive head: HTTPHead) {}
    func transfer(_ transfer: HTTPTransfer, didReceiveBody bytes: UnsafeRawBufferPointer) -> HTTPFlow { .proceed }
    func transfer(_ transfer: HTTPTransfer, didComplete result: Result<HTTPSummary, HTTPError>) {
        known.withLock { known in
            switch result {
            case .success: known = .answered
            case .failure(let error): known = .failed(error.kind, error.message)
            }
        }
        arrived.post()
    }
}
