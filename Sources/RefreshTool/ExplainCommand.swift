internal import CommandLineTool
internal import ControlLanguage
internal import HTTP
internal import JSON
internal import Library
internal import PodcastModel

struct ExplainedFeed {
    let feed: Feed
    let target: RefreshTarget?
    let log: [FetchRecord]
    /// Decisions of refreshes about the feed's episodes, the latest first.
    let decisions: [IdentityDecision]
    /// Hosts that receive the feed's login; nil without one.
    let loginHosts: [String]?
    /// Whether the user has turned off refreshes of the feed.
    let isOff: Bool
    let now: Timestamp

    private static let shownAttempts = 8
    private static let shownDecisions = 20

    init(_ feed: Feed, _ session: LibrarySession, at now: Timestamp) throws(LibraryError) {
        let store = session.store
        self.feed = feed
        target = try store.refreshes.refreshTargets([feed.id]).first
        log = try store.refreshes.refreshLog(feed.id, limit: Self.shownAttempts)
        decisions = try store.identity.identityDecisions(of: feed.id, limit: Self.shownDecisions)
        loginHosts = target.flatMap(session.login)?.hosts
        isOff = try store.feeds.settings(of: feed.id)[FeedSetting.refresh.rawValue] == RefreshInterval.off.stored
        self.now = now
    }

    /// Time of the next unconditional request; nil before the first answer with a body.
    var nextFullFetch: Timestamp? {
        guard let target, let last = target.lastFull else { return nil }
        return RefreshSchedule().nextFullFetch(
            feed.id, last: last, falseUnchanged: target.falseUnchanged, cadence: target.cadence, at: now)
    }

    private var facts: [Fact] {
        let health = feed.health
        func time(_ label: String, _ time: Timestamp?, _ key: String) -> Fact {
            Fact(label, time.map(ShownTime.complete) ?? "never", key, JSONValue(time?.description))
        }
        return [
            Fact(nil, nil, "id", .integer(feed.id.rawValue)), Fact(nil, nil, "title", .string(feed.title)),
            Fact("address", feed.url),
        ] + feed.formerURLs.map { Fact("formerly", $0) } + [
            Fact(nil, nil, "formerURLs", feed.formerURLs.json),
            Fact("moving to", feed.move.map(describe), "move", feed.move.map(\.json) ?? .null),
            Fact("User-Agent", target?.userAgent, "userAgent"),
            Fact(
                "login hosts", loginHosts?.joinedText(", "), "loginHosts", loginHosts.json),
            Fact(
                "episodes", "\(feed.episodeCount), \(feed.unplayedCount) unplayed", "episodes",
                JSONValue(feed.episodeCount)),
            time("last success", health.lastSuccess, "lastSuccess"), time("last attempt", health.lastTry, "lastTry"),
            Fact("last error", health.error, "error"),
            Fact(
                "failures", health.failures > 0 ? "\(health.failures) in a row" : nil, "failures",
                JSONValue(health.failures)),
            Fact("ETag", target?.etag, "etag"), Fact("Last-Modified", target?.lastModified, "lastModified"),
            Fact("feed asks for", target.flatMap { describe($0.rhythm) }),
            Fact("new episodes", target?.cadence.map { "every \(describe(seconds: $0.gap))" }),
            Fact("older pages", target?.pageWalk?.explanation, "pages", target?.pageWalk?.json ?? .null),
            Fact("next due", nextDue, "nextDue", JSONValue(health.nextDue?.description)),
            Fact(nil, nil, "stopped", .bool(health.isStopped)),
            Fact(nil, nil, "dueReason", JSONValue(target?.dueReason?.rawValue)),
            Fact(
                "next full", nextFullFetch.map { "\(ShownTime.complete($0)), without conditional headers" },
                "nextFullFetch", JSONValue(nextFullFetch?.description)),
            Fact(
                "false 304", falseUnchanged.map { "\(counted($0, "wrong 'not modified' answer")) of the host" },
                "falseUnchanged", JSONValue(target?.falseUnchanged)),
        ]
    }

    private var falseUnchanged: Int? { target.flatMap { $0.falseUnchanged > 0 ? $0.falseUnchanged : nil } }

    fileprivate var json: JSONValue {
        let log = log.map { record in
            JSONValue(members: [
                "time": record.time.description, "status": record.httpStatus, "newEpisodes": record.newEpisodes,
                "bytes": record.bytes, "movedTo": record.movedTo, "error": record.error,
            ])
        }
        return Fact.json(
            facts + [Fact(nil, nil, "decisions", .array(decisions.map(\.json))), Fact(nil, nil, "log", .array(log))])
    }

    fileprivate var lines: [String] {
        var lines = ["\(feed.title) (\(feed.id.label))"] + Fact.lines(facts)
        if !log.isEmpty { lines.append("Last attempts") }
        for record in log {
            var line = "  \(ShownTime.complete(record.time))  " + (record.httpStatus.map { "\($0)" } ?? "---")
            line += "  \(record.newEpisodes) new, \(record.bytes) bytes"
            if let moved = record.movedTo { line += ", moved to \(moved)" }
            if let error = record.error { line += ", \(error)" }
            lines.append(line)
        }
        if !decisions.isEmpty { lines.append("Last decisions") }
        return lines
            + decisions.map { decision in
                let title = decision.after.title ?? decision.before.title ?? ""
                let subject = decision.episode.map { "\($0.label) \(title)" } ?? title
                return "  \(ShownTime.complete(decision.time))  \(subject): \(decision.kind.explanation)"
            }
    }

