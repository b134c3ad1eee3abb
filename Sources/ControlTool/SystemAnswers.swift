internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import PodcastModel

/// Outputs, settings, activities and the server itself.
extension AnswerPresenter {
    func outputs(_ answer: JSONValue) throws(ToolFailure) {
        let outputs = OutputReply(json: answer).map { [$0] } ?? OutputListReply(json: answer)?.outputs ?? []
        let layout = ColumnLayout([
            .init("NAME"), .init("STATE"), .init("KIND", minimum: 8),
        ])
        try lines(
            layout.lines(
                outputs.map { output in
                    [output.name, output.isEnabled ? "enabled" : "disabled", output.specification]
                }, width: terminal.width))
    }

    func settings(_ answer: JSONValue) throws(ToolFailure) {
        if let setting = SettingReply(json: answer) { return try lines(Self.lines(setting)) }
        let layout = ColumnLayout([
            .init("KEY"), .init("VALUE", minimum: 8), .init("DEFAULT", minimum: 7), .init("ORIGIN"), .init("RESTART"),
            .init("MEANING", minimum: 12),
        ])
        try lines(
            layout.lines(
                (SettingListReply(json: answer)?.settings ?? []).map { setting in
                    [
                        setting.key, setting.value, setting.defaultValue, setting.origin,
                        setting.isWaiting ? "waiting" : setting.needsRestart ? "needed" : "", setting.help,
                    ]
                }, width: terminal.width))
    }

    private static func lines(_ setting: SettingReply) -> [String] {
        let standard = setting.defaultValue.isEmpty ? "empty" : setting.defaultValue
        let facts = [
            "from \(setting.origin)", "default \(standard)",
            setting.needsRestart ? "a change needs a restart" : "a change takes effect at once",
            setting.isClientSettable ? nil : "set in the config file only",
        ]
        var lines = ["\(setting.key) = \(setting.value)", "  \(facts.compactMap { $0 }.joinedText(", "))"]
        if setting.isWaiting { lines.append("  in use: \(setting.active)") }
        if let note = setting.note { lines.append("  note: \(note)") }
        return lines.map { SafeText.line($0) }
    }

    func activities(_ answer: JSONValue) throws(ToolFailure) {
        let activities = (ActivityListReply(json: answer)?.activities ?? []).map(StatusText.activity)
        try lines(activities.isEmpty ? ["nothing is going on"] : activities)
    }

    func server(_ answer: JSONValue, _ name: String) throws(ToolFailure) {
        switch name {
        case GetVersion.name:
            try output.line("podcastctl \(ProductVersion.current)")
            let server = VersionReply(json: answer) ?? VersionReply()
            try output.line(
                "\(SafeText.line(server.server)) \(SafeText.line(server.version)), protocol \(server.protocol)")
        default:
            let layout = ColumnLayout([.init("COMMAND"), .init("PERMISSION"), .init("MEANING", minimum: 16)])
            try lines(
                layout.lines(
                    (CommandListReply(json: answer)?.commands ?? []).map { command in
                        [command.name, command.permission.name, command.help]
                    }, width: terminal.width))
        }
    }
}

/// Show notes as text: tags are dropped, paragraphs kept. For reading on a terminal, not for keeping.
enum PlainNotes {
    static func lines(_ notes: String, width: Int?) -> [String] {
        var text = ""
        var tag: String?
        for scalar in notes.unicodeScalars {
            if var name = tag {
                if scalar == ">" {
                    tag = nil
                    if breaks(name) { text += "\n" }
                } else if name.utf8.count < 16 {
                    name.unicodeScalars.append(scalar)
                    tag = name
                }
            } else if scalar == "<" {
                tag = ""
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return wrapped(decoded(text), width)
    }

    /// Text as lines that fit.
    static func wrapped(_ text: String, _ width: Int?) -> [String] {
        wrapped(SafeText.lines(text), width: min(width ?? 100, 100))
    }

    /// Whether a tag ends a line: paragraphs, breaks, list items, headings.
    private static func breaks(_ tag: String) -> Bool {
        let name = tag.drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber }.lowercased()
        return ["p", "br", "li", "div", "ul", "ol", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote"].contains(
            name)
    }

    private static func decoded(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "&") {
            result += rest[..<start]
            rest = rest[start...]
            guard let end = rest.prefix(10).firstIndex(of: ";"),
                let character = entity(rest[rest.index(after: start)..<end])
            else {
                result += "&"
                rest = rest.dropFirst()
                continue
            }
            result += character
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    private static func entity(_ name: Substring) -> String? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        case "nbsp": return " "
        default:
            guard name.first == "#" else { return nil }
            let digits = name.dropFirst()
            let isHexadecimal = digits.first == "x" || digits.first == "X"
            let value = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return value.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
        }
    }

    private static func wrapped(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let broken = TextLayout.wrapped(String(paragraph), width: width)
            // Several empty lines count as one.
            if broken.isEmpty && (lines.last ?? "").isEmpty { continue }
            lines += broken.isEmpty ? [""] : broken
        }
        return lines
    }
}
