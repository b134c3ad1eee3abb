internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import Presentation

extension ListRules: TableVerb {
    static let none = "no rules; add one with 'podcastctl rule add'"

    static let table: [TableColumn<RuleReply>] = [
        .init("ID", .right, says: "rule {}") { row, _ in "\(row.id)" },
        .init("#", .right, name: "INDEX", dropRank: 1, says: "place {}") { row, _ in "\(row.index)" },
        .init("FEED", minimum: 8, dropRank: 2, says: "for {}") { row, _ in
            row.feed == nil ? "all" : row.feedTitle ?? ""
        },
        .init("RULE", minimum: 24, cell: \.rule),
    ]

    static func rows(of reply: RuleListReply) -> [RuleReply] { reply.rules }

    static func show(_ reply: RuleListReply, _ view: View) throws(ToolFailure) { try show(reply.rules, view) }

    fileprivate static func show(_ rules: [RuleReply], _ view: View) throws(ToolFailure) {
        try showRows(rules, view)
        for rule in rules {
            guard let other = rule.coveredBy else { continue }
            try view.aside(
                "rule \(rule.id) never decides: rule \(other) comes first and matches all its episodes; to put it first: "
                    + "podcastctl rule move \(rule.id) 1")
        }
    }

    /// `rule show RULE`.
    static let only = OptionDeclaration("rule", nil, "RULE", .integer(1...Int64.max), isHidden: true, help: "")

    static func adjust(_ subcommand: inout SubcommandDeclaration) { subcommand.options.append(only) }

    static func run(_ line: CommandLineUse) throws(ToolFailure) -> ExitStatus {
        let command = try command(line)
        let view = try line.connect()
        guard let number = line.parsed.text(only) else { return try answer(command, view) }
        var reply = try view.call(command)
        reply.rules.removeAll { "\($0.id)" != number }
        if reply.rules.isEmpty {
            throw ToolFailure(.noInput, "no rule matches '\(number)'", hint: "see 'podcastctl rules'")
        }
        return try finish(reply, view)
    }
}

extension MoveRule: CommandVerb {
    static func show(_ reply: RuleListReply, _ view: View) throws(ToolFailure) { try ListRules.show(reply, view) }
}

extension AddRule: CommandVerb {
    static func command(_ line: CommandLineUse) throws(ToolFailure) -> AddRule {
        var command = try AddRule(given: VerbSpelling.parameters(of: declaration, from: line.parsed))
        command.rule = FilterWords.joined(line.parsed.positionals)
        return command
    }

    static func show(_ reply: RuleReply, _ view: View) throws(ToolFailure) { try ListRules.show([reply], view) }
}

extension SetRule: CommandVerb {
    static func command(_ line: CommandLineUse) throws(ToolFailure) -> SetRule {
        var command = try SetRule(given: VerbSpelling.parameters(of: declaration, from: line.parsed))
        command.text = FilterWords.joined(Array(line.parsed.positionals.dropFirst()))
        return command
    }

    static func show(_ reply: RuleReply, _ view: View) throws(ToolFailure) { try ListRules.show([reply], view) }
}

extension RemoveRule: CommandVerb {
    static func show(_ reply: EmptyReply, _ view: View) throws(ToolFailure) {
        try view.line("rule removed; its past effects stay")
    }
}

extension TryRules: ContinuedList {
    static var rows: WritableKeyPath<RuleTrialListReply, [RuleTrialReply]> { \.episodes }
    static func name(of row: RuleTrialReply) -> String { row.episode.label }
    static var afterHelp: String { ListEpisodes.after.help }
    static let none = "no episodes"

    mutating func begin(after word: String, _ view: View) throws(ToolFailure) { after = try view.pageKey(word) }
    mutating func begin(after row: RuleTrialReply) { after = row.key }

