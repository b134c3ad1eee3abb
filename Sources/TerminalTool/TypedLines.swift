internal import CommandLineTool
internal import ControlTool
internal import PodcastModel
internal import SystemCalls

/// Lines from standard input, which are read without waiting.
struct TypedLines {
    /// A line that is too long is left out.
    private var input = MessageLines(maximum: 64 << 10)
    private var lines: [String] = []
    private(set) var hasEnded = false

    mutating func read() throws(SystemError) {
        guard waitForDescriptors(readable: 0, until: .now) else { return }
        let more = try TerminalInput.read(upTo: 4_096)
        add(more)
        hasEnded = more.isEmpty
        if hasEnded { keep([input.finish()].compactMap(\.self)) }
    }

    mutating func add(_ more: [UInt8]) { keep(input.append(more)) }

    private mutating func keep(_ received: [MessageLines.Line]) {
        for case .whole(let line) in received { lines.append(String(utf8: line)) }
    }

    /// Takes the lines that are whole; at the end of the input, the last one without a line feed, too.
    mutating func complete() -> [String] { exchange(&lines, with: []) }

    /// The words of a line before the one that is being typed, and that one as it stands, with an opening quotation mark.
    static func openWord(_ text: String) -> (words: [String], rest: String) {
        // The longest beginning of whole words that ends with a space: what follows is the open word.
        var end = text.endIndex
        while end > text.startIndex {
            let before = text.index(before: end)
            if text[before].isWhitespace, let words = words(String(text[..<end])) {
                return (words, String(text[end...]))
            }
            end = before
        }
        return ([], text)
    }

    /// The words of a line; quotation marks keep spaces, a backslash keeps the next character, and `~/` at the beginning of
    /// a word is the home directory. Returns nil if a quotation mark is missing.
    static func words(_ line: String, home: String? = CurrentProcess.variable("HOME")) -> [String]? {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var isEscaped = false
        var beginsWithTilde = false
        for character in line {
            if isEscaped {
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if character == "\\" && quote != "'" {
                isEscaped = true
            } else if let open = quote {
                if character == open { quote = nil } else { word = (word ?? "") + String(character) }
            } else if character == "\"" || (character == "'" && word == nil) {
                quote = character
                word = word ?? ""
            } else if character.isWhitespace {
                if let done = word { words.append(done) }
                word = nil
                beginsWithTilde = false
            } else if character == "/" && word == "~" && beginsWithTilde, let home {
                word = home + "/"
            } else {
                if word == nil { beginsWithTilde = character == "~" }
                word = (word ?? "") + String(character)
            }
        }
        if quote != nil { return nil }
        if let word { words.append(word) }
        return words
    }
}

/// What may follow a line that is being typed: commands, options, and names that the daemon knows.
struct NameCompletion {
    private let text: String
    private let words: [String]
    private let rest: String
    /// What is typed of the last word, without quotation marks; may be empty.
    private let beginning: String

    /// - Parameter text: the line up to the cursor.
    init(_ text: String) {
        self.text = text
        (words, rest) = TypedLines.openWord(text)
        beginning = TypedLines.words(rest + (rest.first == "\"" ? "\"" : ""))?.first ?? ""
    }

    /// Asks the daemon and waits for its answer, a second at most.
    static func of(_ text: String, socket: String) -> TypedCompletion {
        let line = NameCompletion(text)
        return line.completion(Completions.words(of: line.words + [line.beginning], socket: socket))
    }

    /// The names, or those that the words before the last one begin, which they then replace as well: after `episodes The La`,
    /// `The Lamp Keeper` replaces `The La`.
    func completion(_ names: [String]) -> TypedCompletion {
        var found = names
        var replaced = rest.count
        var typed = beginning
        var start = text.index(text.endIndex, offsetBy: -rest.count)
        for word in words.dropFirst().reversed() {
            let before = text[..<start].lastIndex { !$0.isWhitespace }.map { text[...$0] } ?? ""
            start = text.index(before.endIndex, offsetBy: -TypedLines.openWord(String(before)).rest.count)
            typed = "\(word) \(typed)"
            let longer = names.filter { $0.lowercased().hasPrefix(typed.lowercased()) }
            if !longer.isEmpty {
                found = longer
                replaced = text.distance(from: start, to: text.endIndex)
            }
        }
        return TypedCompletion(replaced: replaced, candidates: found.map(quoted))
    }

    /// A name as `TypedLines.words` reads it.
    private func quoted(_ name: String) -> String {
        let isPlain = name.allSatisfy { !$0.isWhitespace && $0 != "\"" && $0 != "\\" && $0 != "'" }
        return isPlain && rest.first != "\"" ? name : name.quoted
    }
}
