internal import Activity
internal import CommandLineTool
internal import Configuration
internal import FeedRefresh
internal import JSON
internal import LibraryModel
internal import PodcastModel

extension RefreshCommands {
    /// Addresses that an answer names at most; the numbers count all.
    private static let namedAddresses = 1_000

    /// `podcast-refresh import [--from FORM] FILE`. Subscribes and fetches nothing: what is new is due at once.
    func importFeeds(_ arguments: ParsedArguments, _ output: ToolOutput) throws(ToolFailure) -> ExitStatus {
        let wanted = arguments.text(RefreshDeclaration.from).flatMap { word in ImportForm.all.first { $0.name == word }
        }
        let input = try ImportInput(arguments.text(RefreshDeclaration.importFile) ?? "-")
        let settings = try readSettings(arguments)
        let session = try LibrarySession(settings.folder, variable: environment.variable)
        let reading = try ImportReading(input, as: wanted, copyingTo: settings.folder.path)
        let board = makeBoard()
        let watchers = Watchers(environment, board: board, arguments, settings)
        let totals = try importAll(of: reading, session, board, watchers)
        watchers.finish()
        try report(totals, reading.form, arguments, output)
        let isWhole = totals.refused.isEmpty && totals.leftOut == 0 && totals.decisions.refused.isEmpty
        return isWhole ? .success : .badData
    }

    /// Takes everything into the library that a reading gives.
    func importAll(
        of reading: ImportReading, _ session: LibrarySession, _ board: ActivityBoard, _ watchers: Watchers
    ) throws(ToolFailure) -> Importer.Totals {
        let activity = board.begin(.subscribing, "Importing feeds", subject: nil)
        defer { activity.end() }
        let importer = Importer(session, environment.clock, watchers, activity)
        var failure: ToolFailure?
        do throws(ToolFailure) { try reading.read(tell: tell, importer.take) } catch { failure = error }
        // What came before a fault is kept.
        let totals = try importer.finish()
        if let failure {
            throw ToolFailure(
                failure.status, failure.message,
                hint: "kept: \(totals.added) new feeds, state of \(totals.found + totals.waiting) episodes")
        }
        return totals
    }

    private func report(
        _ totals: Importer.Totals, _ form: ImportForm, _ arguments: ParsedArguments, _ output: ToolOutput
    ) throws(ToolFailure) {
        for url in totals.refused.prefix(Self.namedAddresses) { tell("\(url): not a valid http or https URL") }
        if totals.leftOut > 0 {
            tell("\(totals.leftOut) feeds beyond the first \(Importer.maximumFeeds) were left out")
        }
        for refusal in totals.decisions.refused.prefix(Self.namedAddresses) { tell("left out: \(refusal)") }
        if arguments.isSet(RefreshDeclaration.json) { return try output.line(Self.json(totals, form).text) }
        if arguments.isSet(RefreshDeclaration.quiet) { return }
        for url in totals.duplicates { try output.line("already subscribed: \(SafeText.line(url))") }
        try output.line("Subscribed to \(totals.added) \(totals.added == 1 ? "feed" : "feeds").")
        if totals.found + totals.waiting > 0 {
            try output.line(
                "Positions, marks, stars, notes or places in the queue of \(totals.found + totals.waiting) episodes: "
                    + "\(totals.found) taken over, \(totals.waiting) wait until their feeds are fetched.")
        }
        let decisions = totals.decisions
        if decisions.added + decisions.known > 0 {
            try output.line(
                "Taken over: \(decisions.rules.added) rules, \(decisions.retention.added) words about retention, "
                    + "\(decisions.playlists.added) playlists; \(decisions.known) were here already.")
        }
        if totals.added > 0 { try output.line("'podcast-refresh' fetches them.") }
    }

    private static func json(_ totals: Importer.Totals, _ form: ImportForm) -> JSONValue {
        var errors = totals.refused.prefix(namedAddresses).map { url -> JSONValue in
            ["url": .string(url), "what": "not a valid http or https URL"]
        }
        if totals.leftOut > 0 {
            errors.append(["what": .string("\(totals.leftOut) feeds beyond \(Importer.maximumFeeds) were left out")])
        }
        errors += totals.decisions.refused.prefix(namedAddresses).map { ["what": .string("left out: \($0)")] }
        let decisions = totals.decisions
        return [
            "form": .string(form.name), "added": JSONValue(totals.added), "known": JSONValue(totals.duplicates.count),
            "duplicates": .array(totals.duplicates.prefix(namedAddresses).map { .string($0) }),
            "found": JSONValue(totals.found), "waiting": JSONValue(totals.waiting),
            "rules": JSONValue(decisions.rules.added), "retention": JSONValue(decisions.retention.added),
            "playlists": JSONValue(decisions.playlists.added), "decidedBefore": JSONValue(decisions.known),
            "errors": .array(errors),
        ]
    }
}
