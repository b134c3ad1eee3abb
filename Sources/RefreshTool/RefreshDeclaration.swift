internal import CommandLineTool
internal import Configuration
internal import PodcastModel

/// The command line of `podcast-refresh`, declared once.
enum RefreshDeclaration {
    static let dataFolder = OptionDeclaration(
        "data-dir", nil, "DIR", .folder,
        help: "Directory of the library (default: the setting daemon.data_dir, else $STATE_DIRECTORY, else "
            + "$XDG_DATA_HOME/podcastd).")
    static let jobs = OptionDeclaration(
        "jobs", "j", "N", .integer(1...256),
        help: "Fetch at most N feeds at the same time (default: the setting refresh.jobs).")
    static let force = OptionDeclaration(
        flag: "force", "f", help: "Refresh feeds, or fetch texts, even if they are not due.")
    static let json = OptionDeclaration(flag: "json", help: "Print one JSON document.")
    static let quiet = OptionDeclaration(flag: "quiet", "q", help: "Print only errors.")
    static let socket = OptionDeclaration(
        "socket", nil, "PATH", .file, help: "The daemon's socket (default: $PODCASTD_SOCKET, else the standard paths).")
    static let baseURL = OptionDeclaration(
        "base-url", nil, "URL", help: "URL of the document; relative links are resolved against it.")
    static let contentType = OptionDeclaration("content-type", nil, "TYPE", help: "Content-Type of the document.")
    static let kind = OptionDeclaration(
        "kind", nil, "KIND", .choice(["feed", "opml", "chapters", "transcript"]),
        help: "File format: feed, opml, chapters or transcript (default: detected from name and content, else feed).")
    static let notes = OptionDeclaration(
        "notes", nil, "FORM", .choice(InspectedNotes.words),
        help: "Format of titles and notes: text (plain text), html (sanitized) or raw (default: text).")

    static let feeds = ArgumentDeclaration(
        "FEED", isRequired: false, isRepeatable: true,
        help: "Feeds to refresh now: ids, URLs, titles, or words that occur in one title.")
    static let urls = ArgumentDeclaration(
        "WHAT", isRepeatable: true,
        help: "URLs of feeds, web pages or OPML lists, Apple Podcasts links, or files to import.")
    static let urlsOnly = OptionDeclaration(
        flag: "urls-only", isHidden: true,
        help: "Never read WHAT as a file name; for arguments that came over the socket. For each - the URL is a line "
            + "of standard input, after the password.")
    static let userAgent = OptionDeclaration(
        "user-agent", nil, "TEXT",
        help: "Send TEXT as User-Agent for this feed, its refreshes and its episodes (the feed setting user_agent).")
    static let fileURL = OptionDeclaration(
        "url", nil, "URL", help: "URL of a feed that is given as a file and does not name its own.")
    static let newest = OptionDeclaration(
        flag: "newest", isHidden: true,
        help: "With --json, print the newest episode of each feed instead of subscribing.")
    static let importFile = ArgumentDeclaration(
        "FILE", .file, help: "An OPML list, a state file or the database of another program; - for standard input.")
    static let inputName = OptionDeclaration(
        "name", nil, "NAME", isHidden: true, help: "What messages call the standard input.")
    static let addressBytes = OptionDeclaration(
        "urls-bytes", nil, "N", .integer(0...1 << 20), isHidden: true,
        help: "Size of newsboat's list of URLs, which follows the database on the standard input.")
    static let queueBytes = OptionDeclaration(
        "queue-bytes", nil, "N", .integer(0...1 << 20), isHidden: true,
        help: "Size of podboat's queue, which follows that list.")
    static let from = OptionDeclaration(
        "from", nil, "FORM", .choice(ImportForm.all.map(\.name)),
        help: "Format of FILE: \(ImportForm.all.map(\.name).joinedText(", ")) (default: detected).")
    static let state = OptionDeclaration(
        flag: "state",
        help: "Print the whole state as JSON: subscriptions, tags, positions, marks, stars, notes, queue.")
    static let history = OptionDeclaration(flag: "history", help: "With --state, include the listening history.")
    static let trial = OptionDeclaration(flag: "try", help: "Change nothing; show what the import would change.")
    static let withCredentials = OptionDeclaration(
        flag: "with-credentials", help: "Include the logins of feeds, as user names and passwords in URLs.")
    static let limit = OptionDeclaration(
        "limit", nil, "N", .integer(1...200), help: "Show at most N podcasts (default: 20).")
    static let name = ArgumentDeclaration("NAME", isRepeatable: true, help: "Words of a title or an author.")
    static let document = ArgumentDeclaration(
        "FILE|URL|-", .file, isRepeatable: true, help: "Files, URLs, or - for standard input.")
    static let feedOrURL = ArgumentDeclaration("FEED|URL", help: "A subscribed feed, or any URL.")

