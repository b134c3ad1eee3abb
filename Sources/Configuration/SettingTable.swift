internal import CommandLineTool
internal import PodcastModel
internal import Reporting

/// All settings, in the order of the config file.
public enum SettingTable {
    public static let all: [SettingDeclaration] =
        daemon + library + output + playback + queue + cache + network + refresh + directories + control

    /// `key` is `section.name`.
    public static func declaration(_ key: String) -> SettingDeclaration? {
        all.first { $0.key == key }
    }

    /// A suggestion for an unknown key: a key that differs in a few letters, or has the same name in another section.
    public static func closest(to key: String) -> String? {
        let name = key.split(separator: ".").last.map(String.init) ?? key
        return Spelling.closest(to: key, in: all.map(\.key)) ?? all.first { $0.name == name }?.key
            ?? Spelling.closest(to: name, in: all.map(\.name)).flatMap { close in all.first { $0.name == close }?.key }
    }

    public static let sections: [(name: String, help: String)] = [
        ("daemon", "Folders and log messages."),
        ("library", "Backups of the library."),
        ("output", "Sound output."),
        ("playback", "Playback."),
        ("queue", "Queue."),
        ("cache", "Episode cache."),
        ("network", "Fetching feeds and episodes."),
        ("refresh", "Refreshing feeds."),
        ("directories", "Directories used by 'podcastctl find'."),
        ("control", "Who may control the daemon."),
    ]

    private static let daemon: [SettingDeclaration] = [
        SettingDeclaration(
            "daemon", "data_dir", .path, default: "", needsRestart: true,
            help: ["Folder of the library. If empty: $STATE_DIRECTORY, else $XDG_DATA_HOME/podcastd."]),
        SettingDeclaration(
            "daemon", "cache_dir", .path, default: "", needsRestart: true,
            help: ["Folder of the episode cache. If empty: $CACHE_DIRECTORY, else $XDG_CACHE_HOME/podcastd."]),
        SettingDeclaration(
            "daemon", "log_level", ValueKind(.logLevels, choices: LogLevel.allCases.map(\.name)), default: "notice",
            isClientSettable: true,
            help: [
                "The least severe level that is logged: error, warning, notice, info or debug. A section can have a different",
                "level: notice,playback=debug. Sections: \(LogSection.allCases.map(\.name).joined(separator: ", ")).",
            ]),
    ]

    private static let library: [SettingDeclaration] = [
        SettingDeclaration(
            "library", "backup_every", .choice(["off", "daily", "weekly", "monthly"]), default: "weekly",
            isClientSettable: true,
            help: ["How often podcastd writes a backup of the library into its folder backups by itself."]),
        SettingDeclaration(
            "library", "backups_kept", .integer(1...100), default: "5", isClientSettable: true,
            help: ["Number of backups to keep; older ones are removed."]),
    ]

    private static let output: [SettingDeclaration] = [
        SettingDeclaration(
            "output", "sink", .text, default: "alsa",
            help: [
                "alsa[:DEVICE], null (plays silently in real time), or another output that podcastd(8) lists at --output.",
                "Options can follow: ?rate=48000&format=s16&channels=2",
            ]),
        SettingDeclaration(
            "output", "close_after", .duration(0...86_400), default: "10", isClientSettable: true,
            help: ["Release the sound device this long after pause or stop."]),
    ]

    private static let playback: [SettingDeclaration] = [
        SettingDeclaration(
            "playback", "rebuffer", .duration(1...60), default: "3", isClientSettable: true,
            help: ["Seconds to buffer before resuming after an underrun."]),
        SettingDeclaration(
            "playback", "disconnect_after", .duration(1...86_400), default: "60", isClientSettable: true,
            help: ["Close the connection to the episode's host this long after pause. It is opened again on resume."]),
        SettingDeclaration(
            "playback", "rewind_after_pause", .duration(0...300), default: "0", isClientSettable: true,
            help: [
                "Continue this much earlier after a pause of a day or more; after an hour half of it, after a minute a sixth. 0: never."
            ]),
        SettingDeclaration(
            "playback", "played_before_end", .duration(0...3600), default: "0", isClientSettable: true,
            help: ["An episode that you leave this close to its end counts as played. 0: only at its end."]),
        SettingDeclaration(
            "playback", "resume_at_start", .flag, default: "no", isClientSettable: true,
            help: [
                "Continue playback at every start of podcastd, also after a boot, if an episode was playing when it ended.",
                "After a crash, an upgrade or a restart within five minutes playback always continues.",
            ]),
        SettingDeclaration(
            "playback", "after_queue", .afterQueue, default: "stop", isClientSettable: true,
            help: [
                "What plays after the last entry of the queue: stop, oldest-first or newest-first for further unplayed episodes",
                "of the last one's feed in that order, or playlist:NAME for the episodes of a playlist, newest first.",
            ]),
        SettingDeclaration(
            "playback", "sleep_fade", .duration(0...300), default: "10", isClientSettable: true,
            help: ["How long the sleep timer fades the sound out; 0 for no fade."]),
        SettingDeclaration(
            "playback", "speed", .speed, default: "1", isClientSettable: true,
            help: [
                "Playback speed; the pitch is kept. 'podcastctl speed' changes it. Feeds can have their own speed, as well as their own",
                "values of the settings below, with 'podcastctl set FEED speed 1.5'. Feeds that publish music are played unchanged",
                "unless they have their own settings.",
            ]),
        SettingDeclaration(
            "playback", "silence", .flag, default: "no", isClientSettable: true,
            help: ["Shorten long pauses. Positions and durations remain those of the recording."]),
        SettingDeclaration(
            "playback", "silence_threshold", .integer(SilenceShortening.thresholds, step: 1, unit: "dB"),
            default: "-42",
            isClientSettable: true,
            help: ["Level below which sound counts as a pause, in decibels of full scale."]),
        SettingDeclaration(
            "playback", "silence_shortest", .integer(SilenceShortening.pauses, step: 10, unit: "ms"), default: "500",
            isClientSettable: true,
            help: ["Length from which pauses are shortened, in milliseconds."]),
        SettingDeclaration(
            "playback", "silence_kept", .integer(20...SilenceShortening.pauses.upperBound, step: 10, unit: "ms"),
            default: "250", isClientSettable: true,
            help: ["What remains of a shortened pause, in milliseconds."]),
        SettingDeclaration(
            "playback", "loudness", .loudness, default: "off", isClientSettable: true,
            help: ["Loudness that all episodes get, in LUFS (ITU-R BS.1770); -16 is usual for podcasts."]),
        SettingDeclaration(
            "playback", "voice_boost", .flag, default: "no", isClientSettable: true,
            help: ["Emphasize voices, for noisy places: an equalizer and a compressor."]),
        SettingDeclaration(
            "playback", "mono", .flag, default: "no", isClientSettable: true,
            help: ["Play the mix of all channels on each channel."]),
        SettingDeclaration(
            "playback", "skip_start", .duration(0...3600), default: "0", isClientSettable: true,
            help: ["Time left out at the beginning of each episode. A seek into it plays it."]),
        SettingDeclaration(
            "playback", "skip_end", .duration(0...3600), default: "0", isClientSettable: true,
            help: ["Time left out at the end of each episode, if its duration is known."]),
        SettingDeclaration(
            "playback", "skip_chapters", .text, default: "", isClientSettable: true,
            help: ["Titles of chapters that are left out, separated by semicolons: Werbung; *sponsor*"]),
    ]

