internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import PodcastModel
internal import Presentation
internal import Reporting

extension ListFeeds: PagedVerb, TableVerb {
    static func cursor(of row: FeedReply) -> String? { row.key }

    static func all(_ view: View) throws(ToolFailure) -> [Feed] {
        try ListFeeds { $0.limit = largestPage }.whole(view).rows.map(\.feed)
    }

    static let none = "no feeds; subscribe to one with 'podcastctl subscribe URL'"

    static let table: [TableColumn<FeedReply>] = [
        .init("ID", .right) { $0.feed.id.label }, .init("TITLE", minimum: 12) { $0.feed.distinctTitle },
        .init("NEW", .right, says: "{} new") { row, view in
            row.feed.newCount == 0 && view.isTerminal ? "" : "\(row.feed.newCount)"
        },
        .init("EPISODES", .right, dropRank: 2, says: "{} in all") { "\($0.feed.episodeCount)" },
        .init("REFRESHED", dropRank: 3, says: "refreshed {}") { row, view in
            row.feed.isSingleFiles ? "" : row.feed.health.lastSuccess.map(view.time) ?? "never"
        },
        .init("PROBLEM", minimum: 8, dropRank: 1, says: "problem: {}") { $0.feed.problem ?? "" },
    ]
}

extension FeedDetailReply: ShownReply {
    func show(_ view: View) throws(ToolFailure) {
        let feed = feed.feed
        view.heading(feed.title)
        view.rows([
            "id:": feed.id.label, "by:": feed.author, "address:": feed.url, "page:": feed.link,
            "language:": feed.language,
            "episodes:": "\(feed.episodeCount), \(feed.unplayedCount) unplayed, \(feed.newCount) new",
            "tags:": feed.tags.joinedText(", "),
            "refreshed:": feed.isSingleFiles ? nil : feed.health.lastSuccess.map(view.timeInText) ?? "never",
            "next due:": try Self.nextDue(feed, view), "problem:": feed.problem,
        ])
        for line in DetailLines.lines(details, view.timeInText) { view.row(line.name, line.text) }
        if let summary, !summary.isEmpty {
            view.output.line()
            view.lines(PlainNotes.wrapped(summary, view.terminal.width))
        }
    }

    /// Nil for a feed that is never refreshed; its problem says why.
    private static func nextDue(_ feed: Feed, _ view: View) throws(ToolFailure) -> String? {
        if let due = feed.health.nextDue { return view.timeInText(due) }
        if feed.health.isStopped || feed.isSingleFiles { return nil }
        let isOff = try view.call(ListFeedSettings { $0.feed = feed.id.label }).settings.contains {
            $0.key == FeedSetting.refresh.rawValue && $0.value == "\(RefreshInterval.off)"
        }
        return isOff ? "never, as set by the user; refresh it by name" : "now"
    }
}

extension ShowFeed: CommandVerb {}

extension Subscribe: CommandVerb {
    static let url = OptionDeclaration(
        "url", nil, "URL", help: "URL of a feed that is given as a file and does not name its own.")

    static let options = [LoginInput.user, LoginInput.passwordFile, url]

    /// Subscribes to addresses, and imports files: the daemon gets contents, never paths.
    func run(_ view: View) throws(ToolFailure) -> ExitStatus {
        if let missing = urls.first(where: FilePath.isMissing) {
            throw ToolFailure(.noInput, "\(SafeText.line(missing)): no such file")
        }
        let files = urls.filter(InputFile.isFile)
        let address = view.text(Self.url)
        if address != nil, files.count != 1 || urls.count != 1 {
            throw .usage("--url needs exactly one file", hint: "see 'podcastctl help subscribe'")
        }
        var command = self
        let login = try LoginInput.given(view.parsed, on: view.streams.errors)
        command.username = login?.username
        command.password = login?.password
        if files.isEmpty { return try finish(command.subscribed(view), view) }
        var reply = SubscriptionsReply()
        for url in urls {
            if files.contains(url) {
                reply.rows += try Self.imported(url, address, view)
            } else {
                command.urls = [url]
                reply.rows += try command.subscribed(view).rows
            }
        }
        return try finish(reply, view)
    }

