internal import CommandLineTool
internal import PodcastModel
internal import Reporting

/// All settings, in the order of the config file.
public enum SettingTable {
    public typealias Section = (name: String, help: String, settings: [SettingDeclaration])

    public static let sections: [Section] = [
        daemon, library, output, outputs, playback, queue, cache, network, refresh, directories, control,
    ]

    public static let all = sections.flatMap(\.settings)

    /// `key` is `section.name`.
    public static func declaration(_ key: String) -> SettingDeclaration? { all.first { $0.key == key } }

    /// A suggestion for an unknown key: a key that differs in a few letters, or has the same name in another section.
    public static func closest(to key: String) -> String? {
        let name = key.split(separator: ".").last.map(String.init) ?? key
        return Spelling.closest(to: key, in: all.map(\.key)) ?? all.first { $0.name == name }?.key
            ?? Spelling.closest(to: name, in: all.map(\.name)).flatMap { close in all.first { $0.name == close }?.key }
    }

    private static func section(_ name: String, _ help: String, _ settings: SettingDeclaration...) -> Section {
        let named = settings.map { setting in
            var setting = setting
            setting.section = name
            return setting
        }
        return (name, help, named)
    }

    private static let daemon = section(
        "daemon", "Folders and log messages.",
        .fileOnly(
            "data_dir", .path, default: "", needsRestart: true,
            "Folder of the library. If empty: $STATE_DIRECTORY, else $XDG_DATA_HOME/podcastd."),
        .fileOnly(
            "cache_dir", .path, default: "", needsRestart: true,
            "Folder of the episode cache. If empty: $CACHE_DIRECTORY, else $XDG_CACHE_HOME/podcastd."),
        .client(
            "log_level", ValueKind(.logLevels, choices: LogLevel.allCases.map(\.name)), default: "notice",
            "The least severe level that is logged: error, warning, notice, info or debug. A section can have a different",
            "level: notice,playback=debug. Sections: \(LogSection.words.joinedText(", "))."))

    private static let library = section(
        "library", "Backups of the library.",
        .client(
            "backup_every", .choice(["off", "daily", "weekly", "monthly"]), default: "weekly",
            "How often podcastd writes a backup of the library into its folder backups by itself."),
        .client("backups_kept", .integer(1...100), default: "5", "Number of backups to keep; older ones are removed."))

    private static let output = section(
        "output", "Sound output.",
        .fileOnly(
            "sink", .text, default: "alsa",
            "alsa[:DEVICE], null (plays silently in real time), or another output that podcastd(8) lists at --output.",
            "Options can follow: ?rate=48000&format=s16&channels=2"),
        .client(
            "close_after", .duration(0...86_400), default: "10",
            "Release the sound device this long after pause or stop."))

    private static let outputs = section(
        "outputs",
        "Several outputs that play the same at the same time, in place of the setting sink: a line NAME = SINK for each. "
            + "podcastctl outputs lists them and switches them on and off, also while they play.")

    private static let playback = section(
        "playback", "Playback.",
        .client(
            "rebuffer", .duration(1...60), default: "3",
            "Seconds to buffer before resuming after an underrun; a full buffer (12 s of stereo) is enough, too."),
        .client(
            "disconnect_after", .duration(1...86_400), default: "60",
            "Close the connection to the episode's host this long after pause. It is opened again on resume."),
        .client(
            "rewind_after_pause", .duration(0...300), default: "0",
            "Continue this much earlier after a pause of a day or more; after an hour half of it, after a minute a sixth. 0: never."
        ),
        .client(
            "played_before_end", .duration(0...3600), default: "0",
            "An episode that you leave this close to its end counts as played. 0: only at its end."),
        .client(
            "resume_at_start", .flag, default: "no",
            "Continue playback at every start of podcastd, also after a boot, if an episode was playing when it ended.",
            "After a crash, an upgrade or a restart within five minutes playback always continues."),
        .client(
            "inhibit_sleep", .flag, default: "yes",
            "Keep the machine awake while an episode plays, if logind allows it."),
        .client(
            "after_queue", .afterQueue, default: "stop",
            "Playback after the last entry of the queue: stop, oldest-first or newest-first for further unplayed episodes",
            "of the last one's feed in that order, or playlist:NAME for the episodes of a playlist in its order."),
        .client(
            "sleep_fade", .duration(0...300), default: "10",
            "How long the sleep timer fades the sound out; 0 for no fade."),
        .client(
            "speed", .speed, default: "1",
            "Playback speed; the pitch is kept. 'podcastctl speed' changes it. Feeds can have their own speed, as well as their own",
            "values of the settings below, with 'podcastctl set FEED speed 1.5'. Feeds that publish music are played unchanged",
            "unless they have their own settings."),
        .client(
            "silence", .flag, default: "no",
            "Shorten long pauses. Positions and durations remain those of the recording."),
        .client(
            "silence_threshold", .integer(SilenceShortening.thresholds, step: 1, unit: "dB"), default: "-42",
            "Level below which sound counts as a pause, in decibels of full scale."),
        .client(
            "silence_shortest", .integer(SilenceShortening.pauses, step: 10, unit: "ms"), default: "500",
            "Length from which pauses are shortened, in milliseconds."),
        .client(
            "silence_kept", .integer(20...SilenceShortening.pauses.upperBound, step: 10, unit: "ms"), default: "250",
            "What remains of a shortened pause, in milliseconds."),
        .client(
            "loudness", .loudness, default: "off",
            "Loudness that all episodes get, in LUFS (ITU-R BS.1770); -16 is usual for podcasts."),
        .client(
            "voice_boost", .flag, default: "no", "Emphasize voices, for noisy places: an equalizer and a compressor."),
        .client("mono", .flag, default: "no", "Play the mix of all channels on each channel."),
        .client(
            "skip_start", .duration(0...3600), default: "0",
            "Time left out at the beginning of each episode. A seek into it plays it."),
        .client(
            "skip_end", .duration(0...3600), default: "0",
            "Time left out at the end of each episode, if its duration is known."),
        .client(
            "skip_chapters", .text, default: "",
            "Titles of chapters that are left out, separated by semicolons: Werbung; *sponsor*"))

