internal import ControlTool
internal import Terminal

/// What may follow a line that is being typed: commands, options, and names that the daemon knows.
struct NameCompletion {
    private let text: String
    private let words: [String]
    private let rest: String
    /// What is typed of the last word, without quotation marks.
    let beginning: String

    /// - Parameter text: the line up to the cursor.
    init(_ text: String) {
        self.text = text
        (words, rest) = TypedLines.openWord(text)
        beginning = TypedLines.words(rest + (rest.first == "\"" ? "\"" : ""))?.first ?? ""
    }

    /// Asks the daemon and waits for its answer.
    static func of(_ text: String, socket: String) -> LineCompletion {
        let line = NameCompletion(text)
        let names = LineCompletions.candidates(after: line.words, beginning: line.beginning, socket: socket)
        let completion = line.completion(names)
        return LineCompletion(replaced: completion.replaced, candidates: completion.candidates)
    }

    /// The word before; empty if there is none.
    var before: String { words.last ?? "" }

    /// What can be said without the daemon, and what must be asked for.
    var wanted: LineCompletions.Wanted { LineCompletions.wanted(after: words, beginning: beginning) }

    /// The names, or those that the words before the last one begin, which they then replace as well: after `episodes The La`,
    /// `The Lamp Keeper` replaces `The La`.
    func completion(_ names: [String]) -> TypedCompletion {
        var (found, replaced) = (names, rest.count)
        var (typed, start) = (beginning, text.index(text.endIndex, offsetBy: -rest.count))
        for word in words.dropFirst().reversed() {
            let before = text[..<start].lastIndex { !$0.isWhitespace }.map { text[...$0] } ?? ""
            start = text.index(before.endIndex, offsetBy: -TypedLines.openWord(String(before)).rest.count)
            typed = "\(word) \(typed)"
            let longer = names.filter { $0.lowercased().hasPrefix(typed.lowercased()) }
            if !longer.isEmpty { (found, replaced) = (longer, text.distance(from: start, to: text.endIndex)) }
        }
        return TypedCompletion(replaced: replaced, candidates: found.map(quoted))
    }

    /// A name as `TypedLines.words` reads it.
    private func quoted(_ name: String) -> String {
        let isPlain = name.allSatisfy { !$0.isWhitespace && $0 != "\"" && $0 != "\\" && $0 != "'" }
        return isPlain && rest.first != "\"" ? name : TypedLines.quoted(name)
    }
}
