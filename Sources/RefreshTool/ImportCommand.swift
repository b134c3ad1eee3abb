internal import Activity
internal import CommandLineTool
internal import FeedRefresh
internal import JSON
internal import LibraryModel
internal import OPML
internal import PodcastModel

extension RefreshCommands {
    /// Feeds taken from one list at most; more are told and left out.
    private static let maximumImport = 20_000

    /// `podcast-refresh import FILE.opml`. Subscribes and fetches nothing: what is new is due at once.
    func importFeeds(_ arguments: ParsedArguments, _ output: ToolOutput) throws(ToolFailure) -> ExitStatus {
        let word = arguments.text(RefreshDeclaration.opmlFile) ?? "-"
        let reader = OPMLReader(contentType: nil)
        try DocumentSource.read(path: word == "-" ? nil : word, into: reader)
        let list: OPMLDocument
        switch reader.finish() {
        case .success(let document): list = document
        case .failure(let error): throw ToolFailure(.badData, "\(word): \(error)")
        }
        let settings = try readSettings(arguments)
        let session = try LibrarySession(settings.folder)
        let board = makeBoard()
        let watchers = Watchers(environment, board: board, arguments, settings)
        let wanted = list.subscriptions.prefix(Self.maximumImport)
        let activity = board.begin(.subscribing, "Importing feeds", subject: "0 of \(wanted.count)")
        defer { activity.end() }
        var totals = ImportTotals()
        for (index, subscription) in wanted.enumerated() {
            try add(subscription, session, &totals)
            if index % 50 == 0 {
                activity.update(
                    subject: "\(index) of \(wanted.count)", progress: Double(index) / Double(wanted.count))
                watchers.tick()
            }
        }
        totals.leftOut = list.subscriptions.count - wanted.count
        watchers.finish()
        try report(totals, arguments, output)
        return totals.refused.isEmpty && totals.leftOut == 0 ? .success : .badData
    }

    private struct ImportTotals {
        var added = 0
        var duplicates: [String] = []
        var refused: [String] = []
        var leftOut = 0
    }

    private func add(
        _ subscription: Subscription, _ session: LibrarySession, _ totals: inout ImportTotals
    ) throws(ToolFailure) {
        let url = subscription.url
        guard url.hasPrefix("http://") || url.hasPrefix("https://") else {
            totals.refused.append(url)
            return
        }
        do throws(LibraryError) {
            _ = try session.store.addFeed(url: url, title: subscription.title, at: environment.clock.now)
            totals.added += 1
        } catch {
            guard case .alreadySubscribed = error else {
                throw session.failure(error)
            }
            totals.duplicates.append(url)
        }
    }

    private func report(
        _ totals: ImportTotals, _ arguments: ParsedArguments, _ output: ToolOutput
    ) throws(ToolFailure) {
        for url in totals.refused { tell("\(url): not an http or https address") }
        if totals.leftOut > 0 { tell("\(totals.leftOut) feeds beyond the first \(Self.maximumImport) were left out") }
        if arguments.isSet(RefreshDeclaration.json) {
            var errors = totals.refused.map { url -> JSONValue in
                ["url": .string(url), "what": "not an http or https address"]
            }
            if totals.leftOut > 0 {
                errors.append(["what": .string("\(totals.leftOut) feeds beyond \(Self.maximumImport) were left out")])
            }
            let document: JSONValue = [
                "added": JSONValue(totals.added), "known": JSONValue(totals.duplicates.count),
                "duplicates": .array(totals.duplicates.map { .string($0) }), "errors": .array(errors),
            ]
            return try output.line(document.text)
        }
        if arguments.isSet(RefreshDeclaration.quiet) { return }
        for url in totals.duplicates { try output.line("already subscribed: \(SafeText.line(url))") }
        try output.line("Subscribed to \(totals.added) \(totals.added == 1 ? "feed" : "feeds").")
        if totals.added > 0 { try output.line("'podcast-refresh' fetches them.") }
    }
}
