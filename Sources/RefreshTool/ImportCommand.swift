internal import CommandLineTool
internal import Configuration
internal import ControlLanguage
internal import ControlProtocol
internal import FeedDocuments
internal import HTTP
internal import JSON
internal import Library
internal import PodcastModel
internal import Presentation
internal import Reporting

extension CommandRun {
    /// Addresses listed at most; the counts include all.
    private static let namedAddresses = 1_000
    private static let feedBytes = 64 << 20
    /// The address of a feed file until the file names its own.
    private static let unknownAddress = "https://feed.invalid/"

    /// Whether an import is to change nothing.
    private var isTrial: Bool { arguments.isSet(RefreshDeclaration.trial) }

    /// `podcast-refresh import [--from FORM] [--try] FILE`. Subscribes without fetching: new feeds are due immediately.
    func importFeeds() throws(ToolFailure) -> ExitStatus {
        let wanted = arguments.text(RefreshDeclaration.from).flatMap { word in
            ImportForm.all.first { $0.name == word }
        }
        let input = try InputFile(
            arguments.text(RefreshDeclaration.importFile) ?? "-", name: arguments.text(RefreshDeclaration.inputName))
        let session = try openLibrary(mayCreate: !isTrial)
        let reading = try ImportReading(
            input, as: wanted, copyingTo: session.folder.path, settings: environment.variable("XDG_CONFIG_HOME"),
            appended: (
                Int(arguments.integer(RefreshDeclaration.addressBytes) ?? 0),
                Int(arguments.integer(RefreshDeclaration.queueBytes) ?? 0)
            ))
        let totals = try session.store.history.act(.imported, title: input.name) { () throws(ToolFailure) in
            try importAll(of: reading, url: arguments.text(RefreshDeclaration.fileURL), session)
        }
        try progress().finish()
        try report(totals, reading.form)
        let isWhole = totals.refused.isEmpty && totals.leftOut == 0 && totals.policies.refused.isEmpty
        return isWhole ? .success : .badData
    }

    /// Imports all records of a document.
    ///
    /// - Parameter url: the address of a feed, if the user gave one.
    func importAll(
        of reading: ImportReading, url: String? = nil, _ session: LibrarySession
    ) throws(ToolFailure) -> Importer.Totals {
        if reading.form == .feed { return try importFeed(reading.input, url: url, session) }
        if url != nil {
            throw ToolFailure(.usage, "\(reading.input.name): --url is only for a feed, not for \(reading.form.name)")
        }
        let activity = board.begin(.subscribing, "Importing feeds", subject: nil)
        defer { activity.end() }
        let importer = Importer(session, clock, try progress(), activity)
        importer.isTrial = isTrial
        if reading.form == .device { importer.privateHosts = try settings().network.privateHosts }
        var failure: ToolFailure?
        do throws(ToolFailure) { try reading.read(tell: tell, importer.add) } catch { failure = error }
        // Records before the error stay imported.
        let totals = try importer.finish()
        guard let failure else { return totals }
        let episodes = totals.episodes.found + totals.episodes.waiting
        let imported =
            isTrial || totals.reply.added + episodes == 0
            ? "nothing imported"
            : "imported: \(counted(totals.reply.added, "new feed")), state of \(counted(episodes, "episode"))"
        throw ToolFailure(failure.status, "\(failure.message); \(imported)", hint: failure.hint)
    }

    private func report(_ totals: Importer.Totals, _ form: ImportForm) throws(ToolFailure) {
        for problem in Self.problems(totals) { tell((problem.url.map { "\($0): " } ?? "") + problem.what) }
        let document = document(totals, form)
        if isJSON { return output.line(document.json.text) }
        if isQuiet { return }
        if let note = totals.reply.note { return try print([note]) }
        try print(FeedText.imported(document.reply) + totals.duplicates.map { "already subscribed: \($0)" })
        let settings = totals.settings.count + totals.outputs.count
        if settings > 0, !isTrial {
            output.line(
                "Not imported: \(counted(settings, "setting")); 'podcastctl import FILE' imports them."
            )
        }
        if document.reply.added > 0, !isTrial { output.line("To fetch them now: podcast-refresh") }
    }

    private static func problems(_ totals: Importer.Totals) -> [FailureReply] {
        let leftOut = "skipped \(counted(totals.leftOut, "feed")) beyond the first \(Importer.maximumFeeds)"
        return totals.refused.prefix(namedAddresses)
            + (totals.leftOut > 0 ? [FailureReply(leftOut)] : [])
            + totals.policies.refused.prefix(namedAddresses).map { FailureReply("not imported: \($0)") }
    }

