internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import FeedRefresh
internal import HTTP
internal import JSON
internal import LibraryModel
internal import PodcastModel

/// Prints the results of a refresh while it runs: data to stdout, failures to stderr.
final class RefreshReportWriter {
    private let output: ToolOutput
    private let errors: ToolOutput
    private let isJSON: Bool
    private let isQuiet: Bool
    private let isForced: Bool
    private var count = 0
    /// With `--json`: all reports together.
    private var reply = RefreshReply()

    init(output: ToolOutput, errors: ToolOutput, isJSON: Bool, isQuiet: Bool, isForced: Bool) {
        self.isForced = isForced
        self.output = output
        self.errors = errors
        self.isJSON = isJSON
        self.isQuiet = isQuiet
    }

    /// One feed is done.
    func write(_ report: FeedReport) throws(ToolFailure) {
        if isJSON {
            try output.write(count == 0 ? "{\"feeds\":[" : ",")
            try output.write(Self.json(report).text)
            noteForSummary(report)
        } else if !isQuiet, case .merged(let merge) = report.outcome, !merge.added.isEmpty {
            try output.line("\(SafeText.line(report.target.title)): \(counted(merge.added.count, "new episode"))")
        }
        if !isJSON, !isQuiet, case .merged(let merge) = report.outcome {
            for line in merge.leftOut.lines {
                try output.line("\(SafeText.line(report.target.title)): not stored: \(line)")
            }
        }
        count += 1
        if !isJSON, !isQuiet {
            if report.isTruncated {
                try output.line("\(SafeText.line(report.target.title)): \(Self.truncation)")
            }
            switch report.move {
            case .followed(let move)?:
                try output.line("\(SafeText.line(report.target.title)): moved to \(SafeText.line(move.url))")
            case .joined(let feed, let move)?: try output.line(Self.text(report, joined: feed, move))
            case .pending?, nil: break
            }
        }
        // A program finds the failures in the document.
        if !isJSON { try tellFailures(report) }
    }

    private func noteForSummary(_ report: FeedReport) {
        if case .joined(let feed, let move)? = report.move {
            reply.joined.append(Self.text(report, joined: feed, move))
        }
        guard let reason = Self.failure(report) else { return }
        var failure = FailureReply(
            reason, feed: report.target.title, url: HTTPURL.redacted(report.target.url))
        if case .failed(let cause) = report.outcome { failure.status = Int(cause.exitStatus.rawValue) }
        reply.errors.append(failure)
    }

    /// What is reported of a truncated document.
    static let truncation = "the document breaks off; the episodes that are missing come with a complete one"

    /// `https://old.example/feed moved to https://new.example/feed, which is A show (f5)`.
    private static func text(_ report: FeedReport, joined feed: Feed, _ move: FeedMove) -> String {
        let (old, new) = (HTTPURL.redacted(report.target.url), HTTPURL.redacted(move.url))
        return SafeText.line("\(old) moved to \(new), which is \(feed.title) (\(feed.id.label)): subscribed once")
    }

    private func tellFailures(_ report: FeedReport) throws(ToolFailure) {
        if case .pending(let move)? = report.move, let obstacle = move.obstacle,
            obstacle != report.target.move?.obstacle
        {
            try errors.line(
                "podcast-refresh: \(report.target.name): not moved to \(SafeText.line(move.url)): "
                    + SafeText.line(obstacle))
        }
        if let reason = Self.failure(report) {
            try errors.line("podcast-refresh: \(report.target.name): \(SafeText.line(reason))")
        }
        if report.httpStatus == 410 {
            try errors.line(
                "podcast-refresh: \(report.target.name): no longer refreshed; unsubscribe, set another URL "
                    + "(podcastctl set \(report.target.id) url URL), or refresh it by name")
        }
    }

