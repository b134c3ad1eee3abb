public import CommandLineTool
internal import Configuration

/// The command line of `podcast-refresh`, declared once.
public enum RefreshDeclaration {
    static let dataFolder = OptionDeclaration(
        "data-dir", nil, "DIR", .folder,
        help: "Folder of the library. Default: the setting daemon.data_dir, else $STATE_DIRECTORY, else "
            + "$XDG_DATA_HOME/podcastd.")
    static let jobs = OptionDeclaration(
        "jobs", "j", "N", .integer(1...256),
        help: "How many feeds are fetched at once. Default: the setting refresh.jobs.")
    static let force = OptionDeclaration(flag: "force", "f", help: "Refresh all feeds, fetch all texts, due or not.")
    static let json = OptionDeclaration(flag: "json", help: "Print one JSON document.")
    static let quiet = OptionDeclaration(flag: "quiet", "q", help: "Print nothing but errors.")
    static let socket = OptionDeclaration(
        "socket", nil, "PATH", .file, help: "The daemon's socket. Default: $PODCASTD_SOCKET, else the usual places.")
    static let baseURL = OptionDeclaration(
        "base-url", nil, "URL", help: "Where the document came from; relative links are resolved against it.")
    static let contentType = OptionDeclaration(
        "content-type", nil, "TYPE", help: "The Content-Type that came with the document.")
    static let kind = OptionDeclaration(
        "kind", nil, "KIND", .choice(["feed", "opml", "chapters", "transcript"]),
        help: "What the document is: feed, opml, chapters or transcript. Default: what its name and first bytes say, "
            + "else feed.")
    static let notes = OptionDeclaration(
        "notes", nil, "FORM", .choice(InspectedNotes.allCases.map(\.rawValue)),
        help: "How titles and notes are shown: as plain text, as cleaned html, or raw as the feed has them. Default: "
            + "text.")

    static let feeds = ArgumentDeclaration(
        "FEED", count: .any, help: "Feeds to refresh now: ids, URLs or unique parts of titles.")
    static let urls = ArgumentDeclaration(
        "WHAT", count: .some, help: "Addresses of feeds, web pages, Apple Podcasts links, lists or files to import.")
    static let urlsOnly = OptionDeclaration(
        flag: "urls-only", isHidden: true, help: "Take nothing for a file; for words that came over the socket.")
    static let importFile = ArgumentDeclaration(
        "FILE", .file, help: "An OPML list, a state document or another program's database; - for standard input.")
    static let from = OptionDeclaration(
        "from", nil, "FORM", .choice(ImportForm.all.map(\.name)),
        help: "What FILE is: \(ImportForm.all.map(\.name).joined(separator: ", ")). Default: what its contents say.")
    static let state = OptionDeclaration(
        flag: "state",
        help: "Print the whole state as JSON: subscriptions, tags, positions, marks, stars, notes, queue.")
    static let withCredentials = OptionDeclaration(
        flag: "with-credentials", help: "Keep user names and passwords that stand in addresses.")
    static let limit = OptionDeclaration(
        "limit", nil, "N", .integer(1...200), help: "How many shows are listed. Default: 20.")
    static let name = ArgumentDeclaration("NAME", count: .some, help: "Words of a title or a maker.")
    static let document = ArgumentDeclaration(
        "FILE|URL|-", .file, count: .some, help: "Files, addresses, or - for standard input.")
    static let feedOrURL = ArgumentDeclaration("FEED|URL", help: "A feed of the library, or any address.")

