internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import PodcastModel
internal import Presentation

/// Makes each screen when it is first shown: adding a screen is a case here, and its sections.
struct ScreenMaker {
    let context: ScreenContext
    let reader: ModelReader

    func make(_ name: ScreenName) -> any Screen {
        switch name {
        case .nowPlaying: NowPlaying(context).makeScreen()
        case .queue: queue
        case .feeds: feeds
        case .episodes: episodes(.all, title: { "Episodes" })
        case .feedEpisodes(let feed): episodes(.feed(feed), title: { [context] in context.feedTitle(feed) })
        case .playlists: playlists
        case .playlist(let name): episodes(.playlist(name), title: { "Playlist \(name)" })
        case .rules: rules
        case .downloads: downloads
        case .bookmarks: bookmarks
        case .outputs: outputs
        case .settings: FormScreen.settings(context)
        case .feedSettings(let feed): FormScreen.settings(of: feed, context)
        case .subscribe: FormScreen.subscribe(context)
        case .newRule: form(AddRule.self, name, "New rule") { "added rule \($0.id)" }
        case .newPlaylist: form(SavePlaylist.self, name, "New playlist", said: FeedText.saved)
        case .newBookmark: form(AddBookmark.self, name, "New bookmark") { "bookmarked \($0.position)" }
        case .newOutput:
            form(AddOutput.self, name, "New output") {
                context.awaitedRow = Self.identity(of: $0)
                return "added output \($0.name)"
            }
        case .outputSettings(let output): FormScreen.settings(ofOutput: output, context)
        case .rule(let id, let values):
            form(SetRule.self, name, "Rule \(id)", fixed: ["rule": id.json], values: values) { "saved rule \($0.id)" }
        case .playlistFilter(let playlist, let values):
            form(
                SavePlaylist.self, name, "Playlist \(playlist)", fixed: ["name": .string(playlist)], values: values,
                sendsAll: true, said: FeedText.saved)
        case .bookmark(let id, let values):
            form(EditBookmark.self, name, "Bookmark", fixed: ["bookmark": id.json], values: values) {
                "saved the bookmark at \($0.position)"
            }
        case .episode(let id): EpisodeDetail(context, id).makeScreen()
        case .log: log
        case .found(let words): found(words)
        case .keys: keyList
        case .answer: answer
        }
    }

    /// A form of a command's parameters, and what is said when the command has succeeded.
    private func form<Called: Command>(
        _ type: Called.Type, _ name: ScreenName, _ title: String, fixed: [String: JSONValue] = [:],
        values: [String: String] = [:], sendsAll: Bool = false, said: @escaping (Called.Reply) -> String
    ) -> FormScreen {
        FormScreen.command(type, name, context, title: title, fixed: fixed, values: values, sendsAll: sendsAll) {
            context.say(said($1))
            return true
        }
    }

    // MARK: feeds and episodes

    private var feeds: ListScreen {
        let section = RowSection(context.isWide ? .columns : .subtitle, { context.model.feeds }) { reply, row in
            row.show(reply.feed, context)
        }
        section.text = { $0.feed.tags.joinedText(" ") }
        section.id = { $0.feed.id.rawValue }
        section.subject = { .feed($0.feed) }
        section.onSelect = { context.open(.feedEpisodes($0.feed.id)) }
        section.leadsFurther = true
        section.insertion = ("Subscribe to a feed", { context.open(.subscribe) })
        section.onDelete = { reply in
            context.confirm("Unsubscribe from \(reply.feed.distinctTitle)?") {
                context.run(Unsubscribe { $0.feeds = [reply.feed.id.label] }) { _ in
                    context.promise("unsubscribed from \(reply.feed.title)")
                }
            }
        }
        return ListScreen(
            context, title: { "Feeds (\(context.model.feeds.count { !$0.feed.url.isEmpty }))" }, [section],
            keys: [("open", "episodes"), ("subscribe", "subscribe"), ("refresh-all", "refresh")],
            empty: context.firstSteps ?? "", parts: [.feeds], load: { [reader] in reader.want(.feeds) })
    }

    private func episodes(_ scope: EpisodeList.Scope, title: @escaping () -> String) -> ListScreen {
        let list = EpisodeList(context, scope)
        let screen = ListScreen(
            context,
            title: {
                (list.isLoaded ? "\(title()) (\(list.count.text))" : title())
                    + (list.isOldestFirst == true ? ", oldest first" : "")
            }, [list],
            keys: [("open", "details"), ("play", "play"), ("add", "queue")]
                + (list.isOldestFirst.map { [("order", $0 ? "newest first" : "oldest first")] } ?? []),
            empty: context.firstSteps ?? "No episodes.",
            parts: list.isOldestFirst == nil ? [.player, .playlists] : [.player],
            load: { list.reload() })
        screen.onVisible = { list.load($0) }
        list.onChange = { [weak screen] in screen?.reload() }
        reader.onEpisodes.append { [weak list] change in
            list?.apply(change)
            return list != nil
        }
        return screen
    }

