/// The other names of commands: a group with a verb, singular and plural, and times of several words.
enum VerbNames {
    /// A command line with the declared name of its command: `feeds add URL` is `subscribe URL`, and `seek 5 minutes` is `seek 5m`.
    static func spelledOut(_ words: ArraySlice<String>) -> ArraySlice<String> {
        guard let first = words.first else { return words }
        let rest = words.dropFirst()
        switch first {
        case "prev": return ["previous"] + rest
        case "current": return ["status"] + rest
        case "reload", "update": return ["refresh"] + rest
        case "del": return ["remove"] + rest
        case "info": return ["show"] + rest
        case "ls": return [rest.first.map(isName) == true ? "episodes" : "feeds"] + rest
        case "sleep": return sleep(rest) ?? words
        case "seek": return time("", rest) ?? words
        case "skip", "forward": return time("+", rest) ?? words
        case "back", "rewind": return time("-", rest) ?? words
        case "feed", "feeds", "playlist", "playlists", "rule", "rules", "output", "outputs", "bookmark", "bookmarks":
            return listed(first, rest) ?? words
        default: return verb(of: first, rest) ?? words
        }
    }

    /// `queue add …`, `settings set …`; nil for other words.
    private static func verb(of group: String, _ rest: ArraySlice<String>) -> ArraySlice<String>? {
        guard let verb = rest.first else { return nil }
        let after = rest.dropFirst()
        return switch "\(group) \(verb)" {
        case "queue list", "episodes list", "downloads list", "history list", "retention list", "activities list",
            "settings list", "settings show", "settings get", "settings set":
            [group] + after
        case "queue add", "queue insert", "queue remove", "queue move", "queue clear", "queue shuffle": [verb] + after
        case "settings reset": ["settings", "--reset"] + after
        case "chapter +1": ["chapter", "next"] + after
        case "chapter -1": ["chapter", "previous"] + after
        case "next chapter", "previous chapter": ["chapter", group] + after
        case _: nil
        }
    }

    /// What is listed has the verbs list, show, add, set and remove where they make sense. Singular and plural mean the same, except
    /// that the singular with a name shows one thing.
    private static func listed(_ word: String, _ rest: ArraySlice<String>) -> ArraySlice<String>? {
        let isPlural = word.last == "s"
        let (one, many) = isPlural ? (String(word.dropLast()), word) : (word, word + "s")
        let after = rest.dropFirst()
        switch "\(one) \(rest.first ?? "")" {
        case "feed list", "playlist list", "rule list", "output list": return [many] + after
        case "feed show", "playlist show": return [one] + after
        case "rule show", "output show": return [many, "--\(one)"] + after
        case "feed add": return ["subscribe"] + after
        case "feed remove": return ["unsubscribe"] + after
        case "feed set", "feed refresh", "feed explain": return rest
        case "feed merge", "rule try", "rule apply": return [many] + rest
        case "rule add", "rule set", "rule remove", "rule move", "output enable", "output disable": return [one] + rest
        case "playlist add", "playlist set", "playlist save", "playlist remove":
            guard let name = after.first, isName(name) else { return nil }
            return [one, name, rest.first == "remove" ? "remove" : "save"] + after.dropFirst()
        case "bookmark list": return isPlural || after.isEmpty ? [many] + after : nil
        case "bookmark play", "bookmark edit", "bookmark remove", "bookmark delete", "bookmark rm":
            // After the singular, words without a number are the text of a new bookmark.
            guard isPlural || after.first.flatMap({ Int64($0) }) != nil, let verb = rest.first else { return nil }
            return [many, verb == "delete" || verb == "rm" ? "remove" : verb] + after
        case "bookmark add": return isPlural ? [one] + after : nil
        case _: break
        }
        switch one {
        case "bookmark": return nil
        case "rule": return [many] + rest
        // After a plural an option may have a value, so only the first word counts.
        case _ where isPlural: return one != "output" && rest.first.map(isName) == true ? [one] + rest : nil
        case _:
            if one == "feed", rest.first?.hasPrefix("--tag") == true { return [many] + rest }
            return rest.contains { isName($0) || $0 == "--help" || $0 == "-h" } ? nil : [many] + rest
        }
    }

    private static func isName(_ word: String) -> Bool { !word.hasPrefix("-") }

    // MARK: times

    /// `sleep 5 minutes`, `sleep until 7:00`, `sleep end of chapter`, `sleep 2 episodes`.
    private static func sleep(_ words: ArraySlice<String>) -> ArraySlice<String>? {
        let beginning = Array(words.prefix(3))
        if beginning == ["end", "of", "episode"] || beginning == ["end", "of", "chapter"] {
            return ["sleep", "end-of-\(beginning[2])"] + words.dropFirst(3)
        }
        if let word = beginning.first, ["until", "till", "at"].contains(word) { return ["sleep"] + words.dropFirst() }
        if beginning.count > 1, beginning[1] == "episode" || beginning[1] == "episodes" {
            return ["sleep", "end-of-episode", beginning[0]] + words.dropFirst(2)
        }
        return joined(words).map { ["sleep", $0.time] + $0.rest }
    }

    private static func time(_ sign: String, _ words: ArraySlice<String>) -> ArraySlice<String>? {
        joined(words).map { ["seek", sign + $0.time] + $0.rest }
    }

    /// The words of a time as one word, such as `+1m`, `1h30m` or `50%`, and the words after it; nil if they do not begin with a time.
    private static func joined(_ words: ArraySlice<String>) -> (time: String, rest: ArraySlice<String>)? {
        var time = ""
        var rest = words
        while let word = rest.first {
            let endsWithUnit = time.last.map { !$0.isNumber } ?? true
            guard let part = endsWithUnit ? number(word, isFirst: time.isEmpty) : unit(word) else { break }
            time += part
            rest.removeFirst()
        }
        return time.isEmpty ? nil : (time, rest)
    }

    private static func number(_ word: String, isFirst: Bool) -> String? {
        let digits = isFirst && (word.first == "+" || word.first == "-") ? word.dropFirst() : word[...]
        let isTime = digits.first?.isNumber == true && digits.utf8.allSatisfy("0123456789:.%hms".utf8.contains)
        return isTime ? word : nil
    }

    private static func unit(_ word: String) -> String? {
        switch word {
        case "s", "sec", "second", "seconds": "s"
        case "m", "min", "mins", "minute", "minutes": "m"
        case "h", "hour", "hours": "h"
        case "%", "percent": "%"
        case _: nil
        }
    }

    // MARK: help

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

    /// The command to suggest for a word of another player that does not resemble the command's name.
    static func meant(by word: String) -> String? { suggestions[word] }

    private static let suggestions = [
        "resume": "play", "unpause": "play", "continue": "play", "skip": "next", "back": "previous", "forward": "seek",
        "rewind": "seek", "jump": "seek", "vol": "volume", "mute": "volume", "unmute": "volume", "timer": "sleep",
        "quit": "stop",
        "enqueue": "add",
        "rm": "remove", "follow": "subscribe", "unfollow": "unsubscribe", "podcasts": "feeds",
        "subscriptions": "feeds", "sync": "refresh", "list": "episodes", "details": "show", "played": "mark",
        "favorite": "star", "get": "download", "config": "settings",
        "rate": "speed", "statistics": "stats",
        "check": "doctor",
    ]
}
