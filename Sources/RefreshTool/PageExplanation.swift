internal import FeedParsing
internal import FeedRefresh
internal import JSON
internal import LibraryModel
internal import PodcastModel

/// What a refresh would do with the older pages that a fetched document names, and why.
struct PageExplanation {
    private let url: String
    private let reason: PageWalk.Reason?
    private let isWaiting: Bool

    /// Nil when the document names none, or none came.
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
        let what =
            switch reason {
            case .first: "followed to the last, since they were not all read yet"
            case .gap: "followed to the first known episode, since nothing on the newest page is known"
            case .forced: "followed to the last, since that was asked for"
            case .weekly: "followed to the last, once a week"
            case nil where isWaiting: "gone on with where they were left"
            case nil: "not followed now: the newest page has known episodes"
            }
        return "older pages, \(url): \(what)"
    }

    var json: JSONValue {
        ["url": .string(url), "reason": JSONValue(reason?.rawValue), "waiting": .bool(isWaiting)]
    }
}

extension PageWalk {
    /// In a person's words.
    var explanation: String {
        let why =
            switch reason {
            case .first: "since they were not all read before"
            case .gap: "since nothing on the newest page was known"
            case .forced: "since that was asked for"
            case .weekly: "as once a week"
            }
        var text = "\(pages) followed, \(why), \(episodes) new episodes, \(time)"
        switch end {
        case .last: text += "; to the last"
        case .known: text += "; up to known episodes"
        case .circle: text += "; until they led back to one that was read"
        case .limit: text += "; no more than that are taken"
        case .broken: text += "; the next one failed for good"
        case nil: break
        }
        if let pending {
            text += "; next \(pending.url)"
            if let error = pending.error { text += ", which failed \(pending.failures) times: \(error)" }
            if let due = pending.due { text += ", tried again \(due)" }
        }
        return text
    }
}