    // MARK: lists that are read whole

    private var playlists: ListScreen {
        let held = Held(ListPlaylists(), \.rows)
        let section = RowSection(.subtitle, { held.rows }) { list, row in
            row.title = list.title
            row.detail = list.count.text
            row.subtitle = list.isByHand ? "by hand" : list.filter ?? "built in"
        }
        section.subject = { .playlist($0) }
        section.onSelect = { context.open(.playlist($0.name)) }
        section.onEdit = { list in
            guard let filter = list.filter else {
                return context.say("\(list.title) is a built-in playlist, which cannot be changed", isError: true)
            }
            let values = ["filter": filter, "order": list.order?.rawValue ?? ""]
            context.open(.playlistFilter(list.name, values: values))
        }
        section.leadsFurther = true
        section.refusal = { $0.filter == nil ? "\($0.title) is a built-in playlist, which cannot be deleted" : nil }
        section.insertion = ("New playlist", { context.open(.newPlaylist) })
        section.footing = { "Your playlists are filters, such as is:unplayed longer:30m, or by:hand" }
        section.onDelete = { list in
            context.run(RemovePlaylist { $0.name = list.name }) { _ in
                context.promise("removed playlist \(list.title)")
            }
        }
        return listScreen(
            "Playlists", held, section, keys: [("open", "episodes"), ("new", "new"), ("edit", "edit")],
            parts: [.playlists])
    }

    private var rules: ListScreen {
        let held = Held(ListRules(), \.rows)
        let section = RowSection(.subtitle, { held.rows }) { rule, row in
            row.title = rule.rule
            row.subtitle = (rule.feedTitle ?? "all feeds") + (rule.coveredBy == nil ? "" : "  never reached")
        }
        section.id = { $0.id.rawValue }
        section.onEdit = { context.open(.rule($0.id, values: ["text": $0.rule])) }
        section.onSelect = section.onEdit
        section.onDelete = { rule in
            context.run(RemoveRule { $0.rule = rule.id }) { _ in context.promise("removed the rule") }
        }
        section.onMove = { from, to in
            guard held.rows.indices.contains(from) else { return }
            context.run(
                MoveRule {
                    $0.rule = held.rows[from].id
                    $0.to = to + 1
                })
        }
        section.insertion = ("New rule", { context.open(.newRule) })
        section.footing = { held.rows.isEmpty ? nil : "The first rule that matches a new episode decides." }
        return listScreen(
            "Rules", held, section,
            keys: [("open", "change"), ("new", "new"), ("delete", "delete"), ("carry", "move")],
            empty: "No rules. Press 'i' to add one.", parts: [.rules])
    }

    private var downloads: ListScreen {
        let held = Held(ListDownloads { $0.limit = 1_000 }, \.rows)
        let section = RowSection(.media, { held.rows }) { download, row in
            row.title = download.title
            row.detail = download.stateText
            row.subtitle = download.reason ?? download.feedTitle
            switch download.state {
            case .waiting: row.download = .waiting
            case .downloading: row.download = .underWay(download.progress ?? 0)
            case .failed:
                row.download = .failed
                row.hasFailed = true
            case .downloaded: row.download = .onDisk
            case .cached: break
            }
        }
        section.id = { $0.episode.rawValue }
        section.subject = { .episodeID($0.episode) }
        section.onSelect = { context.open(.episode($0.episode)) }
        section.leadsFurther = true
        section.onDelete = { context.deleteDownload(of: $0.episode, $0.title) }
        return listScreen(
            "Downloads", held, section, keys: [("open", "details"), ("download", "try again"), ("delete", "delete")],
            empty: "No downloads. Press D on an episode.", parts: [.downloads, .activities])
    }

    private var bookmarks: ListScreen {
        let held = Held(ListBookmarks { $0.limit = 1_000 }, \.rows)
        let section = RowSection(.subtitle, { held.rows }) { bookmark, row in
            row.title = bookmark.text.isEmpty ? bookmark.title : bookmark.text
            row.detail = bookmark.place
            row.subtitle = "\(bookmark.title)  \(bookmark.feedTitle)"
        }
        section.id = { $0.id.rawValue }
        section.subject = { .episodeID($0.episode) }
        section.onSelect = { bookmark in context.run(PlayBookmark { $0.bookmark = bookmark.id }) }
        section.onEdit = { bookmark in
            var values = ["text": bookmark.text, "at": "\(bookmark.position)"]
            values["skipTo"] = bookmark.skipTo.map { "\($0)" }
            context.open(.bookmark(bookmark.id, values: values))
        }
        section.insertion = ("New bookmark", { context.open(.newBookmark) })
        section.onDelete = { bookmark in
            context.run(RemoveBookmarks { $0.bookmarks = [bookmark.id] }) { _ in
                context.promise("removed the bookmark")
            }
        }
        return listScreen(
            "Bookmarks", held, section, keys: [("open", "play"), ("new", "new"), ("edit", "edit")],
            empty: "No bookmarks. Press ' while an episode plays.", parts: [.episodes])
    }