    static let table: [TableColumn<RuleTrialReply>] = [
        .init("ID", .right, cell: \.episode.label),
        .init("DATE", dropRank: 2) { row, view in view.date(row.published) },
        .init("TITLE", minimum: 12, cell: \.title), .init("DOES", cell: \.action),
        .init("WHY", minimum: 16, dropRank: 1, says: "because of {}", cell: \.why),
    ]
}

extension ApplyRules: CommandVerb {
    static func show(_ reply: RulesAppliedReply, _ view: View) throws(ToolFailure) {
        try view.line("\(counted(reply.judged, "episode")) checked, \(reply.changed) changed")
    }
}

extension ListRetention: TableVerb {
    static let none = "everything is kept"

    static let table: [TableColumn<RetentionReply>] = [
        .init("FEED", minimum: 8) { row, _ in row.feed == nil ? "all" : row.feedTitle ?? "" },
        .init("KEEPS", minimum: 16, says: "keeps {}", cell: \.keep),
    ]

    static func rows(of reply: RetentionListReply) -> [RetentionReply] { reply.retention }

    static func show(_ reply: RetentionListReply, _ view: View) throws(ToolFailure) {
        try showRows(reply.retention, view)
        if reply.retention.contains(where: \.isUnused) {
            try view.aside(
                "the policy for all feeds applies to no feed, because each has its own; to remove one: "
                    + "podcastctl retention set --feed FEED off")
        }
    }
}

extension SetRetention: CommandVerb {
    static let trial = OptionDeclaration(flag: "try", help: "Show which episodes the policy would hide; set nothing.")

    static func adjust(_ subcommand: inout SubcommandDeclaration) { subcommand.options.append(trial) }

    static func run(_ line: CommandLineUse) throws(ToolFailure) -> ExitStatus {
        let command = try command(line)
        guard line.parsed.isSet(trial) else { return try answer(command, line.connect()) }
        return try TryRetention.answer(
            TryRetention { ($0.feed, $0.keep) = (command.feed, command.keep) }, line.connect())
    }

    static func show(_ reply: RetentionListReply, _ view: View) throws(ToolFailure) {
        try ListRetention.show(reply, view)
        guard view.terminal.width != nil, let hidden = reply.hidden else { return }
        try view.line("\(counted(hidden, "episode")) hidden from lists by this")
    }
}

extension TryRetention: ContinuedList {
    static var rows: WritableKeyPath<RetentionTrialListReply, [RetentionTrialReply]> { \.episodes }
    static func name(of row: RetentionTrialReply) -> String { row.episode.label }
    static let afterHelp = "Show the episodes that follow the one with this id."
    static let none = "no episode would be hidden"

    mutating func begin(after word: String, _ view: View) throws(ToolFailure) {
        guard let id = IdWord.episode(word) else {
            throw ToolFailure(.usage, "--after must be the id of an episode, not '\(SafeText.line(word))'")
        }
        after = id.rawValue
    }
    mutating func begin(after row: RetentionTrialReply) { after = row.episode.rawValue }

    static let table: [TableColumn<RetentionTrialReply>] = [
        .init("ID", .right, cell: \.episode.label),
        .init("DATE", dropRank: 2) { row, view in view.date(row.published) },
        .init("TITLE", minimum: 12, cell: \.title),
        .init("FEED", minimum: 8, dropRank: 1, says: "from {}", cell: \.feedTitle),
        .init("WHY", minimum: 16, dropRank: 3, says: "because of {}", cell: \.why),
    ]

    static func show(_ reply: RetentionTrialListReply, _ view: View) throws(ToolFailure) {
        try showRows(reply.episodes, view)
        let total = "\(counted(reply.count, "episode")) would be hidden"
        if reply.hasAfter, let last = reply.episodes.last {
            try view.more("\(total), \(reply.episodes.count) shown; more: --limit all, --after \(name(of: last))")
        } else if reply.count > 0, view.terminal.width != nil {
            try view.line(total)
        }
    }
}