    static let add = SubcommandDeclaration(
        ["add"], "Subscribe to feeds and fetch them.", group: "Commands",
        details: [
            "WHAT is the URL of a feed, of a web page that links to its feed or of an OPML list, an Apple Podcasts link, or a "
                + "file that 'import' reads. A URL needs no scheme; feed:, podcast:, pcast: and itpc: are also accepted.",
            "If an address is not a feed, an error is shown. If a page links to several feeds the best is chosen, or, if "
                + "unclear, all are listed.",
            "If the server requires a login, user name and password are asked for on the terminal. In a script: "
                + "--user NAME --password-file FILE.",
        ], options: [LoginInput.user, LoginInput.passwordFile, userAgent, fileURL, urlsOnly, newest], arguments: [urls])
    static let importFeeds = SubcommandDeclaration(
        ["import"], "Import subscriptions, with positions, played marks and stars.", group: "Commands",
        details: [
            "FILE is an OPML list, whose groups become tags; a feed that names its own URL, or whose URL --url gives; the output of 'export --state'; or the database of gPodder "
                + "(Database), castero (castero.db), newsboat (cache.db, with urls and queue in the same directory, or urls in ~/.config/newsboat; or urls "
                + "alone) or AntennaPod (its database export). The files of other programs are not changed.",
            "The next run of podcast-refresh fetches the new feeds, and then sets the imported positions, played marks, stars, "
                + "notes and queue entries of their episodes. Nothing in the library is overwritten, but if an episode has two "
                + "positions the later one is used.",
            "An interrupted import keeps what it has imported; run it again for the rest.",
        ], options: [from, trial, fileURL, inputName, addressBytes, queueBytes], arguments: [importFile])
    static let exportFeeds = SubcommandDeclaration(
        ["export"], "Print all subscriptions as OPML, or the whole state as JSON.", group: "Commands",
        details: [
            "Tags become groups of the list. The format of the state is described in STATE.md of the documentation."
        ],
        options: [state, history, withCredentials])
    static let find = SubcommandDeclaration(
        ["find"], "Search podcast directories by title or author.", group: "Commands",
        details: [
            "Searches Apple Podcasts, fyyd, gpodder.net and, if it has a key, the Podcast Index. Each can be disabled: see "
                + "directories.* in podcastd.conf(5). The results are merged into one list. To subscribe: podcast-refresh "
                + "add URL, with the URL from the last column."
        ], options: [limit], arguments: [name])
    static let inspect = SubcommandDeclaration(
        ["inspect"], "Parse a feed file and show its content, without storing it.", group: "Commands",
        details: [
            "If a document is not a feed, the exit status is 65; with --json it is 0 and the output says so. For several "
                + "documents --json prints one JSON document per line."
        ],
        options: [baseURL, contentType, kind, notes], arguments: [document])
    static let episodes = ArgumentDeclaration(
        "EPISODE", isRepeatable: true, help: "Episodes: ids, URLs, titles, or words that occur in one title.")
    static let texts = SubcommandDeclaration(
        ["texts"], "Fetch chapters and transcripts of episodes into the library.", group: "Commands",
        details: [
            "These are files that the feed links to. The daemon fetches them automatically for episodes that are queued, "
                + "played or shown. Of several transcripts, one in your language and with timestamps is preferred. A file is "
                + "fetched again after a day at the earliest, and after failures later each time; --force fetches it now."
        ], arguments: [episodes])
    static let feedOrEpisode = ArgumentDeclaration(
        "FEED|EPISODE", help: "A feed or an episode: an id such as f3 or e12, or words of its title.")
    /// Pixels.
    static let usualSide = 600
    static let size = OptionDeclaration(
        "size", nil, "PIXELS", .integer(16...2048),
        help: "The longer side of the picture (default: \(usualSide)). A smaller picture is not enlarged.")
    static let encoding = OptionDeclaration(
        "encoding", nil, "ENCODING", .choice(PictureFormat.words),
        help: "jpeg (the default), or ppm for uncompressed pixels, at most \(PictureFormat.ppm.longestSide) on a side.")
    static let picture = SubcommandDeclaration(
        ["picture"], "Print the cover of a feed or an episode as a small JPEG file.", group: "Commands",
        details: ["It is fetched each time. 'podcastctl picture' keeps what it has fetched."],
        options: [size, encoding], arguments: [feedOrEpisode])
    static let explain = SubcommandDeclaration(
        ["explain"], "Fetch a feed and show every step: redirects, headers, repairs, next refresh.",
        group: "Commands", details: ["Nothing is stored."], arguments: [feedOrURL])

