internal import PodcastModel

extension ProgramDeclaration {
    /// The manual page as man(7) source, from the same declaration as the help.
    var manualPage: String {
        let manual = manual()
        var page = Roff()
        page.request(
            "TH",
            [
                name.uppercased(), "\(manual.section)", "", "podcastd \(ProductVersion.current)", "podcastd manual",
            ])
        page.request("SH", ["NAME"])
        page.text("\(name) - \(Self.sentenceless(summary))")
        page.request("SH", ["SYNOPSIS"])
        for (index, synopsis) in synopses(of: nil).enumerated() {
            if index > 0 { page.request("br", []) }
            page.synopsis(name, synopsis)
        }
        page.request("SH", ["DESCRIPTION"])
        page.paragraphs([summary] + details)
        page.definitions(arguments.map { ($0.name, $0.help) })
        for (group, commands) in commandsByGroup {
            page.request("SH", [group == "Commands" ? "COMMANDS" : "\(group.uppercased()) COMMANDS"])
            for command in commands {
                page.definition(command.shortSynopsis, [command.summary] + command.details)
                page.nested(
                    command.arguments.map { ($0.name, $0.help) }
                        + command.options.filter { !$0.isHidden }.map { ($0.synopsis, $0.help) })
            }
        }
        page.request("SH", ["OPTIONS"])
        page.definitions(
            (options.filter { !$0.isHidden } + Self.commonOptions).map { ($0.synopsis, $0.help) })
        page.section("EXIT STATUS", manual.statuses.map { ("\($0.rawValue)", $0.meaning) })
        page.section("ENVIRONMENT", manual.environment)
        page.section("FILES", manual.files)
        page.section("EXAMPLES", manual.examples)
        if !manual.seeAlso.isEmpty {
            page.request("SH", ["SEE ALSO"])
            page.text(manual.seeAlso.joinedText(", "))
        }
        return page.source
    }

    /// apropos(1) expects a phrase: no initial capital, no full stop.
    private static func sentenceless(_ text: String) -> String {
        let body = text.last == "." ? text.dropLast() : text[...]
        return body.prefix(1).lowercased() + body.dropFirst()
    }
}

/// Writes man(7) source and escapes text that could be read as a request.
private struct Roff {
    private(set) var source = ""

    mutating func request(_ name: String, _ arguments: [String]) {
        source += ".\(name)"
        for argument in arguments { source += " \"\(Self.escaped(argument))\"" }
        source += "\n"
    }

    mutating func text(_ text: String) {
        let line = Self.escaped(text)
        source += (line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" : "") + line + "\n"
    }

    mutating func paragraphs(_ paragraphs: [String], separator: String = "PP") {
        for (index, paragraph) in paragraphs.enumerated() {
            if index > 0 { request(separator, []) }
            text(paragraph)
        }
    }

    mutating func synopsis(_ name: String, _ line: String) {
        source += "\\fB\(Self.escaped(name))\\fR\(Self.escaped(String(line.dropFirst(name.count))))\n"
    }

    mutating func definition(_ term: String, _ paragraphs: [String]) {
        request("TP", [])
        source += "\\fB\(Self.escaped(term))\\fR\n"
        self.paragraphs(paragraphs, separator: "IP")
    }

    mutating func definitions(_ items: [ManualNotes.Item]) {
        for (term, text) in items { definition(term, [text]) }
    }

    mutating func nested(_ items: [ManualNotes.Item]) {
        if items.isEmpty { return }
        request("RS", [])
        definitions(items)
        request("RE", [])
    }

    mutating func section(_ title: String, _ items: [ManualNotes.Item]) {
        if items.isEmpty { return }
        request("SH", [title])
        definitions(items)
    }

    static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("\"", with: "\\(dq")
            .replacing("…", with: "...")
    }
}