    private static let queue: [SettingDeclaration] = [
        SettingDeclaration(
            "queue", "keep_played", .flag, default: "no", isClientSettable: true,
            help: ["Keep episodes in the queue after they were heard to their end."])
    ]

    private static let cache: [SettingDeclaration] = [
        SettingDeclaration(
            "cache", "size", .size(16 << 20...1 << 44), default: "2G", needsRestart: true, isClientSettable: true,
            help: ["Maximum size of the episode cache; least recently played episodes are removed first."])
    ]

    private static let network: [SettingDeclaration] = [
        SettingDeclaration(
            "network", "proxy", .text, default: "", needsRestart: true,
            help: [
                "Proxy for all requests, for example http://proxy.example:3128. If empty: http_proxy of the environment."
            ]),
        SettingDeclaration(
            "network", "ca_file", .path, default: "", needsRestart: true,
            help: ["File with trusted certificates for feeds and episodes. If empty: the system's."]),
        SettingDeclaration(
            "network", "contact", .text, default: "", needsRestart: true,
            help: [
                "A URL or mail address for operators of feed hosts, sent in the User-Agent: podcastd/1.0 (+URL).",
                "Sites that block unknown clients often allow those that name a contact.",
            ]),
        SettingDeclaration(
            "network", "private_hosts", .text, default: "", needsRestart: true,
            help: [
                "Hosts that feeds and redirects may refer to although they resolve to local or private addresses:",
                "nas.example.org, *.example.org for all its subdomains, * for all. If you subscribe to a private address",
                "(localhost, 192.168.1.5, nas.local), its host is allowed for that feed without this setting.",
            ]),
    ]

    private static let refresh: [SettingDeclaration] = [
        SettingDeclaration(
            "refresh", "jobs", .integer(1...64), default: "16", isClientSettable: true,
            help: ["Number of feeds fetched at the same time; at most two from one host."])
    ]

    private static let directories: [SettingDeclaration] = [
        directory("apple", "Apple Podcasts, also to resolve its links"), directory("fyyd", "fyyd.de"),
        directory("podcast_index", "the Podcast Index; needs a key"), directory("gpodder", "gpodder.net"),
        address("apple", "https://itunes.apple.com"), address("fyyd", "https://api.fyyd.de"),
        address("podcast_index", "https://api.podcastindex.org"), address("gpodder", "https://gpodder.net"),
        SettingDeclaration(
            "directories", "podcast_index_key_file", .path, default: "",
            help: [
                "File with API key and secret, separated by a space, from https://api.podcastindex.org. If empty: the",
                "service's credential podcast-index, if there is one; see LoadCredential= in systemd.exec(5).",
            ]),
    ]

    private static func directory(_ name: String, _ title: String) -> SettingDeclaration {
        SettingDeclaration(
            "directories", name, .choice(["on", "off"]), default: "on", isClientSettable: true,
            help: ["Search \(title)."])
    }

    private static func address(_ name: String, _ address: String) -> SettingDeclaration {
        SettingDeclaration("directories", "\(name)_url", .text, default: address, help: ["Base URL of the service."])
    }

    private static let control: [SettingDeclaration] = [
        SettingDeclaration(
            "control", "max_connections", .integer(1...10_000), default: "1100", needsRestart: true,
            help: ["Maximum number of connections; further ones are refused with a message."]),
        SettingDeclaration(
            "control", "default", .choice(["none", "read", "control", "admin"]), default: "none", needsRestart: true,
            help: ["Permission of local users not listed below. The daemon's own user and root may do everything."]),
        SettingDeclaration(
            "control", "users", .text, default: "", needsRestart: true,
            help: ["Highest permission of each user: alice=admin, bob=read."]),
        SettingDeclaration(
            "control", "groups", .text, default: "", needsRestart: true,
            help: ["Highest permission of each group: audio=control."]),
    ]
}