    static let add = SubcommandDeclaration(
        ["add"], "Subscribe to feeds and fetch them.", group: "Commands",
        details: [
            "WHAT is the address of a feed, with or without its scheme (feed:, podcast:, pcast: and itpc: are understood), "
                + "of a web page that names its feed, a link to Apple Podcasts, the address of an OPML list, or a file that "
                + "'import' takes.",
            "An address that does not lead to a feed is told and not subscribed to. Of several feeds that a page names the "
                + "likeliest is taken; where nothing tells them apart they are listed.",
        ], options: [urlsOnly], arguments: [urls])
    static let importFeeds = SubcommandDeclaration(
        ["import"], "Take over subscriptions, and what was done with their episodes.", group: "Commands",
        details: [
            "FILE is an OPML list, whose groups become tags; what 'export --state' wrote; or the database of gPodder "
                + "(Database), castero (castero.db), newsboat (cache.db, with urls and queue beside it; or urls alone) or "
                + "AntennaPod (its database export). Other programs' files are only read.",
            "The feeds are due at once: the next run of podcast-refresh fetches them, and gives their episodes the "
                + "positions, marks, stars, notes and places in the queue that were imported. What is here already stays: "
                + "of two positions the later one wins.",
            "An import that was stopped has kept what it took; run it again for the rest.",
        ], options: [from], arguments: [importFile])
    static let exportFeeds = SubcommandDeclaration(
        ["export"], "Print all subscriptions as OPML, or the whole state.", group: "Commands",
        details: ["Tags become groups of the list. The form of the state is described in docs/STATE.md."],
        options: [state, withCredentials])
    static let find = SubcommandDeclaration(
        ["find"], "Look a podcast up in directories.", group: "Commands",
        details: [
            "Asks Apple Podcasts, fyyd, gpodder.net, and the Podcast Index if there is a key; each can be switched off, see "
                + "directories.* in podcastd.conf(5). What they answer comes as one list; 'podcast-refresh add' takes "
                + "the address of a feed."
        ], options: [limit], arguments: [name])
    static let inspect = SubcommandDeclaration(
        ["inspect"], "Parse a document and print what it says; store nothing.", group: "Commands",
        details: [
            "With --json, a document that is no feed is an answer too; without, the exit status is 65. Several documents "
                + "give one JSON document a line."
        ],
        options: [baseURL, contentType, kind, notes], arguments: [document])
    static let episodes = ArgumentDeclaration(
        "EPISODE", count: .some, help: "Episodes: ids, URLs or unique parts of titles.")
    static let texts = SubcommandDeclaration(
        ["texts"], "Fetch chapters and transcripts of episodes into the library.", group: "Commands",
        details: [
            "They are what the feed names and does not hold. The daemon does so by itself for episodes that are queued, played or "
                + "shown. Of several transcripts the one in your language, with times, is taken. Documents are asked for "
                + "again after a day, and after failures later each time; --force asks now."
        ], arguments: [episodes])
    static let explain = SubcommandDeclaration(
        ["explain"], "Fetch a feed and tell all that happens: redirects, headers, repairs, when it is due.",
        group: "Commands", details: ["Nothing is stored."], arguments: [feedOrURL])

    public static let program = ProgramDeclaration(
        "podcast-refresh", "Fetch podcast feeds into the library.",
        details: [
            "Without a command, all feeds that are due are refreshed, or those that are named. The daemon may run or "
                + "not. One refresh runs at a time; a second one waits a few seconds for the first and then gives up.",
            "Settings are read from the files that the daemon reads: refresh.jobs and what is under [network] apply to "
                + "feeds as they do to episodes. The command line wins over what clients of the daemon set, and that "
                + "over the config file.",
            "A feed that fails keeps everything it had, and is tried again less and less often, but at least daily.",
        ],
        options: [SettingsReader.configOption, dataFolder, jobs, force, json, quiet, socket],
        arguments: [feeds],
        subcommands: SubcommandList { [add, find, importFeeds, exportFeeds, texts, inspect, explain] },
        runsWithoutCommand: true,
        manual: ManualNotes(
            statuses: [
                .success, .usage, .badData, .noInput, .cannotCreate, .ioError, .tryAgain, .noPermission,
                .configuration,
            ],
            environment: [
                .init("STATE_DIRECTORY", "Folder of the library, set by systemd for its services."),
                .init("XDG_DATA_HOME", "The library is in podcastd below this folder. Default: ~/.local/share."),
                .init("PODCASTD_SOCKET", "The daemon's socket."),
                .init(
                    "CREDENTIALS_DIRECTORY", "Its podcast-index holds the key for the Podcast Index, set by systemd."),
                .init("XDG_CONFIG_HOME", "Its podcastd/podcastd.conf is the config file. Default: ~/.config."),
                .init(
                    "http_proxy, https_proxy, no_proxy",
                    "Proxies, as for curl(1); the setting network.proxy wins over the first two."),
            ],
            files: [
                .init("DATA/library.db", "The library."), .init("DATA/settings", "What clients of the daemon set."),
                .init("/etc/podcastd.conf", "Settings; podcastd.conf(5)."),
            ],
            examples: [
                .init("podcast-refresh add https://example.org/feed.xml", "Subscribe."),
                .init("podcast-refresh import ~/gPodder/Database", "Move in from gPodder."),
                .init("podcast-refresh export --state > state.json", "Take everything along."),
                .init("podcast-refresh --quiet", "What a cron job runs; it speaks up only when something fails."),
                .init("podcast-refresh inspect --json feed.xml", "See what a document says."),
            ],
            seeAlso: ["podcastd(8)", "podcastctl(1)", "podcastd.conf(5)"]))
}
