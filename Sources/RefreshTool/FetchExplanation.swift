internal import CommandLineTool
internal import FeedDocuments
internal import HTTP
internal import JSON
internal import Library
internal import PodcastModel

extension FeedFetchResult {
    private var facts: [Fact] {
        guard let answer else { return [] }
        let hints = answer.hints
        let headers = answer.headers
        return [
            Fact("status", "\(answer.status)", "status", JSONValue(answer.status)),
            Fact(nil, answer.effectiveURL, "url"), Fact("Content-Type", headers["content-type"], "contentType"),
            Fact("Content-Length", answer.contentLength.map { "\($0)" }), Fact("ETag", answer.etag, "etag"),
            Fact("Last-Modified", answer.lastModified, "lastModified"),
            Fact("Cache-Control", hints.maxAge.map { "max-age=\($0)" }, "maxAge", JSONValue(hints.maxAge)),
            Fact("Retry-After", hints.retryAfter.map { "\($0) s" }, "retryAfter", JSONValue(hints.retryAfter)),
        ]
    }

    func lines(from url: String) -> [String] {
        var lines = ["Fetched now", "  \(url)"]
        lines += redirects.map { "  \($0.status) \($0.isPermanent ? "permanent" : "temporary") to \($0.to)" }
        lines += Fact.lines(facts)
        if let moved = permanentURL(from: url) {
            lines.append("  moved permanently to \(moved); the library follows after two refreshes with this redirect")
        }
        switch outcome {
        case .document(let document):
            return lines + Inspection.lines(of: document).map { "  " + $0 }
        case .failed(let failure): return lines + ["  failed: \(failure.description)"]
        case .notModified, .sameBody: return lines + ["  nothing new"]
        }
    }

    func json(from url: String) -> JSONValue {
        let hops = redirects.map {
            JSONValue(members: ["status": $0.status, "url": $0.to, "permanent": $0.isPermanent])
        }
        let fetched = JSONValue(members: ["redirects": hops, "movedTo": permanentURL(from: url), "bytes": bytes])
            .adding("answer", answer.map { _ in Fact.json(facts) })
        return switch outcome {
        case .document(let document):
            fetched.adding("outcome", "feed").adding("title", document.contents.channel.title.json)
                .adding("format", document.format).adding("items", document.contents.items.count)
                .adding("truncated", document.isTruncated)
                .adding("diagnostics", Inspection.json(document.diagnostics))
        case .failed(let failure): fetched.adding("outcome", "failed").adding("error", failure.description)
        case .notModified, .sameBody: fetched.adding("outcome", "unchanged")
        }
    }

    /// The decision of a refresh about the older pages that the document links to, with the reason; nil without a document, and if
    /// the document links to no older page.
    func pages(of known: ExplainedFeed?, _ preview: MergePreview?) -> (line: String, json: JSONValue)? {
        guard case .document(let document) = outcome, let url = document.contents.channel.olderPage else { return nil }
        let now = known?.now ?? Timestamp(seconds: 0)
        let target = known?.target ?? RefreshTarget(id: FeedID(0), url: url, title: "")
        let isWeekly = known?.nextFullFetch.map { $0 <= now } ?? false
        let start = PageWalk.beginning(
            from: document.contents.channel, of: target, isForced: false, isWeekly: isWeekly, at: now)
        let begins = start.map { !$0.onlyOverGap || preview?.sharesNothing ?? false } ?? false
        let reason = begins ? start?.walk.reason : nil
        let isWaiting = target.pageWalk?.pending != nil
        let plan =
            switch reason {
            case .first: "followed to the last, because not all were read yet"
            case .gap: "followed to the first known episode, because nothing on the newest page is known"
            case .forced: "followed to the last, because of --force"
            case .weekly: "followed to the last, once a week"
            case nil where isWaiting: "continued"
            case nil: "not followed, because the newest page has known episodes"
            }
        return (
            "older pages, \(url): \(plan)",
            JSONValue(members: ["url": url, "reason": reason?.rawValue, "waiting": isWaiting])
        )
    }
}

extension IdentityDecision {
    var json: JSONValue {
        func names(_ names: PublishedIdentity) -> JSONValue {
            JSONValue(members: ["guid": names.guid, "url": names.url, "title": names.title])
        }
        return JSONValue(members: [
            "time": time.description, "why": kind.explanation, "episode": episode?.rawValue, "other": other?.rawValue,
            "before": names(before), "after": names(after),
        ])
    }
}

extension LeftOut {
    var json: JSONValue {
        JSONValue(members: [
            "urls": urls, "listMembers": listMembers, "textBytes": textBytes, "items": items,
            "removedEpisodes": removedEpisodes,
        ])
    }
}

extension PageWalk {
    var json: JSONValue {
        JSONValue(members: [
            "reason": reason.rawValue, "time": time.description, "pages": pages, "episodes": episodes,
            "end": end?.rawValue, "next": pending?.url, "failures": pending?.failures ?? 0, "error": pending?.error,
            "nextDue": pending?.due?.description,
        ])
    }

    var explanation: String {
        let why =
            switch reason {
            case .first: "because not all were read before"
            case .gap: "because nothing on the newest page was known"
            case .forced: "because of --force"
            case .weekly: "because of the weekly check"
            }
        var text = "\(pages) followed, \(why), \(counted(episodes, "new episode")), \(time)"
        switch end {
        case .last: text += "; all read"
        case .known: text += "; stopped at known episodes"
        case .circle: text += "; stopped because they link in a circle"
        case .limit: text += "; stopped at the limit"
        case .broken: text += "; the next one failed permanently"
        case nil: break
        }
        if let pending {
            text += "; next \(pending.url)"
            if let error = pending.error { text += ", failed \(counted(pending.failures, "time")): \(error)" }
            if let due = pending.due { text += ", next attempt \(ShownTime.complete(due))" }
        }
        return text
    }
}
