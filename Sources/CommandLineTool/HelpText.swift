internal import PodcastModel

extension ProgramDeclaration {
    /// The text of `--help`, for one command if given. Ends with a line break. Uses at most 100 columns.
    /// - Parameter isSpoken: true for a screen reader: nothing is aligned or wrapped.
    public func help(of command: SubcommandDeclaration? = nil, width: Int? = nil, isSpoken: Bool = false) -> String {
        let width = isSpoken ? Int.max : min(max(width ?? 80, 40), 100)
        var lines: [String] = []
        for synopsis in synopses(of: command) {
            for (index, line) in TextLayout.wrapped(synopsis, width: width - 9).enumerated() {
                lines.append((lines.isEmpty ? "Usage: " : index > 0 ? "         " : "       ") + line)
            }
        }
        lines.append("")
        for paragraph in [command?.summary ?? summary] + (command?.details ?? details) {
            lines += TextLayout.wrapped(paragraph, width: width) + [""]
        }
        func list(_ title: String, _ rows: [ManualNotes.Item]) {
            if rows.isEmpty { return }
            lines.append("\(title):")
            lines +=
                isSpoken
                ? rows.map { "\($0.name.drop { $0 == " " }): \($0.text)" } : TextLayout.described(rows, width: width)
            lines.append("")
        }
        if let command {
            list("Arguments", command.arguments.map { ($0.name, $0.help) })
            list("Options", Self.rows(command.options))
            list("Options of all commands", Self.rows(options + [Self.helpOption]))
        } else {
            list("Arguments", arguments.map { ($0.name, $0.help) })
            for (group, commands) in commandsByGroup { list(group, commands.map { ($0.shortSynopsis, $0.summary) }) }
            list("Options", Self.rows(options + Self.commonOptions))
            list("Exit status", manual().statuses.map { ("\($0.rawValue)", $0.meaning) })
            list("Examples", manual().examples)
        }
        lines.removeLast()
        return lines.joinedText("\n") + "\n"
    }

    var versionText: String { "\(name) \(ProductVersion.current)\n" }

    /// Without `Usage:`.
    func synopses(of command: SubcommandDeclaration?) -> [String] {
        let common = options.contains { !$0.isHidden } ? " [OPTION…]" : ""
        if let command { return [name + common + " " + command.synopsis] }
        var lines: [String] = []
        if runsWithoutCommand { lines.append(name + common + Self.line(arguments)) }
        if subcommands != nil { lines.append(name + common + " COMMAND [ARGUMENT…]") }
        return lines
    }

    /// Visible commands, grouped by headings in the order of their first commands.
    var commandsByGroup: [(group: String, commands: [SubcommandDeclaration])] {
        var groups: [(group: String, commands: [SubcommandDeclaration])] = []
        for command in subcommands?.all() ?? [] {
            guard let group = command.group else { continue }
            if let index = groups.firstIndex(where: { $0.group == group }) {
                groups[index].commands.append(command)
            } else {
                groups.append((group, [command]))
            }
        }
        return groups
    }

    static func rows(_ options: [OptionDeclaration]) -> [ManualNotes.Item] {
        options.filter { !$0.isHidden }.map { ($0.letter == nil ? "    \($0.synopsis)" : $0.synopsis, $0.help) }
    }

    static func line(_ arguments: [ArgumentDeclaration]) -> String { arguments.map { " " + $0.synopsis }.joined() }
}

extension SubcommandDeclaration {
    /// Words, own options and arguments.
    public var synopsis: String {
        let own = options.filter { !$0.isHidden }.map { " [--\($0.name)\($0.placeholder.map { " \($0)" } ?? "")]" }
        return name + own.joined() + ProgramDeclaration.line(arguments)
    }

    /// Words and arguments, without options.
    var shortSynopsis: String { name + ProgramDeclaration.line(arguments) }
}
