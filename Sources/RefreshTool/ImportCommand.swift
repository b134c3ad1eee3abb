internal import Reporting
internal import CommandLineTool
internal import Configuration
internal import ControlLanguage
internal import ControlProtocol
internal import FeedRefresh
internal import JSON
internal import LibraryModel
internal import PodcastModel

extension RefreshCommands {
    /// Addresses listed at most; the counts include all.
    private static let namedAddresses = 1_000

    /// `podcast-refresh import [--from FORM] FILE`. Subscribes without fetching: new feeds are due immediately.
    func importFeeds(_ arguments: ParsedArguments, _ output: ToolOutput) throws(ToolFailure) -> ExitStatus {
        let wanted = arguments.text(RefreshDeclaration.from).flatMap { word in ImportForm.all.first { $0.name == word }
        }
        let input = try ImportInput(
            arguments.text(RefreshDeclaration.importFile) ?? "-", name: arguments.text(RefreshDeclaration.inputName))
        let settings = try readSettings(arguments)
        let session = try LibrarySession(settings.folder, variable: environment.variable)
        let reading = try ImportReading(
            input, as: wanted, copyingTo: settings.folder.path,
            settings: environment.variable("XDG_CONFIG_HOME"),
            appended: (
                Int(arguments.integer(RefreshDeclaration.addressBytes) ?? 0),
                Int(arguments.integer(RefreshDeclaration.queueBytes) ?? 0)
            ))
        let board = makeBoard()
        let watchers = Watchers(environment, board: board, arguments, settings)
        let totals = try session.store.history.act(.imported, title: input.name) { () throws(ToolFailure) in
            try importAll(
                of: reading, url: arguments.text(RefreshDeclaration.fileURL), session, settings, board, watchers)
        }
        watchers.finish()
        try report(totals, reading.form, arguments, output)
        let isWhole = totals.refused.isEmpty && totals.leftOut == 0 && totals.decisions.refused.isEmpty
        return isWhole ? .success : .badData
    }

    /// Imports all records of a document.
    ///
    /// - Parameter url: the address of a feed, if the user gave one.
    func importAll(
        of reading: ImportReading, url: String? = nil, _ session: LibrarySession, _ settings: RefreshSettings,
        _ board: ActivityBoard,
        _ watchers: Watchers
    ) throws(ToolFailure) -> Importer.Totals {
        if reading.form == .feed { return try importFeed(reading.input, url: url, session, settings, board, watchers) }
        if url != nil {
            throw ToolFailure(.usage, "\(reading.input.name): --url is only for a feed, not for \(reading.form.name)")
        }
        let activity = board.begin(.subscribing, "Importing feeds", subject: nil)
        defer { activity.end() }
        let importer = Importer(session, environment.clock, watchers, activity)
        var failure: ToolFailure?
        do throws(ToolFailure) { try reading.read(tell: tell, importer.take) } catch { failure = error }
        // Records before the error stay imported.
        let totals = try importer.finish()
        if let failure {
            throw ToolFailure(failure.status, "\(failure.message); \(Self.imported(totals))", hint: failure.hint)
        }
        return totals
    }

    private func report(
        _ totals: Importer.Totals, _ form: ImportForm, _ arguments: ParsedArguments, _ output: ToolOutput
    ) throws(ToolFailure) {
        for url in totals.refused.prefix(Self.namedAddresses) { tell("\(url): not a valid http or https URL") }
        if totals.leftOut > 0 {
            tell("skipped \(counted(totals.leftOut, "feed")) beyond the first \(Importer.maximumFeeds)")
        }
        for refusal in totals.decisions.refused.prefix(Self.namedAddresses) { tell("not imported: \(refusal)") }
        if arguments.isSet(RefreshDeclaration.json) { return try output.line(Self.document(totals, form).json.text) }
        if arguments.isSet(RefreshDeclaration.quiet) { return }
        if let note = totals.note { return try output.line(SafeText.line(note)) }
        for line in totals.joined { try output.line(SafeText.line(line)) }
        for url in totals.duplicates { try output.line("already subscribed: \(SafeText.line(url))") }
        try output.line("Subscribed to \(counted(totals.added, "feed")).")
        let episodes = totals.found + totals.unchanged + totals.waiting
        if episodes > 0 {
            try output.line(
                "Positions, played marks, stars, notes or queue entries of \(counted(episodes, "episode")): "
                    + "imported for \(totals.found), already present for \(totals.unchanged), waiting for the first "
                    + "refresh of their feeds: \(totals.waiting).")
        }
        let decisions = totals.decisions
        if decisions.added + decisions.known > 0 {
            let added = [
                (decisions.rules.added, "rule", "rules"),
                (decisions.retention.added, "retention policy", "retention policies"),
                (decisions.playlists.added, "playlist", "playlists"),
            ].filter { $0.0 > 0 }.map { "\(counted($0.0, $0.1, $0.2))" }
            let text =
                added.isEmpty
                ? "No rules, retention policies or playlists added" : "Added \(added.joined(separator: ", "))"
            try output.line(text + (decisions.known > 0 ? "; \(decisions.known) already present." : "."))
        }
        if !totals.settings.isEmpty {
            try output.line(
                "Not imported: \(counted(totals.settings.count, "setting")); 'podcastctl import FILE' imports them."
            )
        }
        if totals.added > 0 { try output.line("To fetch them now: podcast-refresh") }
    }

    /// What an import that fails has imported so far.
    private static func imported(_ totals: Importer.Totals) -> String {
        let episodes = totals.found + totals.waiting
        if totals.added + episodes == 0 { return "nothing imported" }
        return "imported: \(counted(totals.added, "new feed")), state of \(counted(episodes, "episode"))"
    }

    private static func document(_ totals: Importer.Totals, _ form: ImportForm) -> ImportedDocument {
        var errors = totals.refused.prefix(namedAddresses).map {
            FailureReply("not a valid http or https URL", url: $0)
        }
        if totals.leftOut > 0 {
            errors.append(
                FailureReply("skipped \(counted(totals.leftOut, "feed")) beyond the first \(Importer.maximumFeeds)"))
        }
        errors += totals.decisions.refused.prefix(namedAddresses).map { FailureReply("not imported: \($0)") }
        var document = ImportedDocument()
        document.reply = ImportReply(
            added: totals.added, known: totals.duplicates.count,
            duplicates: Array(totals.duplicates.prefix(namedAddresses)), errors: errors)
        document.reply.form = form.name
        document.reply.joined = Array(totals.joined.prefix(namedAddresses))
        document.reply.found = totals.found
        document.reply.unchanged = totals.unchanged
        document.reply.waiting = totals.waiting
        document.reply.rules = totals.decisions.rules.added
        document.reply.retention = totals.decisions.retention.added
        document.reply.playlists = totals.decisions.playlists.added
        document.reply.decidedBefore = totals.decisions.known
        document.reply.note = totals.note
        document.settings = .object(totals.settings.map { .init($0.name, JSONValue($0.value)) })
        return document
    }
}