    /// Shows the reply, and fetches the feeds of lists. A feed of a list counts like a feed that is named.
    func finish(_ reply: SubscriptionsReply, _ view: View) throws(ToolFailure) -> ExitStatus {
        if !view.printForProgram(reply.json, Reply.members) { Self.show(reply, view.ofReply(isQuery: false)) }
        let listed = reply.rows.reduce(0) { $0 + ($1.imported ?? 0) }
        let failures = listed == 0 ? [] : try RefreshFeeds.fetchAdded(view)
        let named = reply.rows.count { $0.feed != nil && $0.isNew == true }
        try RefreshFeeds.adviseTimer(added: listed + named, view)
        return (failures + reply.rows.compactMap(\.error)).map(\.exitStatus).reduce(.success, ExitStatus.gravest)
    }

    /// The row of a file, and a row for each part of the file that was not imported.
    private static func imported(
        _ file: String, _ address: String?, _ view: View
    ) throws(ToolFailure) -> [SubscriptionReply] {
        let reply = try ImportDocument { $0.url = address }.imported(file, view)
        var row = SubscriptionReply {
            $0.url = file
            $0.imported = reply.added
        }
        row.note = reply.note
        return [row]
            + reply.errors.map { error in
                var failure = error
                failure.status = error.status ?? Int(ExitStatus.badData.rawValue)
                return SubscriptionReply {
                    $0.url = error.url ?? file
                    $0.error = failure
                }
            }
    }

    /// Subscribes; if a server requires a login, asks for it on the terminal and tries again.
    private func subscribed(_ view: View) throws(ToolFailure) -> SubscriptionsReply {
        var reply: SubscriptionsReply
        do throws(ClientFailure) {
            reply = try view.attempt(self)
        } catch {
            guard case .refused(let refusal) = error, let address = refusal.loginURL,
                let again = try asking(address, view)
            else { throw ToolFailure(error) }
            return try view.call(again)
        }
        for index in reply.rows.indices {
            guard let address = reply.rows[index].error?.login, let again = try asking(address, view)
            else { continue }
            do throws(ClientFailure) {
                if let row = try view.attempt(again).rows.first { reply.rows[index] = row }
            } catch {
                guard case .refused(let refusal) = error else { throw ToolFailure(error) }
                reply.rows[index].error = FailureReply(refusal.what, hint: refusal.hint)
            }
        }
        return reply
    }

    /// The command for an address with the login that the user types; nil if the command had a login, or without a terminal.
    private func asking(_ address: String, _ view: View) throws(ToolFailure) -> Subscribe? {
        guard username == nil, !view.isForProgram, LoginInput.canAsk else { return nil }
        let login = try LoginInput.ask(for: address, on: view.streams.errors)
        var again = self
        again.urls = [address]
        again.username = login.username
        again.password = login.password
        return again
    }

    static func show(_ reply: SubscriptionsReply, _ view: View) {
        for row in reply.rows {
            let lines = FeedText.subscribed(row)
            if !lines.isEmpty {
                for line in lines { view.line(line) }
                guard row.imported == nil, let feed = row.feed?.feed else { continue }
                if let conflict = feed.conflict { view.line("  it \(conflict.explanation)") }
                if row.isNew == false, feed.health.isStopped, let problem = feed.problem {
                    view.line("  \(problem)")
                }
                if view.isTerminal, reply.rows.count == 1, feed.episodeCount > 0 {
                    view.line("  to play its newest episode: podcastctl play \(feed.id.label)")
                }
            } else {
                var failure = row.error ?? FailureReply("failed")
                failure.url = row.url
                view.report([failure])
            }
        }
    }
}

extension Unsubscribe: CommandVerb {
    static var question: String { "unsubscribe from" }
}

extension UnsubscribedReply: ShownReply {
    func show(_ view: View) {
        for title in removed {
            view.line(title == Feed.singleFilesTitle ? "cleared \(title)" : "unsubscribed from \(title)")
        }
        if daysKept > 0, removed.contains(where: { $0 != Feed.singleFilesTitle }) {
            view.line("kept for \(daysKept) days: 'podcastctl undo' brings back everything")
        }
    }
}

