internal import INIFile
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

/// The file `hooks.conf`.
public struct HookSettings: Equatable, Sendable {
    /// What is wrong with a line.
    public struct Problem: Error, Equatable, Sendable, CustomStringConvertible {
        public var line: Int
        public var what: String
        public init(line: Int, _ what: String) { (self.line, self.what) = (line, what) }
        public var description: String { "line \(line): \(what)" }
    }

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
    /// All that is wrong, in the order of the lines.
    public private(set) var problems: [Problem] = []

    public init() {}

    public init(parsing text: String) {
        let file = INIFile(parsing: text)
        problems = file.badLines.map { Problem(line: $0, "this line is neither a section nor 'name = value'") }
        for entry in file.entries {
            do throws(Problem) {
                try take(entry)
            } catch {
                problems.append(error)
            }
        }
        problems.sort { $0.line < $1.line }
    }

    private mutating func take(_ entry: INIEntry) throws(Problem) {
        switch (entry.section, entry.name) {
        case ("hooks", let name): hooks.append(try Self.hook(name, entry))
        case ("limits", "time"): timeLimit = .seconds(try Self.number(entry, Bounds.time))
        case ("limits", "programs"): programs = try Self.number(entry, Bounds.programs)
        case ("limits", "waiting"): waiting = try Self.number(entry, Bounds.waiting)
        default:
            throw Problem(
                line: entry.line,
                "unknown setting '\(SafeText.line(entry.name))' in section [\(SafeText.line(entry.section))]")
        }
    }

    private static func hook(_ name: String, _ entry: INIEntry) throws(Problem) -> Hook {
        guard let event = HookEvent(rawValue: name) else {
            let known = HookEvent.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(line: entry.line, "unknown event '\(SafeText.line(name))'; the events are \(known)")
        }
        guard let words = words(entry.value) else {
            throw Problem(line: entry.line, "a quotation mark is not closed")
        }
        guard let program = words.first, program.hasPrefix("/") else {
            throw Problem(line: entry.line, "the program needs an absolute path, such as /usr/local/bin/announce")
        }
        return Hook(event, program, Array(words.dropFirst()), line: entry.line)
    }

    private static func number(_ entry: INIEntry, _ range: ClosedRange<Int>) throws(Problem) -> Int {
        guard let number = Int(entry.value), range.contains(number) else {
            throw Problem(
                line: entry.line, "\(entry.name) must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
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
