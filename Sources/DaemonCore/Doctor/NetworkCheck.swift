internal import ControlProtocol
internal import HTTP
internal import PodcastModel
internal import Synchronization
internal import SystemCalls

/// How a host answered.
enum HostAnswer: Equatable, Sendable {
    /// With HTTP, whatever the status.
    case answered
    /// Not at all, or not as it should.
    case failed(HTTPError.Kind, String)
}

/// Asks hosts whether they are there.
protocol HostAsking: Sendable {
    /// The answers of `scheme://host[:port]` origins, in their order; waits at most so many seconds for all of them.
    func ask(_ origins: [String], within seconds: Int) -> [HostAnswer]
}

/// Whether the hosts of feeds can be reached: names, connections, certificates, the proxy.
struct NetworkCheck {
    /// Hosts that are asked: enough to tell the network from one of them.
    private static let maximumHosts = 3
    private static let patience = 3

    let hosts: any HostAsking
    /// Whether requests go through a proxy of the config's.
    let usesProxy: Bool

    /// The check, of the hosts of these feeds. Waits some seconds.
    func reply(feeds: [Feed]) -> CheckReply {
        let name = "network"
        let origins = Self.origins(of: feeds.map(\.url))
        guard let first = origins.first else { return .ok(name, "no feed whose host could be asked") }
        let answers = hosts.ask(origins, within: Self.patience)
        let failures = zip(origins, answers).compactMap { origin, answer -> (String, HTTPError.Kind, String)? in
            if case .failed(let kind, let words) = answer { return (origin, kind, words) }
            return nil
        }
        let way = usesProxy ? " through network.proxy" : ""
        guard let (origin, kind, words) = failures.first else {
            let others = origins.count > 1 ? " and \(origins.count - 1) more" : ""
            return .ok(name, "\(first)\(others) answered\(way)")
        }
        let finding = "\(origin)\(way): \(words)"
        return failures.count < origins.count
            ? .notice(
                name, "\(finding) (\(origins.count - failures.count) of \(origins.count) answered)", fix: fix(kind))
            : .needsPerson(name, finding, fix: fix(kind))
    }

    private func fix(_ kind: HTTPError.Kind) -> String {
        switch kind {
        case .resolve: usesProxy ? "check network.proxy and /etc/resolv.conf" : "check the network and /etc/resolv.conf"
        case .certificate, .tls:
            "check the clock; sudo apt install ca-certificates; or name the certificates in network.ca_file"
        default:
            usesProxy ? "check network.proxy" : "check the network and its firewall, or set network.proxy"
        }
    }

    /// `scheme://host[:port]` of addresses, each once: neither passwords nor paths, which may be secret.
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

/// Asks by HTTP, with the settings of every other request.
struct HTTPHosts: HostAsking {
    let http: HTTPThread

    func ask(_ origins: [String], within seconds: Int) -> [HostAnswer] {
        let deadline = monotonicNanoseconds() + Int64(seconds) * 1_000_000_000
        let questions = origins.map { origin in
            var request = HTTPRequest(origin + "/")
            request.method = .head
            request.maximumRedirects = 0
            request.timeouts = .init(
                connect: .seconds(seconds), firstByte: .seconds(seconds), stall: .seconds(seconds),
                total: .seconds(seconds))
            let question = HostQuestion()
            return (question, http.start(request, delegate: question))
        }
        return questions.map { question, transfer in
            // A little more than libcurl's own limit, whose words say what took so long.
            let answer = question.answer(until: deadline + 300_000_000)
            if answer == nil { http.cancel(transfer) }
            return answer ?? .failed(.timeout, "no answer within \(seconds) s")
        }
    }
}

/// One host's answer, waited for on another thread.
private final class HostQuestion: HTTPTransferDelegate, Sendable {
    private let known = Mutex<HostAnswer?>(nil)
    private let arrived = Semaphore()

    func answer(until deadline: Int64) -> HostAnswer? {
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
