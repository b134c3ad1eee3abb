internal import CommandLineTool
internal import Diagnostics

/// All settings, in the order of the config file.
public enum SettingTable {
    /// Every declaration.
    public static let all: [SettingDeclaration] =
        daemon + output + playback + cache + network + refresh + directories + control

    /// The declaration with the given `section.name`.
    public static func declaration(_ key: String) -> SettingDeclaration? {
        all.first { $0.key == key }
    }

    /// A suggestion for an unknown key: one that differs in a few letters, or has the same name in another section.
    public static func closest(to key: String) -> String? {
        let name = key.split(separator: ".").last.map(String.init) ?? key
        return Spelling.closest(to: key, in: all.map(\.key)) ?? all.first { $0.name == name }?.key
            ?? Spelling.closest(to: name, in: all.map(\.name)).flatMap { close in all.first { $0.name == close }?.key }
    }

    /// The purpose of each section.
    public static let sections: [(name: String, help: String)] = [
        ("daemon", "Places and messages."),
        ("output", "Where the sound goes."),
        ("playback", "How episodes are played."),
        ("cache", "Episodes on disk."),
        ("network", "Fetching feeds and episodes."),
        ("refresh", "When feeds are looked at."),
        ("directories", "Who is asked when a podcast is looked up by name."),
        ("control", "Who may control the daemon."),
    ]

    private static let daemon: [SettingDeclaration] = [
        SettingDeclaration(
            "daemon", "data_dir", .path, default: "", needsRestart: true,
            help: ["Folder of the library. Empty: $STATE_DIRECTORY, else $XDG_DATA_HOME/podcastd."]),
        SettingDeclaration(
            "daemon", "cache_dir", .path, default: "", needsRestart: true,
            help: ["Folder of the episode cache. Empty: $CACHE_DIRECTORY, else $XDG_CACHE_HOME/podcastd."]),
        SettingDeclaration(
            "daemon", "log_level", .logLevels, default: "notice", isClientSettable: true,
            help: [
                "Messages below this level are not written: error, warning, notice, info or debug. A section may have a",
                "level of its own: notice,playback=debug. There are \(LogSection.allCases.map(\.name).joined(separator: ", ")).",
            ]),
    ]

    private static let output: [SettingDeclaration] = [
        SettingDeclaration(
            "output", "sink", .text, default: "alsa",
            help: [
                "alsa[:DEVICE], pipe:COMMAND, fifo:PATH, wav:PATH, raw:PATH or null (plays in real time, heard by nobody).",
                "Options follow as ?rate=48000&format=s16&channels=2.",
            ]),
        SettingDeclaration(
            "output", "close_after", .duration(0...86_400), default: "10", isClientSettable: true,
            help: ["How long after a pause or stop the sound device is let go."]),
    ]

    private static let playback: [SettingDeclaration] = [
        SettingDeclaration(
            "playback", "rebuffer", .duration(1...60), default: "3", isClientSettable: true,
            help: ["Seconds of sound that must be ready before playing goes on after it ran dry."]),
        SettingDeclaration(
            "playback", "disconnect_after", .duration(1...86_400), default: "60", isClientSettable: true,
            help: [
                "How long after a pause the connection to the episode's host is let go; it is taken up again on resume."
            ]),
    ]

    private static let cache: [SettingDeclaration] = [
        SettingDeclaration(
            "cache", "size", .size(16 << 20...1 << 44), default: "2G", needsRestart: true, isClientSettable: true,
            help: ["How much of the disk the episode cache may use; the least recently heard goes first."])
    ]

    private static let network: [SettingDeclaration] = [
        SettingDeclaration(
            "network", "proxy", .text, default: "", needsRestart: true,
            help: ["Proxy for all requests, like http://proxy.example:3128. Empty: the environment's http_proxy."]),
        SettingDeclaration(
            "network", "ca_file", .path, default: "", needsRestart: true,
            help: ["File of certificates that are trusted for feeds and episodes. Empty: the system's."]),
        SettingDeclaration(
            "network", "contact", .text, default: "", needsRestart: true,
            help: [
                "A URL or address at which hosts find who runs this, told to them in the User-Agent: podcastd/1.0 (+URL).",
                "Blocked hosts often let honest programs in that can be asked.",
            ]),
        SettingDeclaration(
            "network", "private_hosts", .text, default: "", needsRestart: true,
            help: [
                "Hosts that may have addresses of this machine or the private network though feeds, redirects or name servers",
                "named them: nas.example.org, *.example.org for all below it, * for all. Where the address that you subscribe to",
                "is private by itself (localhost, 192.168.1.5, nas.local), its host is allowed for that feed without this.",
            ]),
    ]

    private static let refresh: [SettingDeclaration] = [
        SettingDeclaration(
            "refresh", "jobs", .integer(1...64), default: "16", isClientSettable: true,
            help: ["How many feeds are fetched at once; one host gets at most two."])
    ]

    private static let directories: [SettingDeclaration] = [
        directory("apple", "Apple Podcasts, also for links to it"), directory("fyyd", "fyyd.de"),
        directory("podcast_index", "the Podcast Index, if there is a key"), directory("gpodder", "gpodder.net"),
        address("apple", "https://itunes.apple.com"), address("fyyd", "https://api.fyyd.de"),
        address("podcast_index", "https://api.podcastindex.org"), address("gpodder", "https://gpodder.net"),
        SettingDeclaration(
            "directories", "podcast_index_key_file", .path, default: "",
            help: [
                "File of a key and its secret, two words, from https://api.podcastindex.org. Empty: the credential",
                "podcast-index of the service (systemd.exec(5), LoadCredential=), if there is one.",
            ]),
    ]

    private static func directory(_ name: String, _ title: String) -> SettingDeclaration {
        SettingDeclaration(
            "directories", name, .choice(["on", "off"]), default: "on", isClientSettable: true,
            help: ["Whether to ask \(title)."])
    }

    private static func address(_ name: String, _ address: String) -> SettingDeclaration {
        SettingDeclaration("directories", "\(name)_url", .text, default: address, help: ["Where its service is."])
    }

    private static let control: [SettingDeclaration] = [
        SettingDeclaration(
            "control", "max_connections", .integer(1...10_000), default: "1100", needsRestart: true,
            help: ["Connections beyond this are refused with a message."]),
        SettingDeclaration(
            "control", "default", .choice(["none", "read", "control", "admin"]), default: "none", needsRestart: true,
            help: [
                "What a local user may do who is named nowhere below. The daemon's own user and root may do everything."
            ]),
        SettingDeclaration(
            "control", "users", .text, default: "", needsRestart: true,
            help: ["Users and the highest permission each has: alice=admin, bob=read."]),
        SettingDeclaration(
            "control", "groups", .text, default: "", needsRestart: true,
            help: ["Groups likewise: audio=control."]),
    ]
}