    private static let queue = section(
        "queue", "Queue.",
        .client("keep_played", .flag, default: "no", "Keep episodes in the queue after they were heard to their end."))

    private static let cache = section(
        "cache", "Episode cache.",
        .client(
            "size", .size(16 << 20...1 << 44), default: "2G", needsRestart: true,
            "Maximum size of the episode cache; least recently played episodes are removed first."))

    private static let network = section(
        "network", "Fetching feeds and episodes.",
        .fileOnly(
            "proxy", .text, default: "", needsRestart: true,
            "Proxy for all requests, for example http://proxy.example:3128. If empty: http_proxy of the environment."),
        .fileOnly(
            "ca_file", .path, default: "", needsRestart: true,
            "File with trusted certificates for feeds and episodes. If empty: the system's."),
        .fileOnly(
            "contact", .text, default: "", needsRestart: true,
            "A URL or mail address for operators of feed hosts, sent in the User-Agent: podcastd/1.0 (+URL).",
            "Sites that block unknown clients often allow those that name a contact."),
        .fileOnly(
            "private_hosts", .text, default: "", needsRestart: true,
            "Hosts that feeds and redirects may refer to although they resolve to local or private addresses:",
            "nas.example.org, *.example.org for all its subdomains, * for all. If you subscribe to a private address",
            "(localhost, 192.168.1.5, nas.local), its host is allowed for that feed without this setting."))

    private static let refresh = section(
        "refresh", "Refreshing feeds.",
        .client(
            "jobs", .integer(1...64), default: "16",
            "Number of feeds fetched at the same time; at most two from one host."))

    private static let directories = section(
        "directories", "Directories used by 'podcastctl find'.",
        directory("apple", "Apple Podcasts, also to resolve its links"), directory("fyyd", "fyyd.de"),
        directory("podcast_index", "the Podcast Index; needs a key"), directory("gpodder", "gpodder.net"),
        address("apple", "https://itunes.apple.com"), address("fyyd", "https://api.fyyd.de"),
        address("podcast_index", "https://api.podcastindex.org"), address("gpodder", "https://gpodder.net"),
        .fileOnly(
            "podcast_index_key_file", .path, default: "",
            "File with API key and secret, separated by a space, from https://api.podcastindex.org. If empty: the",
            "service's credential podcast-index, if there is one; see LoadCredential= in systemd.exec(5)."))

    private static let control = section(
        "control", "Who may control the daemon.",
        .fileOnly(
            "max_connections", .integer(1...10_000), default: "1100", needsRestart: true,
            "Maximum number of connections; further ones are refused with a message."),
        .fileOnly(
            "default", .choice(["none", "read", "control", "admin"]), default: "none", needsRestart: true,
            "Permission of local users not listed below. The daemon's own user and root may do everything."),
        .fileOnly(
            "users", .text, default: "", needsRestart: true, "Highest permission of each user: alice=admin, bob=read."),
        .fileOnly("groups", .text, default: "", needsRestart: true, "Highest permission of each group: audio=control."))

    private static func directory(_ name: String, _ title: String) -> SettingDeclaration {
        .client(name, .choice(["on", "off"]), default: "on", "Search \(title).")
    }

    private static func address(_ name: String, _ address: String) -> SettingDeclaration {
        .fileOnly("\(name)_url", .text, default: address, "Base URL of the service.")
    }
}