    /// All feeds are done; `busy` were left to other refreshes.
    func finish(_ summary: RefreshSummary, busy: Int) throws(ToolFailure) {
        if isJSON {
            if count == 0 { try output.write("{\"feeds\":[") }
            reply.refreshed = summary.feeds - summary.failed
            (reply.failed, reply.newEpisodes) = (summary.failed, summary.newEpisodes)
            reply.busy = busy > 0 ? busy : nil
            try output.line("],\"summary\":\(reply.json.text)}")
        } else if !isQuiet {
            if summary.feeds > 0 || busy == 0 { try output.line(text(summary)) }
            if busy > 0 { try output.line("\(counted(busy, "feed")): refreshed by another run") }
        }
        try errors.flush()
        try output.flush()
    }

    /// The status to exit with for a feed that failed.
    static func exitStatus(_ report: FeedReport) -> ExitStatus? {
        switch report.outcome {
        case .merged, .unchanged: nil
        case .failed(let failure): failure.exitStatus
        case .postponed: .tryAgain
        }
    }

    private static func failure(_ report: FeedReport) -> String? {
        switch report.outcome {
        case .merged, .unchanged: report.pages?.problem
        case .failed(let failure): failure.description
        case .postponed(let seconds): "postponed: its host accepts no requests for \(seconds) s"
        }
    }

    private func text(_ summary: RefreshSummary) -> String {
        if summary.feeds == 0 { return isForced ? "No feed is due." : "No feed is due; --force fetches all feeds now." }
        let news = "\(counted(summary.newEpisodes, "new episode"))"
        if summary.failed == 0 { return "\(counted(summary.feeds, "feed")): \(news)" }
        return "\(summary.feeds - summary.failed) refreshed, \(summary.failed) failed; \(news)"
    }

    private static func json(_ report: FeedReport) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("id", .integer(report.target.id.rawValue)),
            .init("title", .string(report.target.title)),
            .init("url", .string(report.target.url)),
        ]
        switch report.outcome {
        case .merged(let merge):
            members.append(.init("outcome", "merged"))
            members.append(.init("new", JSONValue(merge.added.count)))
            members.append(.init("changed", JSONValue(merge.changed.count)))
            if merge.leftOut != LeftOut() { members.append(.init("leftOut", merge.leftOut.json)) }
        case .unchanged: members.append(.init("outcome", "unchanged"))
        case .failed(let failure):
            members.append(.init("outcome", "failed"))
            members.append(.init("exitStatus", .integer(Int64(failure.exitStatus.rawValue))))
        case .postponed: members.append(.init("outcome", "postponed"))
        }
        if let reason = failure(report) { members.append(.init("error", .string(reason))) }
        if let pages = report.pages { members.append(.init("pages", pages.json)) }
        if report.isTruncated { members.append(.init("truncated", .bool(true))) }
        members.append(.init("status", JSONValue(report.httpStatus)))
        if let moved = report.movedTo { members.append(.init("movedTo", .string(moved))) }
        switch report.move {
        case .followed(let move): members.append(.init("moved", MoveReply(move: move).json))
        case .joined(let feed, let move):
            members.append(.init("moved", MoveReply(move: move).json))
            members.append(.init("joined", .string(text(report, joined: feed, move))))
        case .pending(let move): members.append(.init("pendingMove", MoveReply(move: move).json))
        case nil: break
        }
        members.append(.init("nextDue", JSONValue(report.nextDue?.description)))
        return .object(members)
    }
}

extension RefreshTarget {
    /// Title and address for messages.
    var name: String {
        let url = SafeText.line(HTTPURL.redacted(url))
        return title == self.url ? url : "\(SafeText.line(title)) (\(url))"
    }
}

extension LeftOut {
    /// As reports and explanations show it.
    var json: JSONValue {
        [
            "urls": JSONValue(urls), "listMembers": JSONValue(listMembers), "textBytes": JSONValue(textBytes),
            "items": JSONValue(items), "removedEpisodes": JSONValue(removedEpisodes),
        ]
    }
}

extension PageWalk {
    /// As reports and explanations show it.
    var json: JSONValue {
        [
            "reason": .string(reason.rawValue), "time": .string(time.description), "pages": JSONValue(pages),
            "episodes": JSONValue(episodes), "end": JSONValue(end?.rawValue), "next": JSONValue(pending?.url),
            "failures": JSONValue(pending?.failures ?? 0), "error": JSONValue(pending?.error),
            "nextDue": JSONValue(pending?.due?.description),
        ]
    }
}
