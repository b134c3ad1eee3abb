internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import Library
internal import PodcastModel
internal import Presentation

/// Prints the results of a refresh while it runs: data to stdout, failures to stderr.
final class RefreshReportWriter {
    private let run: CommandRun
    private var count = 0
    /// With `--json`: all reports together.
    private var reply = RefreshReply()

    init(_ run: CommandRun) { self.run = run }

    func write(_ report: FeedReport) throws(ToolFailure) {
        if run.isJSON {
            run.output.write(count == 0 ? "{\"feeds\":[" : ",")
            run.output.write(json(report).text)
            addToReply(report)
        } else {
            if !run.isQuiet { try run.print(lines(report)) }
            // A program finds the failures in the document.
            for line in failures(report) {
                run.environment.errors.line("podcast-refresh: \(report.target.name): \(SafeText.line(line))")
            }
        }
        count += 1
    }

    private func addToReply(_ report: FeedReport) {
        if case .joined(let feed, let move)? = report.move {
            reply.remarks.append(text(report, joined: feed, move))
        }
        if report.isTruncated { reply.remarks.append("\(report.target.title): \(Self.truncation)") }
        guard let reason = failure(report) else { return }
        var failure = FailureReply(reason, feed: report.target.title, url: redactingAddresses(in: report.target.url))
        if case .failed(let cause) = report.outcome { failure.status = Int(cause.exitStatus.rawValue) }
        reply.errors.append(failure)
    }

    static let truncation = "the document breaks off; the episodes that are missing come with a complete one"

    private func lines(_ report: FeedReport) -> [String] {
        let title = report.target.title
        var lines: [String] = []
        if case .merged(let merge) = report.outcome {
            if !merge.added.isEmpty { lines.append("\(title): \(counted(merge.added.count, "new episode"))") }
            lines += merge.leftOut.lines.map { "\(title): not stored: \($0)" }
        }
        if report.isTruncated { lines.append("\(title): \(Self.truncation)") }
        switch report.move {
        case .followed(let move)?: lines.append("\(title): moved to \(move.url)")
        case .joined(let feed, let move)?: lines.append(text(report, joined: feed, move))
        case .pending?, .unverified?, nil: break
        }
        return lines
    }

    /// `https://old.example/feed moved to https://new.example/feed, which is A show (f5)`.
    private func text(_ report: FeedReport, joined feed: Feed, _ move: FeedMove) -> String {
        let old = redactingAddresses(in: report.target.url)
        let new = redactingAddresses(in: move.url)
        return SafeText.line("\(old) moved to \(new), which is \(feed.title) (\(feed.id.label)): subscribed once")
    }

    private func failures(_ report: FeedReport) -> [String] {
        var lines: [String] = []
        if case .pending(let move)? = report.move, let obstacle = move.obstacle,
            obstacle != report.target.move?.obstacle
        {
            lines.append("not moved to \(move.url): \(obstacle)")
        }
        if let reason = failure(report) { lines.append(reason) }
        if report.httpStatus == 410 {
            lines.append(
                "no longer refreshed; unsubscribe, set another URL (podcastctl set \(report.target.id) url URL), or "
                    + "refresh it by name")
        }
        return lines
    }

    /// All feeds are done; `busy` were left to other refreshes.
    func finish(_ summary: RefreshSummary, busy: Int) throws(ToolFailure) {
        reply.refreshed = summary.feeds - summary.failed
        reply.failed = summary.failed
        reply.newEpisodes = summary.newEpisodes
        if run.isJSON {
            if count == 0 { run.output.write("{\"feeds\":[") }
            reply.busy = busy > 0 ? busy : nil
            run.output.line("],\"summary\":\(reply.json.text)}")
        } else if !run.isQuiet {
            if let text = FeedText.refreshed(reply) {
                run.output.line(text)
            } else if busy == 0 {
                run.output.line("No feed is due" + (run.isForced ? "." : "; --force fetches all feeds now."))
            }
            if busy > 0 { run.output.line("\(counted(busy, "feed")): refreshed by another run") }
        }
        try run.environment.errors.flush()
        try run.output.flush()
    }

    static func exitStatus(_ report: FeedReport) -> ExitStatus? {
        switch report.outcome {
        case .merged, .unchanged: nil
        case .failed(let failure): failure.exitStatus
        case .postponed: .tryAgain
        }
    }

    private func failure(_ report: FeedReport) -> String? {
        switch report.outcome {
        case .merged, .unchanged: report.pages?.problem
        case .failed(let failure): failure.description
        case .postponed(let seconds): "postponed: its host accepts no requests for \(seconds) s"
        }
    }

    private func json(_ report: FeedReport) -> JSONValue {
        let target = report.target
        let row = JSONValue(members: ["id": target.id.rawValue, "title": target.title, "url": target.url])
        let judged =
            switch report.outcome {
            case .merged(let merge):
                row.adding("outcome", "merged").adding("new", merge.added.count).adding("changed", merge.changed.count)
                    .adding("leftOut", merge.leftOut == LeftOut() ? JSONValue?.none : merge.leftOut.json)
            case .unchanged: row.adding("outcome", "unchanged")
            case .failed(let failure):
                row.adding("outcome", "failed").adding("exitStatus", Int(failure.exitStatus.rawValue))
            case .postponed: row.adding("outcome", "postponed")
            }
        let explained = judged.adding("error", failure(report)).adding("pages", report.pages?.json)
            .adding("truncated", report.isTruncated ? true : nil).adding("status", report.httpStatus.json)
            .adding("movedTo", report.movedTo)
        let moved =
            switch report.move {
            case .followed(let move): explained.adding("moved", move)
            case .joined(let feed, let move):
                explained.adding("moved", move).adding("joined", text(report, joined: feed, move))
            case .pending(let move), .unverified(let move): explained.adding("pendingMove", move)
            case nil: explained
            }
        return moved.adding("nextDue", JSONValue(report.nextDue?.description))
    }
}

extension RefreshTarget {
    /// Title and address for messages.
    var name: String {
        let url = SafeText.line(redactingAddresses(in: url))
        return title == self.url ? url : "\(SafeText.line(title)) (\(url))"
    }
}