    private func document(_ totals: Importer.Totals, _ form: ImportForm) -> ImportedDocument {
        var document = ImportedDocument()
        document.reply = totals.reply
        document.reply.form = form.name
        document.reply.known = totals.duplicates.count
        document.reply.duplicates = Array(totals.duplicates.prefix(Self.namedAddresses))
        document.reply.joined = Array(totals.reply.joined.prefix(Self.namedAddresses))
        document.reply.rules = totals.policies.added[.rule] ?? 0
        document.reply.retention = totals.policies.added[.retention] ?? 0
        document.reply.playlists = totals.policies.added[.playlist] ?? 0
        document.reply.decidedBefore = totals.policies.known
        let episodes = totals.episodes
        document.reply.found = episodes.found
        document.reply.unchanged = episodes.unchanged
        document.reply.waiting = episodes.waiting
        document.reply.positions = episodes.positions
        document.reply.queued = episodes.queued
        document.reply.days = totals.days
        document.reply.isTrial = isTrial ? true : nil
        document.reply.errors = Self.problems(totals)
        document.settings = .object(totals.settings.map { .init($0.name.description, $0.value) })
        document.outputs = totals.outputs
        return document
    }

    // MARK: A feed's file

    /// Subscribes to a feed whose document is available; its address is the one that the user gives, else the one that the
    /// document gives for itself.
    ///
    /// - Throws: `badData` if it is not a podcast, or has no address: it could never be refreshed.
    private func importFeed(
        _ input: InputFile, url asked: String?, _ session: LibrarySession
    ) throws(ToolFailure) -> Importer.Totals {
        let bytes = try input.bytes(upTo: Self.feedBytes)
        let read = FeedFetchResult(document: bytes, of: Self.unknownAddress)
        guard case .document(let first) = read.outcome else {
            throw ToolFailure(.badData, "\(input.name): \(read.failure ?? .empty)")
        }
        guard first.isPodcast else {
            throw ToolFailure(.badData, "\(input.name): not a podcast: no item of the feed has audio or video")
        }
        let address = try Self.address(of: first, asked, input)
        if let login = address.login, !isTrial { try session.saveFirstLogin(login) }
        let refresher = FeedRefresher(
            store: session.store.refreshes, fetcher: try makeFetcher(), clock: clock, activities: board)
        let progress = try progress()
        // Parsed again, because relative links depend on the address.
        let result = FeedFetchResult(document: bytes, of: address.url)
        let title = first.contents.channel.title
        return try session.perform { store in
            var totals = Importer.Totals()
            if let known = try store.feeds.feed(url: address.url) {
                totals.duplicates.append(address.url)
                totals.reply.note = "already subscribed to \(known.title) (\(known.id.label)) at \(known.url)"
                return totals
            }
            totals.reply.added = 1
            if isTrial {
                totals.reply.note = "would subscribe to \(title ?? address.url) at \(address.url), \(address.source)"
                return totals
            }
            let id = try store.feeds.addFeed(url: address.url, title: title, at: clock.wallTime)
            let target = RefreshTarget(id: id, url: address.url, title: title ?? address.url)
            let report = try refresher.store(result, of: target)
            progress.add(.added(id, episodes: report?.addedEpisodes ?? []))
            let feed = try store.feeds.feed(id)
            totals.reply.note =
                "subscribed to \(feed.title) (\(counted(feed.episodeCount, "episode"))) at \(address.url), \(address.source)"
            return totals
        }
    }

    /// The URL from which a feed's file is refreshed, and its origin for people.
    private static func address(
        of document: FeedDocument, _ asked: String?, _ input: InputFile
    ) throws(ToolFailure) -> (url: String, login: FeedLogin?, source: String) {
        if let asked {
            let given = GivenAddress(asked)
            guard WebAddress.isStorable(given.url), HTTPURL.host(of: given.url) != nil else {
                throw ToolFailure(.usage, "--url \(given.url): not a valid http or https URL")
            }
            return (given.url, given.login, "the URL that you gave")
        }
        let channel = document.contents.channel
        for (url, element) in [(channel.newFeedURL, "itunes:new-feed-url"), (channel.selfURL, "atom:link")] {
            guard let url, WebAddress.isStorable(url), let host = HTTPURL.host(of: url),
                host != HTTPURL.host(of: unknownAddress)
            else { continue }
            return (HTTPURL.withoutCredentials(url), nil, "the URL that the file names (\(element))")
        }
        throw ToolFailure(
            .badData, "\(input.name): the feed does not name its own URL",
            hint: "give it: podcastctl subscribe FILE --url URL")
    }
}
