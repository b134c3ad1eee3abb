internal import Configuration
internal import PodcastModel

/// A program that is run on an event.
struct Hook: Equatable {
    var event: HookEvent
    /// An absolute path.
    var program: String
    var arguments: [String]
    /// The number of the hook's line in the file, from 1.
    var line: Int
}

struct HookSettings: Equatable {
    private(set) var hooks: [Hook] = []
    /// Seconds that a program may run.
    private var time = 30
    /// Programs that may run at the same time.
    private(set) var programs = 2
    /// Programs that may wait for others to end.
    private(set) var waiting = 20

    var timeLimit: Duration { .seconds(time) }

    static var file: SettingsFile<HookSettings> {
        let defaults = HookSettings()
        return SettingsFile(
            "hooks.conf", manual: "podcast-hooks(1)", defaults,
            [
                SettingRow("hooks", nil, "EVENT = PROGRAM ARGUMENT…") { settings, entry throws(SettingProblem) in
                    settings.hooks.append(try hook(entry.name, entry))
                },
                .number(
                    "limits", "time", 1...3600, default: defaults.time, \.time,
                    help: "seconds that a program may run; then it gets SIGTERM, and SIGKILL five seconds later"),
                .number(
                    "limits", "programs", 1...16, default: defaults.programs, \.programs,
                    help: "programs that run at the same time"),
                .number(
                    "limits", "waiting", 0...1000, default: defaults.waiting, \.waiting,
                    help: "programs that wait for others; the oldest are dropped"),
            ])
    }

    private static func hook(_ name: String, _ entry: INIEntry) throws(SettingProblem) -> Hook {
        guard let event = HookEvent(rawValue: name) else {
            let known = HookEvent.words.joinedText(", ")
            throw entry.problem("unknown event '\(SafeText.line(name))'; the events are \(known)")
        }
        guard let words = words(entry.value) else { throw entry.problem("a quotation mark is not closed") }
        guard let program = words.first, program.hasPrefix("/") else {
            throw entry.problem("the program needs an absolute path, such as /usr/local/bin/announce")
        }
        return Hook(event: event, program: program, arguments: Array(words.dropFirst()), line: entry.line)
    }

    /// The words of a command: separated by spaces, which double quotation marks hide. No other character has a meaning, because
    /// no shell is involved. Returns nil if a quotation mark is not closed.
    static func words(_ text: String) -> [String]? {
        var words: [String] = []
        var word: String?
        var isQuoted = false
        for character in text {
            switch character {
            case "\"":
                isQuoted.toggle()
                word = word ?? ""
            case " ", "\t":
                if isQuoted {
                    word?.append(character)
                } else if let finished = word {
                    words.append(finished)
                    word = nil
                }
            case _: word = (word ?? "") + String(character)
            }
        }
        if let word { words.append(word) }
        return isQuoted ? nil : words
    }
}
