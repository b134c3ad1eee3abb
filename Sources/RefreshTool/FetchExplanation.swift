internal import CommandLineTool
internal import FeedDocuments
internal import HTTP
internal import JSON
internal import Library
internal import PodcastModel

extension FeedFetchResult {
    private var facts: [Fact] {
        guard let answer else { return [] }
        let (hints, headers) = (answer.hints, answer.headers)
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
            let summary = FeedSummary()
            document.contents.items.forEach(summary.add)
            return lines + summary.lines(of: document).map { "  " + $0 }
        case .failed(let failure): return lines + ["  failed: \(failure.description)"]
        case .notModified, .sameBody: return lines + ["  nothing new"]
        }
    }

    func json(from url: String) -> JSONValue {
        let hops = redirects.map { hop -> JSONValue in
            ["status": JSONValue(hop.status), "url": .string(hop.to), "permanent": .bool(hop.isPermanent)]
        }
        var members: [JSONValue.Member] = [
            .init("redirects", .array(hops)), .init("movedTo", JSONValue(permanentURL(from: url))),
            .init("bytes", .integer(bytes)),
        ]
        if answer != nil { members.append(.init("answer", Fact.json(facts))) }
        switch outcome {
        case .document(let document):
            members += [
                .init("outcome", "feed"), .init("title", JSONValue(document.contents.channel.title)),
                .init("format", .string(document.format)), .init("items", JSONValue(document.contents.items.count)),
                .init("truncated", .bool(document.isTruncated)),
                .init("diagnostics", Inspection.json(document.diagnostics)),
            ]
        case .failed(let failure):
            members += [.init("outcome", "failed"), .init("error", .string(failure.description))]
        case .notModified, .sameBody: members.append(.init("outcome", "unchanged"))
        }
        return .object(members)
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
            ["url": .string(url), "reason": JSONValue(reason?.rawValue), "waiting": .bool(isWaiting)]
        )
    }
}

extension IdentityDecision {
    var json: JSONValue {
        func names(_ names: PublishedIdentity) -> JSONValue {
            ["guid": JSONValue(names.guid), "url": JSONValue(names.url), "title": JSONValue(names.title)]
        }
        return [
            "time": .string(time.description), "why": .string(kind.explanation),
            "episode": JSONValue(episode?.rawValue), "other": JSONValue(other?.rawValue),
            "before": names(before), "after": names(after),
        ]
    }
}

extension LeftOut {
    var json: JSONValue {
        [
            "urls": JSONValue(urls), "listMembers": JSONValue(listMembers), "textBytes": JSONValue(textBytes),
            "items": JSONValue(items), "removedEpisodes": JSONValue(removedEpisodes),
        ]
    }
}

extension PageWalk {
    var json: JSONValue {
        [
            "reason": .string(reason.rawValue), "time": .string(time.description), "pages": JSONValue(pages),
            "episodes": JSONValue(episodes), "end": JSONValue(end?.rawValue), "next": JSONValue(pending?.url),
            "failures": JSONValue(pending?.failures ?? 0), "error": JSONValue(pending?.error),
            "nextDue": JSONValue(pending?.due?.description),
        ]
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
