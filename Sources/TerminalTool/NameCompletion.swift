internal import ControlTool
internal import LineEditing

/// What may follow a line that is being typed: commands, options, and names that the daemon knows.
enum NameCompletion {
    /// - Parameter text: the line up to the cursor.
    static func of(_ text: String, socket: String) -> LineCompletion {
        let (words, rest) = TypedLines.openWord(text)
        let typed = TypedLines.words(rest + (rest.first == "\"" ? "\"" : "")) ?? []
        let names = LineCompletions.candidates(after: words, beginning: typed.first ?? "", socket: socket)
        return LineCompletion(replaced: rest.count, candidates: names.map { quoted($0, isOpen: rest.first == "\"") })
    }

    /// A name as `TypedLines.words` reads it.
    private static func quoted(_ name: String, isOpen: Bool) -> String {
        let isPlain = name.allSatisfy { !$0.isWhitespace && $0 != "\"" && $0 != "\\" && $0 != "'" }
        if isPlain && !isOpen { return name }
        var text = "\""
        for character in name {
            if character == "\"" || character == "\\" { text += "\\" }
            text.append(character)
        }
        return text + "\""
    }
}
