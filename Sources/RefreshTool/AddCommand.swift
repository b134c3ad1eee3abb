internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import FeedDocuments
internal import JSON
internal import PodcastModel
internal import Presentation
internal import SystemCalls

extension CommandRun {
    /// `podcast-refresh add WHAT…`. Subscribes only to addresses that are feeds.
    func add() throws(ToolFailure) -> ExitStatus {
        let session = try openLibrary()
        let progress = try progress()
        var words = Array(arguments.texts(RefreshDeclaration.urls))
        var options = AddOptions()
        options.takesFiles = !arguments.isSet(RefreshDeclaration.urlsOnly)
        options.subscribes = !arguments.isSet(RefreshDeclaration.newest)
        options.fileURL = arguments.text(RefreshDeclaration.fileURL)
        if options.fileURL != nil, words.count != 1 || !options.takesFiles || !AddOptions.isFile(words[0]) {
            throw ToolFailure(.usage, "--url needs exactly one file")
        }
        options.userAgent = arguments.text(RefreshDeclaration.userAgent)
        if let objection = options.userAgent.flatMap({ FeedSetting.userAgent.objection(to: $0) }) {
            throw ToolFailure(.usage, objection)
        }
        options.login = try LoginInput.given(arguments, on: environment.errors)
        if !options.takesFiles {
            words = try words.map { (word) throws(ToolFailure) in
                word == SecretInput.word ? try SecretInput.line(prompt: "URL: ", on: environment.errors) : word
            }
        }
        let transport = try makeTransport()
        var replies = try AddRun(self, session, progress, transport, options).add(words)
        for (index, reply) in replies.enumerated() {
            guard let url = reply.error?.login, options.login == nil, options.takesFiles, !isJSON, LoginInput.canAsk
            else { continue }
            progress.clear()
            var again = options
            again.login = try LoginInput.ask(for: url, on: environment.errors)
            replies[index] = try AddRun(self, session, progress, transport, again).add([url])[0]
        }
        progress.finish()
        return try report(SubscriptionsReply(replies))
    }

    private func report(_ reply: SubscriptionsReply) throws(ToolFailure) -> ExitStatus {
        var worst = ExitStatus.success
        for row in reply.rows {
            if let failure = row.error {
                let login = failure.login.map { "; podcast-refresh add --user NAME \($0)" } ?? ""
                tell("\(row.url ?? ""): \(failure.what)\(login)")
                worst = .gravest(
                    worst, failure.status.flatMap { ExitStatus(rawValue: Int32(clamping: $0)) } ?? .software)
            } else if !isJSON, !isQuiet {
                try print(FeedText.subscribed(row))
            }
        }
        if isJSON { output.line(reply.json.text) }
        return worst
    }
}

struct AddOptions {
    var takesFiles = true
    /// Whether feeds are subscribed to rather than only looked at.
    var subscribes = true
    var fileURL: String?
    /// For all addresses without their own.
    var login: TypedLogin?
    var userAgent: String?

    static func isFile(_ word: String) -> Bool {
        !word.contains("://") && (try? FileStatus(path: word))?.isRegular == true
    }
}

extension SubscriptionReply {
    static func subscribed(_ feed: Feed, isNew: Bool, isReturned: Bool = false) -> Self {
        Self {
            $0.feed = FeedReply(feed, key: feed.id.description)
            $0.isNew = isNew
            $0.isReturned = isReturned
        }
    }

    static func imported(_ totals: Importer.Totals) -> Self {
        Self {
            $0.imported = totals.reply.added
            $0.note = totals.reply.note
        }
    }

    static func refused(_ status: ExitStatus, _ reason: String) -> Self {
        Self { $0.error = FailureReply(reason, status: Int(status.rawValue)) }
    }

    static func loginRequired(_ url: String) -> Self {
        let failure = FetchFailure.status(401)
        return Self {
            $0.error = FailureReply(
                failure.description, hint: "podcastctl subscribe --user NAME \(url)",
                status: Int(failure.exitStatus.rawValue), login: url)
        }
    }

    /// A document that was read for `add --newest`, with its newest item that can be played.
    static func found(_ document: FeedDocument, url: String) -> Self {
        let playable = document.contents.items.compactMap { item in
            item.media.map { (item: item, url: $0.url) }
        }
        // Of items without a date, or with the same one, the first is the newest.
        let distantPast = Timestamp(milliseconds: .min)
        let newest = playable.max { $0.item.published ?? distantPast < $1.item.published ?? distantPast }
        var feed = FoundFeedReply()
        feed.url = url
        feed.title = document.contents.channel.title
        feed.newestURL = newest?.url
        feed.newestTitle = newest?.item.title
        return Self { $0.found = feed }
    }
}