    private var nextDue: String {
        if feed.health.isStopped { return "never; refresh it by name, or set another URL" }
        if isOff { return "never, as set by the user; refresh it by name" }
        let reason = target?.dueReason.map { ", \(describe($0))" } ?? ""
        return (feed.health.nextDue.map(ShownTime.complete) ?? "now") + reason
    }

    private func describe(_ move: FeedMove) -> String {
        let origin =
            switch move.reason {
            case .redirect: "permanent redirect"
            case .announcement: "new-feed-url in the feed"
            }
        let times =
            move.sightings == 1 ? "seen once; followed when seen again" : "seen \(move.sightings) times"
        return "\(move.url) (\(origin); \(move.obstacle.map { "not followed: \($0)" } ?? times))"
    }

    private func describe(_ rhythm: UpdateRhythm) -> String? {
        var requests: [String] = []
        if let seconds = rhythm.patience { requests.append("at most one request every \(describe(seconds: seconds))") }
        if let gap = rhythm.plannedGap { requests.append("a new episode every \(describe(seconds: gap))") }
        let hours = (0..<24).filter { rhythm.quietHours >> UInt32($0) & 1 == 1 }
        if !hours.isEmpty {
            requests.append("no requests in the hours \(hours.map(String.init).joinedText(", ")) GMT")
        }
        let names = ["Sundays", "Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays"]
        let days = names.indices.filter { rhythm.quietDays >> UInt8($0) & 1 == 1 }
        if !days.isEmpty { requests.append("no requests on \(days.map { names[$0] }.joinedText(", "))") }
        if rhythm.isComplete { requests.append("no new episodes (the feed is complete)") }
        return requests.joinedText("; ").nonEmpty
    }

    private func describe(seconds: Int64) -> String {
        switch seconds {
        case ..<5400: "\((seconds + 30) / 60) min"
        case ..<172_800: "\((seconds + 1800) / 3600) h"
        default: "\((seconds + 43_200) / 86_400) days"
        }
    }

    /// Follows the time when a feed is due.
    private func describe(_ reason: DueReason) -> String {
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
}

extension CommandRun {
    /// `podcast-refresh explain FEED|URL`: what the library knows of the feed, and what a fetch brings now. The fetch is
    /// unconditional and stores nothing.
    func explain() throws(ToolFailure) -> ExitStatus {
        let word = arguments.text(RefreshDeclaration.feedOrURL) ?? ""
        let session = try openLibrary()
        var known: ExplainedFeed?
        do throws(LibraryError) {
            known = try ExplainedFeed(try session.store.feeds.resolveFeed(word), session, at: clock.wallTime)
        } catch {
            guard case .notFound = error, WebAddress.isWeb(word) else { throw session.failure(error) }
        }
        let address = GivenAddress(word)
        let url = known?.feed.url ?? address.url
        var request = FeedRequest(url: url)
        request.access = known?.target.map(session.access) ?? session.access(toURL: url)
        if let login = address.login { request.access.login = login.requestLogin }
        let result = try makeFetcher().fetch(request)
        let identity = try IdentityExplanation(of: result, known?.feed, session, at: clock.wallTime)
        let pages = result.pages(of: known, identity?.preview)
        if isJSON {
            let document = JSONValue(omittingNulls: [
                "url": url, "fetch": result.json(from: url), "identity": identity?.json,
                "pages": pages?.json, "library": known?.json,
            ])
            output.line(document.text)
        } else {
            try print(known?.lines ?? [])
            try print(result.lines(from: url))
            if let pages { try print(["  " + pages.line]) }
            try print(identity?.lines ?? [])
        }
        guard case .failed(let failure) = result.outcome else { return .success }
        return failure.exitStatus
    }
}

/// A fact, for people and for programs.
struct Fact {
    /// Nil if it is only for programs.
    private let label: String?
    private let text: String?
    /// Nil if it is only for people.
    private let member: JSONValue.Member?

    /// - Parameters:
    ///   - text: nil if there is nothing to say.
    ///   - value: null if it is unknown (default: the text).
    init(_ label: String?, _ text: String?, _ key: String? = nil, _ value: JSONValue? = nil) {
        self.label = label
        self.text = text
        member = key.map { JSONValue.Member($0, value ?? JSONValue(text)) }
    }

    /// - Parameter width: columns of a label.
    static func lines(_ facts: [Fact], width: Int = 16) -> [String] {
        facts.compactMap { fact in
            guard let label = fact.label, let text = fact.text, !text.isEmpty else { return nil }
            return "  " + label + String(repeating: " ", count: max(1, width - label.utf8.count)) + text
        }
    }

    static func json(_ facts: [Fact]) -> JSONValue { .object(facts.compactMap(\.member)) }
}
