/// The other names of commands: those of other players, and each name in singular and plural.
enum VerbNames {
    /// The words of the command that the words on a command line mean; words without a meaning stay as they are.
    static func canonical(_ words: ArraySlice<String>) -> (first: String, second: String?) {
        let first = words[words.startIndex]
        let rest = words.dropFirst()
        switch first {
        case "prev": return ("previous", nil)
        case "current": return ("status", nil)
        case "reload", "update": return ("refresh", nil)
        case "del": return ("remove", nil)
        case "info": return ("show", nil)
        case "ls": return (namesSomething(rest) ? "episodes" : "feeds", nil)
        case "feed", "feeds":
            if rest.first == "merge" { return ("feeds", "merge") }
            if rest.first?.hasPrefix("--tag") == true { return ("feeds", nil) }
            return (namesSomething(rest, isPlural: first == "feeds") ? "feed" : "feeds", nil)
        case "playlist", "playlists":
            return (namesSomething(rest, isPlural: first == "playlists") ? "playlist" : "playlists", nil)
        case "rule", "rules":
            switch rest.first {
            case "add"?, "remove"?, "move"?: return ("rule", rest.first)
            case "try"?, "apply"?: return ("rules", rest.first)
            case _: return ("rules", nil)
            }
        case "output", "outputs":
            if rest.first == "enable" || rest.first == "disable" { return ("output", rest.first) }
            return first == "outputs" || !namesSomething(rest) ? ("outputs", nil) : ("output", rest.first)
        default: return (first, rest.first)
        }
    }

    /// Whether one thing is meant rather than the list. After a plural an option may have a value, so only the first word
    /// counts; help for a singular is that of the command for one thing.
    private static func namesSomething(_ rest: ArraySlice<String>, isPlural: Bool = true) -> Bool {
        if isPlural { return rest.first.map { !$0.hasPrefix("-") } ?? false }
        return rest.contains { !$0.hasPrefix("-") || $0 == "--help" || $0 == "-h" }
    }

    /// What help says of a command's other names.
    static func note(on words: [String]) -> String? {
        if words.count > 1 { return nil }
        return switch words[0] {
        case "previous": "Also: prev."
        case "status": "Also: current, and podcastctl without a command."
        case "refresh": "Also: update, reload."
        case "remove": "Also: del."
        case "show": "Also: info."
        case "feeds": "Also: ls, feed. 'feed FEED' shows one, 'feeds merge' merges two; 'help' describes each."
        case "episodes": "Also: ls FEED."
        case "feed": "Also: feeds FEED."
        case "playlists": "Also: playlist. 'playlist NAME' shows, saves or removes one, see 'help playlist NAME'."
        case "playlist": "Also: playlists NAME."
        case "rules":
            "Also: rule. Further verbs: rule add, rule remove, rule move, rules try, rules apply; 'help rule add' describes one."
        case "retention": "Further verbs: retention set, retention try; 'help retention set' describes one."
        case "outputs":
            "Also: output. Further verbs: output enable, output disable; 'help output enable' describes one."
        case _: nil
        }
    }

    /// The command that a word means although no letter may agree.
    static func meant(by word: String) -> String? {
        switch word {
        case "resume", "unpause", "continue", "start": "play"
        case "skip", "forth": "next"
        case "back": "previous"
        case "forward", "ff", "rewind", "rew", "jump", "goto", "position": "seek"
        case "vol", "mute", "louder", "quieter": "volume"
        case "playpause", "play-pause": "toggle"
        case "timer", "snooze", "bedtime": "sleep"
        case "quit", "halt", "off": "stop"
        case "append", "enqueue": "add"
        case "rm", "dequeue": "remove"
        case "empty", "reset": "clear"
        case "random": "shuffle"
        case "sub", "follow": "subscribe"
        case "unsub", "unfollow": "unsubscribe"
        case "podcasts", "shows", "subscriptions", "channels": "feeds"
        case "fetch", "sync": "refresh"
        case "discover", "lookup", "directory": "find"
        case "list", "new", "latest", "unplayed", "items": "episodes"
        case "details", "describe", "view", "notes": "show"
        case "played", "done", "finished", "read": "mark"
        case "favorite", "favourite", "fav", "like", "bookmark": "star"
        case "unfavorite", "unlike": "unstar"
        case "get", "save", "dl": "download"
        case "recent", "log": "history"
        case "grep", "lyrics", "subtitles": "said"
        case "filter", "filters": "rules"
        case "sink", "device", "devices", "sinks": "outputs"
        case "config", "configure", "options", "preferences": "settings"
        case "speed", "rate", "tempo": "set"
        case "tasks", "jobs", "progress": "activities"
        case "stats", "statistics": "status --stats"
        case "check", "diagnose", "health": "doctor"
        case "opml": "import"
        case "usage": "help"
        case _: nil
        }
    }
}
