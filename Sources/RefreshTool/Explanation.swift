internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import FeedDocuments
internal import FeedRefresh
internal import JSON
internal import LibraryModel
internal import PodcastModel

/// What the library knows of a feed that is explained.
struct ExplainedFeed {
    let feed: Feed
    let target: RefreshTarget?
    let log: [FetchRecord]
    /// What refreshes decided about its episodes, the latest first.
    let decisions: [IdentityDecision]
    /// Hosts that receive its login; nil without one.
    let loginHosts: [String]?
    /// Whether the user has turned off its refreshing.
    let isOff: Bool
    let schedule = RefreshSchedule()
    let now: Timestamp

    /// Time of the next unconditional request; nil before the first answer with a body.
    var nextFullFetch: Timestamp? {
        guard let target, let last = target.lastFull else { return nil }
        return schedule.nextFullFetch(
            feed.id, last: last, falseUnchanged: target.falseUnchanged, cadence: target.cadence, at: now)
    }
}

extension RefreshCommands {
    // MARK: - For people

    func tell(_ known: ExplainedFeed, _ output: ToolOutput) throws(ToolFailure) {
        let (feed, target) = (known.feed, known.target)
        func fact(_ name: String, _ value: String?) throws(ToolFailure) {
            guard let value else { return }
            let spaces = String(repeating: " ", count: max(1, 16 - name.utf8.count))
            try output.line("  \(name)\(spaces)\(SafeText.line(value))")
        }
        try output.line("\(SafeText.line(feed.title)) (\(feed.id.label))")
        try fact("address", feed.url)
        for url in feed.formerURLs { try fact("formerly", url) }
        if let move = feed.move { try fact("moving to", Self.words(move)) }
        try fact("User-Agent", target?.userAgent)
        try fact("login hosts", known.loginHosts?.joined(separator: ", "))
        try fact("episodes", "\(feed.episodeCount), \(feed.unplayedCount) unplayed")
        try fact("last success", feed.health.lastSuccess.map(ShownTime.complete) ?? "never")
        try fact("last attempt", feed.health.lastTry.map(ShownTime.complete) ?? "never")
        try fact("last error", feed.health.error)
        if feed.health.failures > 0 { try fact("failures", "\(feed.health.failures) in a row") }
        try fact("ETag", target?.etag)
        try fact("Last-Modified", target?.lastModified)
        try fact("feed asks for", target.flatMap { Self.words($0.rhythm) })
        try fact("new episodes", target?.cadence.map { "every \(Self.words(seconds: $0.gap))" })
        try fact("older pages", target?.pageWalk?.explanation)
        if feed.health.isStopped {
            try fact("next due", "never; refresh it by name, or set another URL")
        } else if known.isOff {
            try fact("next due", "never, as set by the user; refresh it by name")
        } else {
            let reason = target?.dueReason.map { ", \(Self.words($0))" } ?? ""
            try fact("next due", (feed.health.nextDue.map(ShownTime.complete) ?? "now") + reason)
        }
        try fact("next full", known.nextFullFetch.map { "\(ShownTime.complete($0)), without conditional headers" })
        if let count = target?.falseUnchanged, count > 0 {
            try fact("false 304", "\(counted(count, "wrong 'not modified' answer")) of the host")
        }
        if !known.log.isEmpty { try output.line("Last attempts") }
        for record in known.log {
            var line = "  \(ShownTime.complete(record.time))  " + (record.httpStatus.map { "\($0)" } ?? "---")
            line += "  \(record.newEpisodes) new, \(record.bytes) bytes"
            if let moved = record.movedTo { line += ", moved to \(moved)" }
            if let error = record.error { line += ", \(error)" }
            try output.line(SafeText.line(line))
        }
        if !known.decisions.isEmpty { try output.line("Last decisions") }
        for decision in known.decisions {
            let title = decision.after.title ?? decision.before.title ?? ""
            let subject = decision.episode.map { "\($0.label) \(title)" } ?? title
            let reason = IdentityExplanation.words(for: decision.kind)
            try output.line(SafeText.line("  \(ShownTime.complete(decision.time))  \(subject): \(reason)"))
        }
    }

