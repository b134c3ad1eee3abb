internal import CommandLineTool
internal import FeedParsing
internal import FeedRefresh
internal import JSON
internal import LibraryModel
internal import PodcastModel

extension RefreshCommands {
    private static let shownTries = 8

    /// `podcast-refresh explain FEED|URL`: what the library knows of the feed, and what a fetch brings now. The fetch is
    /// unconditional and stores nothing.
    func explain(_ arguments: ParsedArguments, _ output: ToolOutput) throws(ToolFailure) -> ExitStatus {
        let word = arguments.text(RefreshDeclaration.feedOrURL) ?? ""
        let settings = try readSettings(arguments)
        let session = try LibrarySession(settings.folder)
        var known: (feed: Feed, target: RefreshTarget?, log: [FetchRecord])?
        do throws(LibraryError) {
            let feed = try session.store.resolveFeed(word)
            known = (
                feed, try session.store.refreshTargets([feed.id]).first,
                try session.store.refreshLog(feed.id, limit: Self.shownTries)
            )
        } catch {
            guard case .notFound = error, case .url = DocumentSource(word) else {
                throw session.failure(error)
            }
        }
        let url = known?.feed.url ?? word
        let result = try makeFetcher(settings).fetch(FeedRequest(url: url))
        if arguments.isSet(RefreshDeclaration.json) {
            let document = JSONValue.object(
                [.init("url", .string(url)), .init("fetch", Self.json(result, from: url))]
                    + (known.map { [.init("library", Self.json($0.feed, $0.target, $0.log))] } ?? []))
            try output.line(document.text)
        } else {
            if let known { try tell(known.feed, known.target, known.log, output) }
            try tell(result, from: url, output)
        }
        guard case .failed(let failure) = result.outcome else { return .success }
        return failure.isTemporary ? .tryAgain : .badData
    }

    // MARK: - For people

    private func tell(
        _ feed: Feed, _ target: RefreshTarget?, _ log: [FetchRecord], _ output: ToolOutput
    ) throws(ToolFailure) {
        func fact(_ name: String, _ value: String?) throws(ToolFailure) {
            guard let value else { return }
            let blanks = String(repeating: " ", count: max(1, 16 - name.utf8.count))
            try output.line("  \(name)\(blanks)\(SafeText.line(value))")
        }
        try output.line("\(SafeText.line(feed.title)) (feed \(feed.id))")
        try fact("address", feed.url)
        try fact("episodes", "\(feed.episodeCount), \(feed.unplayedCount) not played")
        try fact("last success", feed.health.lastSuccess?.description ?? "never")
        try fact("last try", feed.health.lastTry?.description ?? "never")
        try fact("last error", feed.health.error)
        if feed.health.failures > 0 { try fact("failures", "\(feed.health.failures) in a row") }
        try fact("ETag", target?.etag)
        try fact("Last-Modified", target?.lastModified)
        try fact("next due", feed.health.nextDue.map { "\($0)" } ?? "now")
        if !log.isEmpty { try output.line("Last tries") }
        for record in log {
            var line = "  \(record.time)  " + (record.httpStatus.map { "\($0)" } ?? "---")
            line += "  \(record.newEpisodes) new, \(record.bytes) bytes"
            if let moved = record.movedTo { line += ", moved to \(moved)" }
            if let error = record.error { line += ", \(error)" }
            try output.line(SafeText.line(line))
        }
    }

    private func tell(_ result: FeedFetchResult, from url: String, _ output: ToolOutput) throws(ToolFailure) {
        try output.line("Fetched now")
        try output.line("  \(SafeText.line(url))")
        for redirect in result.redirects {
            let kind = redirect.isPermanent ? "for good" : "for now"
            try output.line("  \(redirect.status) \(kind) to \(SafeText.line(redirect.url))")
        }
        if let answer = result.answer {
            for (name, value) in Self.facts(answer) { try output.line("  \(name): \(SafeText.line(value))") }
        }
        if let moved = result.permanentURL(from: url) {
            try output.line(
                "  it has moved for good to \(SafeText.line(moved)); the library follows when it sees this twice")
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

    private static func facts(_ answer: FeedAnswer) -> [(String, String)] {
        var facts = [("status", "\(answer.status)")]
        if let type = answer.contentType { facts.append(("Content-Type", type)) }
        if let length = answer.contentLength { facts.append(("Content-Length", "\(length)")) }
        if let etag = answer.etag { facts.append(("ETag", etag)) }
        if let date = answer.lastModified { facts.append(("Last-Modified", date)) }
        if let age = answer.wishes.maxAge { facts.append(("Cache-Control", "max-age=\(age)")) }
        if let seconds = answer.wishes.retryAfter { facts.append(("Retry-After", "\(seconds) s")) }
        return facts
    }

    // MARK: - As JSON

    private static func json(_ result: FeedFetchResult, from url: String) -> JSONValue {
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
                        "maxAge": answer.wishes.maxAge.map { .integer($0) } ?? .null,
                        "retryAfter": answer.wishes.retryAfter.map { .integer($0) } ?? .null,
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

    private static func json(_ feed: Feed, _ target: RefreshTarget?, _ log: [FetchRecord]) -> JSONValue {
        [
            "id": .integer(feed.id.rawValue), "title": .string(feed.title), "episodes": JSONValue(feed.episodeCount),
            "lastSuccess": JSONValue(feed.health.lastSuccess?.description),
            "lastTry": JSONValue(feed.health.lastTry?.description), "error": JSONValue(feed.health.error),
            "failures": JSONValue(feed.health.failures), "nextDue": JSONValue(feed.health.nextDue?.description),
            "etag": JSONValue(target?.etag), "lastModified": JSONValue(target?.lastModified),
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
