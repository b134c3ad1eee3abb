internal import ControlTool
internal import LineEditing
internal import TerminalScreens

/// What may follow a line that is being typed: commands, options, and names that the daemon knows.
struct NameCompletion {
    private let words: [String]
    private let rest: String
    /// What is typed of the last word, without quotation marks.
    let beginning: String

    /// - Parameter text: the line up to the cursor.
    init(_ text: String) {
        (words, rest) = TypedLines.openWord(text)
        beginning = TypedLines.words(rest + (rest.first == "\"" ? "\"" : ""))?.first ?? ""
    }

    /// Asks the daemon and waits for its answer.
    static func of(_ text: String, socket: String) -> LineCompletion {
        let line = NameCompletion(text)
        let names = LineCompletions.candidates(after: line.words, beginning: line.beginning, socket: socket)
        return LineCompletion(replaced: line.rest.count, candidates: names.map(line.quoted))
    }

    /// The word before; empty if there is none.
    var before: String { words.last ?? "" }

    /// What can be said without the daemon, and what must be asked for.
    var wanted: LineCompletions.Wanted { LineCompletions.wanted(after: words, beginning: beginning) }

    func completion(_ names: [String]) -> TypedCompletion {
        TypedCompletion(replaced: rest.count, candidates: names.map(quoted))
    }

    /// A name as `TypedLines.words` reads it.
    private func quoted(_ name: String) -> String {
        let isPlain = name.allSatisfy { !$0.isWhitespace && $0 != "\"" && $0 != "\\" && $0 != "'" }
        if isPlain && rest.first != "\"" { return name }
        var text = "\""
        for character in name {
            if character == "\"" || character == "\\" { text += "\\" }
            text.append(character)
        }
        return text + "\""
    }
}