    static let program = ProgramDeclaration(
        "podcast-refresh", "Fetch podcast feeds into the library.",
        details: [
            "Without a command, refreshes all feeds that are due, or the given feeds. The daemon may be running or not. "
                + "Several refreshes can run at a time; feeds that another one is fetching are left to it. If you name such a "
                + "feed, the refresh waits a few seconds and then exits with status 75.",
            "Reads the same settings as the daemon; refresh.jobs and [network] apply. Precedence: command line, then "
                + "podcastctl settings, then config file, then default.",
            "A feed that fails keeps its episodes. It is retried less and less often, but at least daily.",
        ],
        options: [SettingsReader.configOption, dataFolder, jobs, force, json, quiet, socket],
        arguments: [feeds],
        subcommands: SubcommandList { [add, find, importFeeds, exportFeeds, texts, picture, inspect, explain] },
        runsWithoutCommand: true,
        manual: ManualNotes(
            statuses: [
                .success, .usage, .badData, .noInput, .unavailable, .cannotCreate, .ioError, .tryAgain, .noPermission,
                .configuration,
            ],
            environment: [
                ("STATE_DIRECTORY", "Directory of the library, set by systemd for its services."),
                ("XDG_DATA_HOME", "The library is in its subdirectory podcastd (default: ~/.local/share)."),
                ("PODCASTD_SOCKET", "The daemon's socket."),
                (
                    "CREDENTIALS_DIRECTORY",
                    "Its file podcast-index contains the key for the Podcast Index, set by systemd."
                ),
                (
                    "XDG_CONFIG_HOME",
                    "The config file is podcastd/podcastd.conf in this directory (default: ~/.config)."
                ),
                (
                    "http_proxy, https_proxy, no_proxy",
                    "Proxies, see curl(1); the setting network.proxy overrides the first two."
                ),
            ],
            files: [
                ("DATA/library.db", "The library."), ("DATA/settings", "Settings changed with podcastctl."),
                ("/etc/podcastd.conf", "Settings; see podcastd.conf(5)."),
            ],
            examples: [
                ("podcast-refresh add https://example.org/feed.xml", "Subscribe."),
                ("podcast-refresh import ~/gPodder/Database", "Import from gPodder."),
                ("podcast-refresh export --state > state.json", "Export everything."),
                ("podcast-refresh --quiet", "For a cron job; it prints only errors."),
                ("podcast-refresh inspect --json feed.xml", "Show the content of a feed file."),
            ],
            seeAlso: ["podcastd(8)", "podcastctl(1)", "podcastd.conf(5)"]))
}
