/// The other names of commands: those of other players, and each name in singular and plural.
enum VerbNames {
    /// A command that is written as a group with a verb, as its own name: `feeds add URL` is `subscribe URL`. What is listed has the
    /// verbs list, show, add, set and remove where they make sense, in singular and plural.
    static func spelledOut(_ words: ArraySlice<String>) -> ArraySlice<String> {
        guard words.count > 1 else { return words }
        let (group, verb) = (words[words.startIndex], words[words.startIndex + 1])
        let rest = words.dropFirst(2)
        switch (group, verb) {
        case ("feed", "list"), ("feeds", "list"): return ["feeds"] + rest
        case ("feed", "show"), ("feeds", "show"): return ["feed"] + rest
        case ("feed", "add"), ("feeds", "add"): return ["subscribe"] + rest
        case ("feed", "remove"), ("feeds", "remove"): return ["unsubscribe"] + rest
        case ("feed", "set"), ("feeds", "set"): return ["set"] + rest
        case ("feed", "refresh"), ("feeds", "refresh"): return ["refresh"] + rest
        case ("feed", "explain"), ("feeds", "explain"): return ["explain"] + rest
        case ("playlist", "list"), ("playlists", "list"): return ["playlists"] + rest
        case ("playlist", "show"), ("playlists", "show"): return ["playlist"] + rest
        case ("playlist", "add"), ("playlists", "add"), ("playlist", "set"), ("playlists", "set"), ("playlist", "save"),
            ("playlists", "save"):
            return named(rest, "save") ?? words
        case ("playlist", "remove"), ("playlists", "remove"): return named(rest, "remove") ?? words
        case ("rule", "list"), ("rules", "list"): return ["rules"] + rest
        case ("rule", "show"), ("rules", "show"): return ["rules", "--rule"] + rest
        case ("output", "list"), ("outputs", "list"): return ["outputs"] + rest
        case ("output", "show"), ("outputs", "show"): return ["outputs", "--output"] + rest
        case ("retention", "list"), ("queue", "list"), ("episodes", "list"), ("downloads", "list"), ("history", "list"),
            ("activities", "list"), ("settings", "list"):
            return [group] + rest
        case ("queue", "add"), ("queue", "insert"), ("queue", "remove"), ("queue", "move"), ("queue", "clear"),
            ("queue", "shuffle"):
            return [verb] + rest
        case ("bookmark", "list"), ("bookmarks", "list"): return rest.isEmpty ? ["bookmarks"] : words
        case ("bookmark", "play"), ("bookmark", "edit"), ("bookmark", "remove"), ("bookmark", "delete"),
            ("bookmark", "rm"):
            // Otherwise the words are a bookmark's text.
            guard rest.first.flatMap({ Int64($0) }) != nil else { return words }
            return ["bookmarks", ["delete", "rm"].contains(verb) ? "remove" : verb] + rest
        case ("bookmarks", "delete"), ("bookmarks", "rm"): return ["bookmarks", "remove"] + rest
        case ("bookmarks", "add"): return ["bookmark"] + rest
        case ("chapter", "+1"): return ["chapter", "next"] + rest
        case ("chapter", "-1"): return ["chapter", "previous"] + rest
        case ("sleep", _): return sleep(words.dropFirst()) ?? words
        case ("seek", _): return SpokenTime(words.dropFirst()).map { ["seek", $0.text] + $0.rest } ?? words
        case ("skip", _), ("forward", _):
            return SpokenTime(words.dropFirst()).map { ["seek", "+" + $0.text] + $0.rest } ?? words
        case ("back", _), ("rewind", _):
            return SpokenTime(words.dropFirst()).map { ["seek", "-" + $0.text] + $0.rest } ?? words
        case ("next", "chapter"), ("previous", "chapter"): return ["chapter", group] + rest
        case ("settings", "show"), ("settings", "get"), ("settings", "set"): return ["settings"] + rest
        case ("settings", "reset"): return ["settings", "--reset"] + rest
        case (_, _): return words
        }
    }

    /// `sleep 5 minutes`, `sleep until 7:00`, `sleep end of chapter`, `sleep 2 episodes`.
    private static func sleep(_ words: ArraySlice<String>) -> ArraySlice<String>? {
        let said = Array(words.prefix(3))
        if said == ["end", "of", "episode"] || said == ["end", "of", "chapter"] {
            return ["sleep", "end-of-\(said[2])"] + words.dropFirst(3)
        }
        if let word = said.first, ["until", "till", "at"].contains(word) { return ["sleep"] + words.dropFirst() }
        if said.count > 1, said[1] == "episode" || said[1] == "episodes" {
            return ["sleep", "end-of-episode", said[0]] + words.dropFirst(2)
        }
        return SpokenTime(words).map { ["sleep", $0.text] + $0.rest }
    }

    /// `playlist NAME VERB …`.
    private static func named(_ rest: ArraySlice<String>, _ verb: String) -> ArraySlice<String>? {
        guard let name = rest.first, !name.hasPrefix("-") else { return nil }
        return ["playlist", name, verb] + rest.dropFirst()
    }

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
        case "bookmarks":
            switch rest.first {
            case "play"?, "edit"?, "remove"?: return ("bookmarks", rest.first)
            case _: return ("bookmarks", nil)
            }
        case "rule", "rules":
            switch rest.first {
            case "add"?, "set"?, "remove"?, "move"?: return ("rule", rest.first)
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
        case "feeds":
            "Also: ls, feed. 'feed FEED' shows one, 'feeds merge' merges two; 'help' describes each. feeds list, show, "
                + "add, set, remove, refresh and explain are other names of feeds, feed, subscribe, set, unsubscribe, "
                + "refresh and explain."
        case "episodes": "Also: ls FEED."
        case "feed": "Also: feeds FEED."
        case "playlists":
            "Also: playlist. 'playlist NAME' shows, saves or removes one, see 'help playlist NAME'; playlist show, save and "
                + "remove with NAME do the same."
        case "playlist": "Also: playlists NAME."
        case "rules":
            "Also: rule. Further verbs: rule show RULE, rule add, rule set, rule remove, rule move, rules try, rules "
                + "apply; 'help rule add' describes one."
        case "retention": "Further verbs: retention set, retention try; 'help retention set' describes one."
        case "outputs":
            "Also: output. Further verbs: output show NAME, output enable, output disable; 'help output enable' describes one."
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
        case "vol", "mute", "unmute", "louder", "quieter": "volume"
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
        case "list", "latest", "unplayed", "items", "eps": "episodes"
        case "details", "describe", "view", "notes": "show"
        case "played", "done", "finished", "read": "mark"
        case "favorite", "favourite", "fav", "like": "star"
        case "unfavorite", "unlike": "unstar"
        case "get", "save", "dl": "download"
        case "recent", "log": "history"
        case "grep", "lyrics", "subtitles": "said"
        case "filter", "filters": "rules"
        case "sink", "device", "devices", "sinks": "outputs"
        case "config", "configure", "options", "preferences": "settings"
        case "rate", "tempo": "speed"
        case "tasks", "jobs", "progress": "activities"
        case "statistics", "hours": "stats"
        case "marker", "markers": "bookmarks"
        case "check", "diagnose", "health": "doctor"
        case "opml": "import"
        case "usage": "help"
        case _: nil
        }
    }
}
