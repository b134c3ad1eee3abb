internal import CommandLineTool
internal import FeedDocuments
internal import FeedRefresh
internal import JSON
internal import Library
internal import PodcastModel

/// What a refresh would do with the older pages that a fetched document links to, and why.
struct PageExplanation {
    private let url: String
    private let reason: PageWalk.Reason?
    private let isWaiting: Bool

    /// Nil without a document, and if the document links to no older page.
    init?(of result: FeedFetchResult, _ known: ExplainedFeed?, _ preview: MergePreview?) {
        guard case .document(let document) = result.outcome, let url = document.contents.channel.olderPage else {
            return nil
        }
        self.url = url
        let now = known?.now ?? Timestamp(seconds: 0)
        let target = known?.target ?? RefreshTarget(id: FeedID(0), url: url, title: "")
        let isWeekly = known?.nextFullFetch.map { $0 <= now } ?? false
        let start = PageWalk.beginning(
            from: document.contents.channel, of: target, isForced: false, isWeekly: isWeekly, at: now)
        let begins = start.map { !$0.onlyOverGap || preview?.sharesNothing ?? false } ?? false
        reason = begins ? start?.walk.reason : nil
        isWaiting = target.pageWalk?.pending != nil
    }

    var line: String {
        let plan =
            switch reason {
            case .first: "followed to the last, because not all were read yet"
            case .gap: "followed to the first known episode, because nothing on the newest page is known"
            case .forced: "followed to the last, because of --force"
            case .weekly: "followed to the last, once a week"
            case nil where isWaiting: "continued"
            case nil: "not followed, because the newest page has known episodes"
            }
        return "older pages, \(url): \(plan)"
    }

    var json: JSONValue {
        ["url": .string(url), "reason": JSONValue(reason?.rawValue), "waiting": .bool(isWaiting)]
    }
}

extension PageWalk {
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