    private func listScreen<Query: Command, Row>(
        _ title: String, _ held: Held<Query, Row>, _ section: RowSection<Row>, keys: [(action: String, does: String)],
        empty: @escaping @autoclosure () -> String = "", parts: [StatusPart]
    ) -> ListScreen {
        let load = { context.read(held.query, done: held.store) }
        let screen = ListScreen(
            context, title: { "\(title) (\(held.rows.count))" }, [section], keys: keys,
            empty: context.firstSteps ?? empty(), parts: parts, load: load, update: { _ in load() })
        held.onChange = { [weak screen] in screen?.reload() }
        return screen
    }

    // MARK: what the model has

    private static func identity(of output: OutputReply) -> Int64 { -Int64(output.name.hashValue.magnitude >> 1) }

    private var outputs: ListScreen {
        let section = RowSection(.subtitle, { context.model.outputs }) { output, row in
            row.title = output.name
            row.detail = output.isEnabled ? "[x]" : "[ ]"
            let volume = output.volume == 100 ? nil : "volume \(output.volume)"
            let delay = output.delay == 0 ? nil : "\(output.delay) ms later"
            let parts = [output.specification, volume, delay, output.reason]
            row.subtitle = parts.compactMap(\.self).joinedText(" · ")
        }
        section.onSelect = { output in
            let name = output.name
            output.isEnabled
                ? context.run(DisableOutput { $0.name = name }) : context.run(EnableOutput { $0.name = name })
        }
        section.id = Self.identity
        section.subject = { .output($0) }
        section.onEdit = { context.open(.outputSettings($0.name)) }
        section.insertion = ("New output", { context.open(.newOutput) })
        section.onDelete = { output in
            context.run(RemoveOutput { $0.name = output.name }) { _ in context.promise("removed \(output.name)") }
        }
        return ListScreen(
            context, title: { "Outputs" }, [section],
            keys: [
                ("open", "on or off"), ("play", "only here"), ("feed-settings", "volume, delay"), ("new", "new"),
                ("delete", "remove"),
            ],
            empty: "No outputs.",
            parts: [.outputs])
    }

    private var log: ListScreen {
        let section = RowSection(.plain, { context.messages.reversed() }) { message, row in
            row.title = message.text
            row.detail = context.times.time(message.time)
        }
        section.onSelect = { context.showInFull($0.text) }
        return ListScreen(
            context, title: { "Log" }, [section], keys: [("open", "read in full")], empty: "No messages.",
            parts: StatusPart.allCases, isOfDaemon: false)
    }

    /// Shows of podcast directories.
    private func found(_ words: String) -> ListScreen {
        let held = Held(FindShows { $0.name = words }, \.shows)
        var empty = "Searching…"
        let section = RowSection(.subtitle, { held.rows }) { show, row in
            row.title = show.title
            row.subtitle = (show.author.map { "\($0)  " } ?? "") + show.url
        }
        section.onSelect = { show in
            context.confirm("Subscribe to \(show.title)?") {
                context.run(Subscribe { $0.urls = [show.url] }) { context.say($0) }
            }
        }
        let screen = ListScreen(
            context, title: { "Found for \(words) (\(held.rows.count))" }, [section], keys: [("open", "subscribe")],
            empty: empty,
            load: {
                context.run(held.query) { reply in
                    empty = "No podcast matches \(words)."
                    held.store(reply)
                } fail: { failure in
                    empty = failure.explanation
                    held.onChange()
                    context.say(failure.explanation, isError: true)
                }
            })
        held.onChange = { [weak screen] in screen?.reload() }
        return screen
    }

    private var answer: ListScreen {
        let section = RowSection(.plain, { context.answer.lines }) { text, row in
            row.title = text
        }
        return ListScreen(
            context, title: { context.answer.title }, [section], parts: StatusPart.allCases, isOfDaemon: false)
    }

    private var keyList: ListScreen {
        let actions = TerminalAction.all.filter { !context.keys.keys(of: $0.name).isEmpty }
        let section = RowSection(.plain, { actions }) { action, row in
            row.title = action.help
            row.detail = context.keys.keys(of: action.name).joinedText("  ")
        }
        let scrolling = ["down", "page-down"].compactMap { context.keys.keys(of: $0).first }.joinedText(" and ")
        return ListScreen(context, title: { "Keys (\(scrolling) scroll)" }, [section], isOfDaemon: false)
    }
}

/// Rows that are read whole, and the query for them.
private final class Held<Query: Command, Row> {
    let query: Query
    let path: KeyPath<Query.Reply, [Row]>
    private(set) var rows: [Row] = []
    var onChange: () -> Void = {}

    init(_ query: Query, _ path: KeyPath<Query.Reply, [Row]>) {
        self.query = query
        self.path = path
    }

    func store(_ reply: Query.Reply?) {
        guard let reply else { return }
        rows = reply[keyPath: path]
        onChange()
    }
}
