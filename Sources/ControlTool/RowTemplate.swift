internal import CommandLineTool
internal import ControlLanguage
internal import JSON
internal import PodcastModel
internal import Presentation

/// The template of `--format`: text with `{member}`s of the reply's JSON, printed once for each row.
struct RowTemplate {
    private enum Piece {
        case text(String)
        /// The names of a member and of those within it.
        case member([String], Spelling?)
    }

    /// Seconds as `M:SS`; an instant as a local date, or with the local time.
    private enum Spelling: String { case time, date, local }

    private let pieces: [Piece]

    /// Parses `{id}\t{episode.title}` and `{position:time}`; `\t`, `\n` and `\\` are read as in printf(1), `{{` is a brace.
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
                    throw .usage("--format: '{' must be followed by a name and '}'", hint: Self.hint)
                }
                if !text.isEmpty { pieces.append(.text(text)) }
                text = ""
                let parts = Substring(rest[..<end]).fields(separatedBy: ":")
                let spelling = parts.count == 2 ? Spelling(rawValue: String(parts[1])) : nil
                guard parts.count == 1 || spelling != nil else {
                    throw .usage(
                        "--format: cannot read {\(SafeText.line(String(rest[..<end])))}",
                        hint: "after a colon: {position:time}, {published:date} or {published:local}")
                }
                pieces.append(.member(parts[0].split(separator: ".").map(String.init), spelling))
                rest = rest[rest.index(after: end)...]
            case (_, _): text.unicodeScalars.append(scalar)
            }
        }
        if !text.isEmpty { pieces.append(.text(text)) }
        self.pieces = pieces
    }

    private static let hint = "the names are those of --json, such as '{id} {title}'"

    // MARK: names

    /// Refuses names that a row of the reply does not have.
    func check(_ members: [ObjectMember]) throws(ToolFailure) {
        for case .member(let names, _) in pieces {
            var available = Self.rows(members)?.members ?? members
            for (index, name) in names.enumerated() {
                guard let member = available.first(where: { $0.name == name }) else {
                    let before = Array(names[..<index]).joinedText(".")
                    throw Self.unknown(names, before, Self.list(available, index == 0 ? "" : before + "."))
                }
                if index + 1 == names.count || Self.holdsAnything(member) { break }
                available = member.isList ? [] : member.nested?() ?? []
            }
        }
    }

    /// - Parameters:
    ///   - before: the part of the name that exists.
    ///   - known: the names that may follow it; empty if it is a single value or a list.
    private static func unknown(_ names: [String], _ before: String, _ known: String) -> ToolFailure {
        ToolFailure(
            .usage, "--format: unknown name {\(SafeText.line(names.joinedText(".")))}",
            hint: known.isEmpty ? "nothing is within {\(SafeText.line(before))}" : "the names are \(known)")
    }

    /// The members of an object that does not declare them.
    static func members(of reply: JSONValue) -> [ObjectMember] {
        guard case .object(let members) = reply else { return [] }
        return members.map { member in
            guard case .object = member.value else { return ObjectMember(member.name, "", "") }
            return ObjectMember(member.name, "", "") { Self.members(of: member.value) }
        }
    }

    private static func list(_ members: [ObjectMember], _ before: String) -> String {
        members.map { "\(before)\($0.name)" + ($0.nested != nil && !$0.isList ? ".…" : "") }.joinedText(", ")
    }

    private static func holdsAnything(_ member: ObjectMember) -> Bool {
        member.nested == nil && (member.type.hasPrefix(JSONValue.typeName) || member.type == "object")
    }

    /// The list whose elements are the rows: the member that the reply declares as its rows, or the first member if this member is a list
    /// of objects.
    static func rows(_ members: [ObjectMember]) -> (name: String, members: [ObjectMember])? {
        guard let first = members.first(where: \.holdsRows) ?? members.first, first.isList, let nested = first.nested
        else { return nil }
        return (first.name, nested())
    }

    // MARK: printing

    /// A line for each row of a list, or a single line for a reply that is not a list.
    ///
    /// - Parameter members: the reply's members; nil if the reply does not declare members.
    func lines(of reply: JSONValue, _ members: [ObjectMember]?) -> [String] {
        guard let rows = members.flatMap(Self.rows) else { return [line(reply, members ?? [])] }
        return (reply[rows.name]?.arrayValue ?? []).map { line($0, rows.members) }
    }

    private func line(_ row: JSONValue, _ members: [ObjectMember]) -> String {
        var line = ""
        for piece in pieces {
            switch piece {
            case .text(let text): line += text
            case .member(let names, let spelling): line += Self.text(names, row, members, spelling)
            }
        }
        return line
    }

    private static func text(
        _ names: [String], _ row: JSONValue, _ members: [ObjectMember], _ spelling: Spelling?
    ) -> String {
        var value: JSONValue? = row
        var object: JSONValue?
        var member: ObjectMember?
        for name in names {
            object = value
            value = value?[name]
            member = (member.map { $0.nested?() ?? [] } ?? members).first { $0.name == name }
        }
        let form = member?.idForm
        // A text in pieces, of which every second one is a match.
        if names.last == "excerpt", let pieces = value?.arrayValue {
            return SafeText.line(pieces.compactMap(\.stringValue).joinedText(""))
        }
        switch spelling {
        case .time?: if let seconds = value?.numberValue { return MediaTime(seconds: seconds).description }
        case .date?, .local?:
            if let instant = value?.stringValue.flatMap(Timestamp.init(parsing:)) {
                let text = ShownTime.complete(instant)
                return spelling == .date ? String(text.prefix(10)) : text
            }
        case nil: break
        }
        if form == .entry, let index = object?["index"] { return text(index, .index) }
        return text(value, form)
    }

    /// A text without quotes, an id as commands accept ids; empty for null and for missing members.
    static func text(_ value: JSONValue?, _ form: IdForm?) -> String {
        switch (value, form) {
        case (nil, _), (.null?, _): ""
        case (.string(let text)?, _): SafeText.line(text)
        case (.integer(let number)?, let form?): "\(form.rawValue)\(number)"
        case (.array(let elements)?, let form?): elements.map { text($0, form) }.joinedText(" ")
        case (let value?, _): value.text
        }
    }
}
