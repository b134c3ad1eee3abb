internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

extension [RuleReply] {
    fileprivate func show(_ view: View) throws(ToolFailure) {
        try view.table(
            [
                .init("RULE", .right), .init("#", .right, dropRank: 1), .init("FEED", minimum: 8, dropRank: 2),
                .init("SAYS", minimum: 24),
            ],
            map { ["\($0.id)", "\($0.index)", $0.feed == nil ? "all" : $0.feedTitle ?? "", $0.rule] },
            empty: "no rules; add one with 'podcastctl rule add'")
    }
}

extension ListRules: CommandVerb {
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

extension RemoveRule: CommandVerb {
    static func show(_ reply: EmptyReply, _ view: View) throws(ToolFailure) {
        try view.line("rule removed; its past effects stay")
    }
}

extension TryRules: CommandVerb {
    static func show(_ reply: RuleTrialListReply, _ view: View) throws(ToolFailure) {
        try view.table(
            [
                .init("ID", .right), .init("DATE", dropRank: 2), .init("TITLE", minimum: 12), .init("DOES"),
                .init("WHY", minimum: 16, dropRank: 1),
            ],
            reply.episodes.map { [$0.episode.label, view.date($0.published), $0.title, $0.action, $0.why] },
            empty: "no episodes")
    }
}

extension ApplyRules: CommandVerb {
    static func show(_ reply: RulesAppliedReply, _ view: View) throws(ToolFailure) {
        try view.line("\(counted(reply.judged, "episode")) checked, \(reply.changed) changed")
    }
}

extension RetentionListReply {
    fileprivate func show(_ view: View) throws(ToolFailure) {
        try view.table(
            [.init("FEED", minimum: 8), .init("KEEPS", minimum: 16)],
            retention.map { [$0.feed == nil ? "all" : $0.feedTitle ?? "", $0.keep] }, empty: "everything is kept")
    }
}

extension ListRetention: CommandVerb {
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

extension TryRetention: CommandVerb {
    static func show(_ reply: RetentionTrialListReply, _ view: View) throws(ToolFailure) {
        try view.table(
            [
                .init("ID", .right), .init("DATE", dropRank: 2), .init("TITLE", minimum: 12),
                .init("FEED", minimum: 8, dropRank: 1), .init("WHY", minimum: 16, dropRank: 3),
            ],
            reply.episodes.map { [$0.episode.label, view.date($0.published), $0.title, $0.feedTitle, $0.why] },
            empty: "no episode would be hidden")
        if reply.count > 0, view.terminal.width != nil {
            let shown = reply.count > reply.episodes.count ? " (\(reply.episodes.count) shown)" : ""
            try view.line("\(counted(reply.count, "episode")) would be hidden\(shown)")
        }
    }
}
