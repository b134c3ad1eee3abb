internal import CommandLineTool
internal import JSON
internal import PodcastModel

/// The template of `--format`: text with `{member}`s of the reply's JSON, printed once for each row.
struct RowTemplate {
    private enum Piece {
        case text(String)
        /// The names of a member and of those within it.
        case member([String])
    }

    private let pieces: [Piece]

    /// Parses `{id}\t{episode.title}`; `\t`, `\n` and `\\` are read as in printf(1), `{{` is a brace.
    init(parsing template: String) throws(ToolFailure) {
        var pieces: [Piece] = []
        var text = ""
        var rest = template.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch (scalar, rest.first) {
            case ("\\", "t"?), ("\\", "n"?), ("\\", "\\"?):
                text.unicodeScalars.append(["t": "\t", "n": "\n"][rest.removeFirst()] ?? "\\")
            case ("{", "{"?), ("}", "}"?): text.unicodeScalars.append(rest.removeFirst())
            case ("{", _):
                guard let end = rest.firstIndex(of: "}"), end > rest.startIndex else {
                    throw ToolFailure(.usage, "--format: '{' must be followed by a name and '}'", hint: Self.hint)
                }
                if !text.isEmpty { pieces.append(.text(text)) }
                text = ""
                pieces.append(.member(Substring(rest[..<end]).split(separator: ".").map(String.init)))
                rest = rest[rest.index(after: end)...]
            case (_, _): text.unicodeScalars.append(scalar)
            }
        }
        if !text.isEmpty { pieces.append(.text(text)) }
        self.pieces = pieces
    }

    private static let hint = "the names are those of --json, such as '{id} {title}'"

    /// A line for each row of a list, which is the reply's first member, or one for a reply that is not a list.
    func lines(of reply: JSONValue) -> [String] {
        if case .array(let rows) = reply { return rows.map(line) }
        if case .object(let members) = reply, case .array(let rows)? = members.first?.value { return rows.map(line) }
        return [line(reply)]
    }

    private func line(_ row: JSONValue) -> String {
        var line = ""
        for piece in pieces {
            switch piece {
            case .text(let text): line += text
            case .member(let names):
                var value: JSONValue? = row
                for name in names { value = value?[name] }
                line += Self.text(value)
            }
        }
        return line
    }

    /// A text without its quotes; nothing for null and for what is not there.
    private static func text(_ value: JSONValue?) -> String {
        switch value {
        case nil, .null: ""
        case .string(let text)?: SafeText.line(text)
        case let value?: value.text
        }
    }
}
