internal import HTTP
internal import PodcastModel
internal import Reporting
internal import SerialThreads
internal import SystemCalls

/// Whether the hosts of feeds can be reached: names, connections, certificates, the proxy.
enum NetworkCheck {
    /// Judges the answers of hosts, by `scheme://host[:port]`; an answer with HTTP is not an error, whatever its status.
    static func finding(_ answers: [(origin: String, error: HTTPError?)], usesProxy: Bool) -> Finding {
        guard let first = answers.first?.origin else { return .ok("no feeds with a host to check") }
        let way = usesProxy ? " through network.proxy" : ""
        let failures = answers.filter { $0.error != nil }
        guard let failed = failures.first, let error = failed.error else {
            let others = answers.count > 1 ? " and \(answers.count - 1) more" : ""
            return .ok("\(first)\(others) answered\(way)")
        }
        let finding = "\(failed.origin)\(way): \(error)"
        let fix = fix(error.kind, usesProxy: usesProxy)
        if failures.count == answers.count { return .problem(finding, fix: fix) }
        return .notice("\(finding) (\(answers.count - failures.count) of \(answers.count) answered)", fix: fix)
    }

    private static func fix(_ kind: HTTPError.Kind, usesProxy: Bool) -> String {
        switch kind {
        case .resolve: usesProxy ? "check network.proxy and /etc/resolv.conf" : "check the network and /etc/resolv.conf"
        case .certificate, .tls:
            "check the clock; sudo apt install ca-certificates; or set network.ca_file to the certificates"
        default: usesProxy ? "check network.proxy" : "check the network and its firewall, or set network.proxy"
        }
    }

    /// The distinct `scheme://host[:port]` of URLs, without passwords and paths, which may be secret. At most three: enough to
    /// distinguish a network failure from one of a single host.
    static func origins(of addresses: [String]) -> [String] {
        var origins: [String] = []
        for address in addresses where WebAddress.isWeb(address) {
            let origin = "\(address.prefix { $0 != ":" }.lowercased())://\(WebAddress.authority(of: address))"
            if !origins.contains(origin) { origins.append(origin) }
            if origins.count == 3 { break }
        }
        return origins
    }
}

extension HTTPThread {
    /// Asks hosts, with the settings of every other request. Blocks for up to this number of seconds in total.
    func ask(_ origins: [String], within seconds: Int) -> [(origin: String, error: HTTPError?)] {
        let deadline = Instant.now + .seconds(seconds)
        let questions = origins.map { origin in
            var request = HTTPRequest(origin + "/")
            request.method = .head
            request.maximumRedirects = 0
            request.timeouts = .init(
                connect: .seconds(seconds), firstByte: .seconds(seconds), stall: .seconds(seconds),
                total: .seconds(seconds))
            let question = HostQuestion()
            return (origin, question, start(request, delegate: question))
        }
        return questions.map { origin, question, transfer in
            // Slightly longer than libcurl's own limit, because its error says which step was slow.
            question.arrived.wait(until: deadline + .milliseconds(300))
            switch question.answer.value {
            case .success?: return (origin, nil)
            case .failure(let error)?: return (origin, error)
            case nil:
                cancel(transfer)
                return (origin, HTTPError(.timeout, "no answer within \(seconds) s"))
            }
        }
    }
}

/// The answer of one host, for which another thread waits.
private final class HostQuestion: HTTPTransferDelegate, Sendable {
    let answer = LateBound<Result<HTTPSummary, HTTPError>>()
    let arrived = Semaphore()

    func transfer(_ transfer: HTTPTransfer, didReceive head: HTTPHead) {}
    func transfer(_ transfer: HTTPTransfer, didReceiveBody bytes: UnsafeRawBufferPointer) -> HTTPFlow { .proceed }
    func transfer(_ transfer: HTTPTransfer, didComplete result: Result<HTTPSummary, HTTPError>) {
        answer.value = result
        arrived.post()
    }
}