extension RefreshFeeds: CommandVerb {
    /// Fetches the feeds that a list has added, and names the feeds that failed; they stay subscribed.
    static func fetchAdded(_ view: View) throws(ToolFailure) -> [FailureReply] {
        let added = try ListFeeds.all(view).filter { $0.health.lastTry == nil && !$0.isSingleFiles }
        if added.isEmpty { return [] }
        // More feeds than a list of a command may have are fetched with all others that are due.
        let isNamed = added.count <= ValueKind.maximumCount
        let refresh = RefreshFeeds { $0.feeds = isNamed ? added.map(\.id.label) : nil }
        let reply = try view.call(refresh)
        if view.isForProgram { view.report(reply.errors) } else { reply.show(view.ofReply(isQuery: false)) }
        // A reader of news may have listed feeds of texts.
        for feed in try ListFeeds.all(view)
        where feed.episodeCount == 0 && feed.health.lastSuccess != nil && added.contains(where: { $0.id == feed.id }) {
            view.aside(
                "\(feed.distinctTitle): no episode with audio or video; to remove the feed: podcastctl unsubscribe "
                    + feed.id.label)
        }
        return reply.errors
    }

    /// After the first subscription, names what refreshes the feeds by itself if nothing does.
    static func adviseTimer(added: Int, _ view: View) throws(ToolFailure) {
        guard added > 0, view.isTerminal, !view.isForProgram else { return }
        let feeds = try ListFeeds.all(view)
        guard feeds.filter({ !$0.isSingleFiles }).count == added else { return }
        let timer = OutsideChecks(view.machine, socket: view.socket).timer
        guard timer.severity != .ok, let fix = timer.fix else { return }
        view.line("feeds are refreshed only by hand ('podcastctl refresh'); to refresh them automatically:")
        view.line("  \(fix)")
    }

    static func status(of reply: RefreshReply) -> ExitStatus { .ofRefresh(reply.errors.map(\.exitStatus)) }
}

extension RefreshReply: ShownReply {
    func show(_ view: View) {
        view.line(FeedText.refreshed(self) ?? "no feed is due; 'podcastctl refresh --force' fetches all feeds now")
        for line in remarks { view.line(line) }
        view.report(errors)
    }
}

extension MergeFeeds: CommandVerb {
    static var question: String { "merge" }
}

extension FeedsMergedReply: ShownReply {
    func show(_ view: View) {
        view.line("merged \(other) into \(title) (\(feed.label))")
        let moved = moved == 0 ? "no episode" : counted(moved, "episode")
        let waiting = waiting == 0 ? "" : "; that of \(counted(waiting, "episode")) waits until they are fetched"
        view.line("  positions, marks, stars, notes or queue entries: moved for \(moved)\(waiting)")
        view.line("  addresses that lead to it now: \(addresses.joinedText(", "))")
        if !notTaken.isEmpty { view.line("  not taken, because it has its own: \(notTaken.joinedText(", "))") }
    }
}

extension ExplainFeed: CommandVerb {
    static func members(_ view: View) -> [ObjectMember]? { nil }

    func run(_ view: View) throws(ToolFailure) -> ExitStatus {
        var command = self
        command.isStructured = view.isForProgram
        let reply = try view.call(command)
        try view.template?.check(RowTemplate.members(of: reply.explanation ?? .null))
        if !view.printForProgram(reply.explanation ?? .null, nil) {
            view.output.write(SafeText.lines(reply.text ?? ""))
        }
        return reply.status.flatMap(ExitStatus.init(wire:)) ?? .success
    }
}

extension FindShows: TableVerb {
    static let none = "no podcast found"

    static let table: [TableColumn<(number: Int, show: FoundShow)>] = [
        .init("#", .right, name: "NUMBER") { "\($0.number)" },
        .init("TITLE", minimum: 16) { $0.show.title },
        .init("AUTHOR", minimum: 8, dropRank: 1, says: "by {}") { $0.show.author ?? "" },
        .init("FEED", minimum: 16) { $0.show.url },
    ]

    static func rows(of reply: FoundShowsReply) -> [(number: Int, show: FoundShow)] {
        reply.shows.enumerated().map { ($0 + 1, $1) }
    }

    static func show(_ reply: FoundShowsReply, _ view: View) {
        showRows(rows(of: reply), view)
        view.report(reply.failed)
    }
}