    func tell(_ result: FeedFetchResult, from url: String, _ output: ToolOutput) throws(ToolFailure) {
        try output.line("Fetched now")
        try output.line("  \(SafeText.line(url))")
        for redirect in result.redirects {
            let kind = redirect.isPermanent ? "permanent" : "temporary"
            try output.line("  \(redirect.status) \(kind) to \(SafeText.line(redirect.url))")
        }
        if let answer = result.answer {
            for (name, value) in Self.facts(answer) { try output.line("  \(name): \(SafeText.line(value))") }
        }
        if let moved = result.permanentURL(from: url) {
            try output.line(
                "  moved permanently to \(SafeText.line(moved)); the library follows after two refreshes with this redirect"
            )
        }
        switch result.outcome {
        case .document(let document):
            for line in InspectionText.lines(of: document, .init(document.contents.items, .text)) {
                try output.line("  " + SafeText.line(line))
            }
        case .failed(let failure): try output.line("  failed: \(SafeText.line(failure.description))")
        case .notModified, .sameBody: try output.line("  nothing new")
        }
    }

    private static func words(_ move: FeedMove) -> String {
        let who =
            switch move.reason {
            case .redirect: "permanent redirect"
            case .announcement: "new-feed-url in the feed"
            }
        let times =
            move.sightings == 1 ? "seen once; followed when seen again" : "seen \(move.sightings) times"
        return "\(move.url) (\(who); \(move.obstacle.map { "not followed: \($0)" } ?? times))"
    }

    private static func words(_ rhythm: UpdateRhythm) -> String? {
        var requests: [String] = []
        if let seconds = rhythm.patience { requests.append("at most one request every \(words(seconds: seconds))") }
        if let gap = rhythm.plannedGap { requests.append("a new episode every \(words(seconds: gap))") }
        let hours = (0..<24).filter { rhythm.quietHours >> UInt32($0) & 1 == 1 }
        if !hours.isEmpty {
            requests.append("no requests in the hours \(hours.map(String.init).joined(separator: ", ")) GMT")
        }
        let names = ["Sundays", "Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays"]
        let days = names.indices.filter { rhythm.quietDays >> UInt8($0) & 1 == 1 }
        if !days.isEmpty { requests.append("no requests on \(days.map { names[$0] }.joined(separator: ", "))") }
        if rhythm.isComplete { requests.append("no new episodes (the feed is complete)") }
        return requests.isEmpty ? nil : requests.joined(separator: "; ")
    }

    private static func words(seconds: Int64) -> String {
        switch seconds {
        case ..<5400: "\((seconds + 30) / 60) min"
        case ..<172_800: "\((seconds + 1800) / 3600) h"
        default: "\((seconds + 43_200) / 86_400) days"
        }
    }

    /// The reason for the time when a feed is due; follows that time.
    private static func words(_ reason: DueReason) -> String {
        switch reason {
        case .usual: "because its schedule is unknown"
        case .cadence: "from the interval of its episodes"
        case .unchanged: "because nothing was new"
        case .daily: "because each feed is refreshed at least daily"
        case .hourly: "because each feed is refreshed at most hourly"
        case .server: "requested by its server"
        case .publisher: "requested by the feed"
        case .quietTime: "after the hours or days to skip of the feed"
        case .complete: "because the feed is complete"
        case .olderPage: "because an older page failed"
        case .failure: "after a failure"
        case .gone: "because it was permanently removed"
        case .setting: "as set by the user"
        }
    }

    private static func facts(_ answer: FeedAnswer) -> [(String, String)] {
        var facts = [("status", "\(answer.status)")]
        if let type = answer.contentType { facts.append(("Content-Type", type)) }
        if let length = answer.contentLength { facts.append(("Content-Length", "\(length)")) }
        if let etag = answer.etag { facts.append(("ETag", etag)) }
        if let date = answer.lastModified { facts.append(("Last-Modified", date)) }
        if let age = answer.hints.maxAge { facts.append(("Cache-Control", "max-age=\(age)")) }
        if let seconds = answer.hints.retryAfter { facts.append(("Retry-After", "\(seconds) s")) }
        return facts
    }

    // MARK: - As JSON

