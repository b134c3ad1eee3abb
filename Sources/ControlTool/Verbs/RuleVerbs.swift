internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

extension [RuleReply] {
    fileprivate func show(_ view: View) throws(ToolFailure) {
        try view.table(
            [.init("RULE", .right), .init("#", .right), .init("FEED", minimum: 8), .init("SAYS", minimum: 24)],
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
                .init("ID", .right), .init("DATE"), .init("TITLE", minimum: 16), .init("DOES"),
                .init("WHY", minimum: 16),
            ],
            reply.episodes.map { [$0.episode.label, StatusText.date($0.published), $0.title, $0.action, $0.why] },
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
    static func show(_ reply: RetentionListReply, _ view: View) throws(ToolFailure) { try reply.show(view) }
}

extension TryRetention: CommandVerb {
    static func show(_ reply: RetentionTrialListReply, _ view: View) throws(ToolFailure) {
        try view.table(
            [
                .init("ID", .right), .init("DATE"), .init("TITLE", minimum: 16), .init("FEED", minimum: 8),
                .init("WHY", minimum: 16),
            ],
            reply.episodes.map { [$0.episode.label, StatusText.date($0.published), $0.title, $0.feedTitle, $0.why] },
            empty: "nothing would be dropped")
    }
}
