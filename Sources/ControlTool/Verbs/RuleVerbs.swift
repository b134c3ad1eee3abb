internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import Presentation

extension [RuleReply] {
    fileprivate static let columns: [ColumnLayout.Column] = [
        .init("ID", .right, says: "rule {}"), .init("#", .right, name: "INDEX", dropRank: 1, says: "place {}"),
        .init("FEED", minimum: 8, dropRank: 2, says: "for {}"),
        .init("RULE", minimum: 24),
    ]

    fileprivate func show(_ view: View) throws(ToolFailure) {
        try view.table(
            Self.columns,
            map { ["\($0.id)", "\($0.index)", $0.feed == nil ? "all" : $0.feedTitle ?? "", $0.rule] },
            empty: "no rules; add one with 'podcastctl rule add'")
        for rule in self {
            guard let other = rule.coveredBy else { continue }
            try view.aside(
                "rule \(rule.id) never decides: rule \(other) comes first and matches all its episodes; to put it first: "
                    + "podcastctl rule move \(rule.id) 1")
        }
    }
}

extension ListRules: CommandVerb {
    static var columns: [ColumnLayout.Column] { [RuleReply].columns }

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

    static func show(_ reply: RuleListReply, _ view: View) throws(ToolFailure) { try reply.rules.show(view) }
}

extension MoveRule: CommandVerb {
    static func show(_ reply: RuleListReply, _ view: View) throws(ToolFailure) { try reply.rules.show(view) }
}

extension AddRule: CommandVerb {
    static func command(_ line: CommandLineUse) throws(ToolFailure) -> AddRule {
        var command = try AddRule(given: VerbSpelling.parameters(of: declaration, from: line.parsed))
        command.rule = FilterWords.joined(line.parsed.positionals)
        return command
    }

    static func show(_ reply: RuleReply, _ view: View) throws(ToolFailure) { try [reply].show(view) }
}

extension SetRule: CommandVerb {
    static func command(_ line: CommandLineUse) throws(ToolFailure) -> SetRule {
        var command = try SetRule(given: VerbSpelling.parameters(of: declaration, from: line.parsed))
        command.text = FilterWords.joined(Array(line.parsed.positionals.dropFirst()))
        return command
    }

    static func show(_ reply: RuleReply, _ view: View) throws(ToolFailure) { try [reply].show(view) }
}

extension RemoveRule: CommandVerb {
    static func show(_ reply: EmptyReply, _ view: View) throws(ToolFailure) {
        try view.line("rule removed; its past effects stay")
    }
}

extension TryRules: ContinuedList {
    static var afterHelp: String { ListEpisodes.after.help }

    mutating func begin(after word: String, _ view: View) throws(ToolFailure) { after = try view.pageKey(word) }
    mutating func continueAfter(_ reply: RuleTrialListReply) { after = reply.episodes.last?.key }
    static func rowCount(_ reply: RuleTrialListReply) -> Int { reply.episodes.count }
    static func hasAfter(_ reply: RuleTrialListReply) -> Bool { reply.hasAfter }
    static func append(_ page: RuleTrialListReply, to reply: inout RuleTrialListReply) {
        reply.episodes += page.episodes
        reply.hasAfter = page.hasAfter
    }

    static let columns: [ColumnLayout.Column] = [
        .init("ID", .right), .init("DATE", dropRank: 2), .init("TITLE", minimum: 12), .init("DOES"),
        .init("WHY", minimum: 16, dropRank: 1, says: "because of {}"),
    ]

    static func show(_ reply: RuleTrialListReply, _ view: View) throws(ToolFailure) {
        try view.table(
            columns,
            reply.episodes.map { [$0.episode.label, view.date($0.published), $0.title, $0.action, $0.why] },
            empty: "no episodes")
        if reply.hasAfter, let last = reply.episodes.last {
            try view.more("there are more: --limit all, --after \(last.episode.label)")
        }
    }
}

extension ApplyRules: CommandVerb {
    static func show(_ reply: RulesAppliedReply, _ view: View) throws(ToolFailure) {
        try view.line("\(counted(reply.judged, "episode")) checked, \(reply.changed) changed")
    }
}

extension RetentionListReply {
    fileprivate static let columns: [ColumnLayout.Column] = [
        .init("FEED", minimum: 8), .init("KEEPS", minimum: 16, says: "keeps {}"),
    ]

    fileprivate func show(_ view: View) throws(ToolFailure) {
        try view.table(
            Self.columns,
            retention.map { [$0.feed == nil ? "all" : $0.feedTitle ?? "", $0.keep] }, empty: "everything is kept")
        if retention.contains(where: \.isUnused) {
            try view.aside(
                "the policy for all feeds applies to no feed, because each has its own; to remove one: "
                    + "podcastctl retention set --feed FEED off")
        }
    }
}

extension ListRetention: CommandVerb {
    static var columns: [ColumnLayout.Column] { RetentionListReply.columns }

    static func show(_ reply: RetentionListReply, _ view: View) throws(ToolFailure) { try reply.show(view) }
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
        try reply.show(view)
        guard view.terminal.width != nil, let hidden = reply.hidden else { return }
        try view.line("\(counted(hidden, "episode")) hidden from lists by this")
    }
}

extension TryRetention: ContinuedList {
    static let afterHelp = "Show the episodes that follow the one with this id."

    mutating func begin(after word: String, _ view: View) throws(ToolFailure) {
        guard let id = IdWord.episode(word) else {
            throw ToolFailure(.usage, "--after must be the id of an episode, not '\(SafeText.line(word))'")
        }
        after = id.rawValue
    }
    mutating func continueAfter(_ reply: RetentionTrialListReply) { after = reply.episodes.last?.episode.rawValue }
    static func rowCount(_ reply: RetentionTrialListReply) -> Int { reply.episodes.count }
    static func hasAfter(_ reply: RetentionTrialListReply) -> Bool { reply.hasAfter }
    static func append(_ page: RetentionTrialListReply, to reply: inout RetentionTrialListReply) {
        reply.episodes += page.episodes
        (reply.count, reply.hasAfter) = (page.count, page.hasAfter)
    }

    static let columns: [ColumnLayout.Column] = [
        .init("ID", .right), .init("DATE", dropRank: 2), .init("TITLE", minimum: 12),
        .init("FEED", minimum: 8, dropRank: 1, says: "from {}"),
        .init("WHY", minimum: 16, dropRank: 3, says: "because of {}"),
    ]

    static func show(_ reply: RetentionTrialListReply, _ view: View) throws(ToolFailure) {
        try view.table(
            columns,
            reply.episodes.map { [$0.episode.label, view.date($0.published), $0.title, $0.feedTitle, $0.why] },
            empty: "no episode would be hidden")
        let total = "\(counted(reply.count, "episode")) would be hidden"
        if reply.hasAfter, let last = reply.episodes.last {
            try view.more("\(total), \(reply.episodes.count) shown; more: --limit all, --after \(last.episode.label)")
        } else if reply.count > 0, view.terminal.width != nil {
            try view.line(total)
        }
    }
}