    static func json(_ result: FeedFetchResult, from url: String) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init(
                "redirects",
                .array(
                    result.redirects.map { redirect in
                        [
                            "status": JSONValue(redirect.status), "url": .string(redirect.url),
                            "permanent": .bool(redirect.isPermanent),
                        ]
                    })),
            .init("movedTo", JSONValue(result.permanentURL(from: url))), .init("bytes", .integer(result.bytes)),
        ]
        if let answer = result.answer {
            members.append(
                .init(
                    "answer",
                    [
                        "status": JSONValue(answer.status), "url": .string(answer.url),
                        "contentType": JSONValue(answer.contentType), "etag": JSONValue(answer.etag),
                        "lastModified": JSONValue(answer.lastModified),
                        "maxAge": answer.hints.maxAge.map { .integer($0) } ?? .null,
                        "retryAfter": answer.hints.retryAfter.map { .integer($0) } ?? .null,
                    ]))
        }
        switch result.outcome {
        case .document(let document):
            members.append(.init("outcome", "feed"))
            members.append(.init("title", JSONValue(document.contents.channel.title)))
            members.append(.init("format", .string(document.format)))
            members.append(.init("items", JSONValue(document.contents.items.count)))
            members.append(.init("truncated", .bool(document.isTruncated)))
            members.append(
                .init(
                    "diagnostics",
                    .array(
                        document.diagnostics.map { diagnostic in
                            [
                                "line": JSONValue(diagnostic.line), "column": JSONValue(diagnostic.column),
                                "message": .string(diagnostic.message),
                            ]
                        })))
        case .failed(let failure):
            members.append(.init("outcome", "failed"))
            members.append(.init("error", .string(failure.description)))
        case .notModified, .sameBody: members.append(.init("outcome", "unchanged"))
        }
        return .object(members)
    }

    private static func names(_ names: PublishedIdentity) -> JSONValue {
        ["guid": JSONValue(names.guid), "url": JSONValue(names.url), "title": JSONValue(names.title)]
    }

    static func json(_ known: ExplainedFeed) -> JSONValue {
        let (feed, target) = (known.feed, known.target)
        let loginHosts: JSONValue = known.loginHosts.map { hosts in .array(hosts.map { .string($0) }) } ?? .null
        return [
            "id": .integer(feed.id.rawValue), "title": .string(feed.title), "episodes": JSONValue(feed.episodeCount),
            "lastSuccess": JSONValue(feed.health.lastSuccess?.description),
            "lastTry": JSONValue(feed.health.lastTry?.description), "error": JSONValue(feed.health.error),
            "failures": JSONValue(feed.health.failures), "nextDue": JSONValue(feed.health.nextDue?.description),
            "etag": JSONValue(target?.etag), "lastModified": JSONValue(target?.lastModified),
            "stopped": .bool(feed.health.isStopped), "dueReason": JSONValue(target?.dueReason?.rawValue),
            "nextFullFetch": JSONValue(known.nextFullFetch?.description),
            "falseUnchanged": JSONValue(target?.falseUnchanged), "userAgent": JSONValue(target?.userAgent),
            "loginHosts": loginHosts,
            "pages": target?.pageWalk?.json ?? .null,
            "formerURLs": .array(feed.formerURLs.map { .string($0) }),
            "move": feed.move.map { MoveReply(move: $0).json } ?? .null,
            "decisions": .array(
                known.decisions.map { decision in
                    [
                        "time": .string(decision.time.description),
                        "why": .string(IdentityExplanation.words(for: decision.kind)),
                        "episode": decision.episode.map { .integer($0.rawValue) } ?? .null,
                        "other": decision.other.map { .integer($0.rawValue) } ?? .null,
                        "before": names(decision.before), "after": names(decision.after),
                    ]
                }),
            "log": .array(
                known.log.map { record in
                    [
                        "time": .string(record.time.description), "status": JSONValue(record.httpStatus),
                        "newEpisodes": JSONValue(record.newEpisodes), "bytes": .integer(record.bytes),
                        "movedTo": JSONValue(record.movedTo), "error": JSONValue(record.error),
                    ]
                }),
        ]
    }
}
