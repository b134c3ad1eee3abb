public import GatewayKit
public import INIFile
internal import PodcastModel

/// A program that is run on an event.
public struct Hook: Equatable, Sendable {
    public var event: HookEvent
    /// An absolute path.
    public var program: String
    public var arguments: [String]
    /// Its line in the file, from 1.
    public var line: Int

    public init(_ event: HookEvent, _ program: String, _ arguments: [String] = [], line: Int = 1) {
        (self.event, self.program, self.arguments, self.line) = (event, program, arguments, line)
    }
}

/// The settings of `hooks.conf`.
public struct HookSettings: GatewaySettings, Equatable, Sendable {
    private enum Bounds {
        static let time = 1...3600
        static let programs = 1...16
        static let waiting = 0...1000
    }

    public private(set) var hooks: [Hook] = []
    /// How long a program may run.
    public private(set) var timeLimit = Duration.seconds(30)
    /// Programs that may run at the same time.
    public private(set) var programs = 2
    /// Programs that may wait for others to end.
    public private(set) var waiting = 20
    public init() {}

    public mutating func take(_ entry: INIEntry) throws(SettingsProblem) {
        switch (entry.section, entry.name) {
        case ("hooks", let name): hooks.append(try Self.hook(name, entry))
        case ("limits", "time"): timeLimit = .seconds(try entry.number(in: Bounds.time))
        case ("limits", "programs"): programs = try entry.number(in: Bounds.programs)
        case ("limits", "waiting"): waiting = try entry.number(in: Bounds.waiting)
        default: throw entry.unknown(see: "podcast-hooks(1)")
        }
    }

    private static func hook(_ name: String, _ entry: INIEntry) throws(SettingsProblem) -> Hook {
        guard let event = HookEvent(rawValue: name) else {
            let known = HookEvent.allCases.map(\.rawValue).joined(separator: ", ")
            throw entry.problem("unknown event '\(SafeText.line(name))'; the events are \(known)")
        }
        guard let words = words(entry.value) else {
            throw entry.problem("a quotation mark is not closed")
        }
        guard let program = words.first, program.hasPrefix("/") else {
            throw entry.problem("the program needs an absolute path, such as /usr/local/bin/announce")
        }
        return Hook(event, program, Array(words.dropFirst()), line: entry.line)
    }

    /// The words of a command: separated by spaces, which double quotation marks hide. No other character has a meaning, because
    /// no shell is involved.
    ///
    /// - Returns: nil if a quotation mark is not closed.
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
