internal import ControlLanguage
internal import ControlProtocol
internal import FeedDocuments
internal import FeedRefresh
internal import JSON
internal import Library
internal import PodcastModel

// What `explain --json` prints.

extension FeedFetchResult {
    func json(from url: String) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init(
                "redirects",
                .array(
                    redirects.map { redirect in
                        [
                            "status": JSONValue(redirect.status), "url": .string(redirect.url),
                            "permanent": .bool(redirect.isPermanent),
                        ]
                    })),
            .init("movedTo", JSONValue(permanentURL(from: url))), .init("bytes", .integer(bytes)),
        ]
        if let answer {
            let head: JSONValue = [
                "status": JSONValue(answer.status), "url": .string(answer.url),
                "contentType": JSONValue(answer.contentType), "etag": JSONValue(answer.etag),
                "lastModified": JSONValue(answer.lastModified), "maxAge": JSONValue(number: answer.hints.maxAge),
                "retryAfter": JSONValue(number: answer.hints.retryAfter),
            ]
            members.append(.init("answer", head))
        }
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
}

extension ExplainedFeed {
    var json: JSONValue {
        [
            "id": .integer(feed.id.rawValue), "title": .string(feed.title), "episodes": JSONValue(feed.episodeCount),
            "lastSuccess": JSONValue(feed.health.lastSuccess?.description),
            "lastTry": JSONValue(feed.health.lastTry?.description), "error": JSONValue(feed.health.error),
            "failures": JSONValue(feed.health.failures), "nextDue": JSONValue(feed.health.nextDue?.description),
            "etag": JSONValue(target?.etag), "lastModified": JSONValue(target?.lastModified),
            "stopped": .bool(feed.health.isStopped), "dueReason": JSONValue(target?.dueReason?.rawValue),
            "nextFullFetch": JSONValue(nextFullFetch?.description),
            "falseUnchanged": JSONValue(target?.falseUnchanged), "userAgent": JSONValue(target?.userAgent),
            "loginHosts": loginHosts.map { .array($0.map(JSONValue.string)) } ?? .null,
            "pages": target?.pageWalk?.json ?? .null, "formerURLs": .array(feed.formerURLs.map(JSONValue.string)),
            "move": feed.move.map { MoveReply(move: $0).json } ?? .null, "decisions": .array(decisions.map(\.json)),
            "log": .array(
                log.map { record in
                    [
                        "time": .string(record.time.description), "status": JSONValue(record.httpStatus),
                        "newEpisodes": JSONValue(record.newEpisodes), "bytes": .integer(record.bytes),
                        "movedTo": JSONValue(record.movedTo), "error": JSONValue(record.error),
                    ]
                }),
        ]
    }
}

extension IdentityDecision {
    fileprivate var json: JSONValue {
        func names(_ names: PublishedIdentity) -> JSONValue {
            ["guid": JSONValue(names.guid), "url": JSONValue(names.url), "title": JSONValue(names.title)]
        }
        return [
            "time": .string(time.description), "why": .string(kind.explanation),
            "episode": JSONValue(number: episode?.rawValue), "other": JSONValue(number: other?.rawValue),
            "before": names(before), "after": names(after),
        ]
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

extension JSONValue {
    /// Null for nil.
    init(number: Int64?) { self = number.map(JSONValue.integer) ?? .null }
}
