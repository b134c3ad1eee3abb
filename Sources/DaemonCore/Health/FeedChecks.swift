internal import HTTP
internal import PodcastModel
internal import Reporting
internal import SerialThreads
internal import SystemCalls

struct FeedChecks {
    private static let day: Int64 = 86_400

    let feeds: [Feed]
    let now: Timestamp
    /// The command that makes refreshes automatic.
    let enablingTimer: String

    var refresh: Finding {
        guard !feeds.isEmpty else { return .ok("no subscriptions") }
        guard let last = feeds.compactMap(\.health.lastTry).max() else {
            return .notice("no feed was refreshed yet", fix: "podcastctl refresh")
        }
        if last > now.adding(seconds: Self.day) {
            return .notice(
                "the last refresh is in the future, by \(Self.span(last.seconds - now.seconds))",
                fix: "check the clock, then podcastctl refresh --force")
        }
        if last < now.adding(seconds: -Self.day) {
            return .problem("the last refresh was \(Self.span(now.seconds - last.seconds)) ago", fix: enablingTimer)
        }
        return .ok("last refresh: \(Self.span(now.seconds - last.seconds)) ago")
    }

    /// Seconds in the largest unit that they fill.
    private static func span(_ seconds: Int64) -> String {
        let units: [(size: Int64, name: String)] = [(86_400, "day"), (3_600, "hour"), (60, "minute")]
        let unit = units.first { seconds >= $0.size } ?? (1, "second")
        return counted(max(0, Int(seconds / unit.size)), unit.name)
    }

    var failing: Finding {
        let failing = feeds.filter { $0.health.error != nil }
        guard let first = failing.first else { return .ok(counted(feeds.count, "feed")) }
        let hopeless = failing.filter {
            $0.health.isStopped || ($0.health.lastSuccess ?? $0.subscribed) < now.adding(seconds: -7 * Self.day)
        }
        guard let worst = hopeless.first else {
            return .notice(
                "\(failing.count) of \(feeds.count) failed at the last refresh; \(words(first))",
                fix: "podcast-refresh explain \(first.id.label)")
        }
        let isGone = hopeless.contains { $0.health.isStopped }
        return .problem(
            "\(hopeless.count) of \(feeds.count) have failed for a week\(isGone ? " or were permanently removed" : ""); \(words(worst))",
            fix:
                "podcast-refresh explain \(worst.id.label), then podcastctl set \(worst.id.label) url URL or unsubscribe \(worst.id.label)"
        )
    }

    private func words(_ feed: Feed) -> String { "\(feed.title): \(feed.health.error ?? "")" }
}

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
        default:
            usesProxy ? "check network.proxy" : "check the network and its firewall, or set network.proxy"
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

/// One host's answer; another thread waits for it.
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
