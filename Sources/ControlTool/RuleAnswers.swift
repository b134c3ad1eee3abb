internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import PodcastModel

/// Rules and retention in columns.
extension AnswerPresenter {
    func rules(_ answer: JSONValue, _ name: String) throws(ToolFailure) {
        switch name {
        case ListRules.name, MoveRule.name: try list(RuleListReply(json: answer)?.rules ?? [])
        case AddRule.name: try list(RuleReply(json: answer).map { [$0] } ?? [])
        case RemoveRule.name: try output.line("removed; what the rule did stays")
        case TryRules.name: try trials(RuleTrialListReply(json: answer)?.episodes ?? [])
        case ApplyRules.name:
            let done = RulesAppliedReply(json: answer) ?? RulesAppliedReply()
            try output.line("\(done.judged) judged, \(done.changed) changed")
        default: try output.line(answer.text)
        }
    }

    private func list(_ rules: [RuleReply]) throws(ToolFailure) {
        if rules.isEmpty { return try output.line("no rules; add one with 'podcastctl rule add'") }
        let layout = ColumnLayout([
            .init("RULE", .right), .init("#", .right), .init("FEED", minimum: 8), .init("SAYS", minimum: 24),
        ])
        try lines(
            layout.lines(
                rules.map { ["\($0.id)", "\($0.index)", $0.feed == nil ? "all" : $0.feedTitle ?? "", $0.rule] },
                width: terminal.width))
    }

    private func trials(_ trials: [RuleTrialReply]) throws(ToolFailure) {
        if trials.isEmpty { return try output.line("no episodes") }
        let layout = ColumnLayout([
            .init("ID", .right), .init("DATE"), .init("TITLE", minimum: 16), .init("DOES"), .init("WHY", minimum: 16),
        ])
        try lines(
            layout.lines(
                trials.map { ["\($0.episode)", StatusText.date($0.published), $0.title, $0.action, $0.why] },
                width: terminal.width))
    }

    func retention(_ answer: JSONValue, _ name: String) throws(ToolFailure) {
        switch name {
        case ListRetention.name, SetRetention.name:
            let rows = RetentionListReply(json: answer)?.retention ?? []
            if rows.isEmpty { return try output.line("everything is kept") }
            let layout = ColumnLayout([.init("FEED", minimum: 8), .init("KEEPS", minimum: 16)])
            try lines(
                layout.lines(
                    rows.map { [$0.feed == nil ? "all" : $0.feedTitle ?? "", $0.keep] }, width: terminal.width))
        case TryRetention.name:
            let rows = RetentionTrialListReply(json: answer)?.episodes ?? []
            if rows.isEmpty { return try output.line("nothing would be dropped") }
            let layout = ColumnLayout([
                .init("ID", .right), .init("DATE"), .init("TITLE", minimum: 16), .init("FEED", minimum: 8),
                .init("WHY", minimum: 16),
            ])
            try lines(
                layout.lines(
                    rows.map { ["\($0.episode)", StatusText.date($0.published), $0.title, $0.feedTitle, $0.why] },
                    width: terminal.width))
        default: try output.line(answer.text)
        }
    }
}
