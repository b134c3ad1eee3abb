internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

extension ListRules: TableVerb {
    static let none = "no rules; add one with 'podcastctl rule add'"

    static let table: [TableColumn<RuleReply>] = [
        .init("ID", .right, says: "rule {}") { "\($0.id)" },
        .init("#", .right, name: "INDEX", dropRank: 1, says: "place {}") { "\($0.index)" },
        .init("FEED", minimum: 8, dropRank: 2, says: "for {}") {
            $0.feed == nil ? "all" : $0.feedTitle ?? ""
        },
        .init("RULE", minimum: 24) { $0.rule },
    ]

    static func show(_ reply: RuleListReply, _ view: View) {
        showRows(reply.rows, view)
        for rule in reply.rows {
            guard let other = rule.coveredBy else { continue }
            view.aside(
                "rule \(rule.id) never decides: rule \(other) comes first and matches all its episodes; to put it first: "
                    + "podcastctl rule move \(rule.id) 1")
        }
    }
}

extension RuleListReply: ShownReply {
    func show(_ view: View) { ListRules.show(self, view) }
}

extension RuleReply: ShownReply {
    func show(_ view: View) { ListRules.show(RuleListReply([self]), view) }
}

extension AddRule: CommandVerb {
    mutating func complete(_ view: View) { rule = FilterWords.joined(view.words) }
}

extension SetRule: CommandVerb {
    mutating func complete(_ view: View) { text = FilterWords.joined(Array(view.words.dropFirst())) }
}

extension RemoveRule: CommandVerb {
    static func text(_ reply: EmptyReply) -> String? { "rule removed; its past effects stay" }
}

extension TrialReply {
    fileprivate static let columns: [TableColumn<Self>] = [
        .init("ID", .right) { $0.episode.label },
        .init("DATE", dropRank: 2) { row, view in view.date(row.published) },
        .init("TITLE", minimum: 12) { $0.title },
    ]
}

extension TryRules: PagedVerb, TableVerb {
    static let none = "no episodes"

    static func cursor(of row: TrialReply) -> String? { row.key }

    static let table: [TableColumn<TrialReply>] =
        TrialReply.columns + [
            .init("DOES") { $0.action },
            .init("WHY", minimum: 16, dropRank: 1, says: "because of {}") { $0.why },
        ]
}

extension ApplyRules: CommandVerb {
    /// Changes of more episodes than this need a confirmation.
    private static let many = 50

    private static let trial = OptionDeclaration(flag: "try", help: "")

    static let yes = OptionDeclaration(
        flag: "yes", "y", help: "Change more than \(many) episodes without a confirmation.")

    static let options = [yes]

    func run(_ view: View) throws(ToolFailure) -> ExitStatus {
        if !isTrial, !view.isSet(Self.yes) {
            var trial = self
            trial.isTrial = true
            let changed = try view.call(trial).changed
            if changed > Self.many {
                let hint = "podcastctl rules apply --try shows them, --yes changes them"
                try view.confirm("the rules would change \(changed) episodes", ask: "change them?", hint: hint)
            }
        }
        return try finish(view.call(self), view)
    }

    static func show(_ reply: RulesAppliedReply, _ view: View) {
        TryRules.showRows(reply.episodes, view)
        let would = view.isSet(trial) ? "would be " : ""
        view.line("\(counted(reply.judged, "episode")) \(would)checked, \(reply.changed) \(would)changed")
    }
}

extension ListRetention: TableVerb {
    static let none = "everything is kept"

    static let table: [TableColumn<RetentionReply>] = [
        .init("FEED", minimum: 8) { $0.feed == nil ? "all" : $0.feedTitle ?? "" },
        .init("KEEPS", minimum: 16, says: "keeps {}") { $0.keep },
    ]

    static func rows(of reply: RetentionListReply) -> [RetentionReply] { reply.retention }

    static func show(_ reply: RetentionListReply, _ view: View) {
        showRows(reply.retention, view)
        if reply.retention.contains(where: \.isUnused) {
            view.aside(
                "the policy for all feeds applies to no feed, because each has its own; to remove one: "
                    + "podcastctl retention set --feed FEED off")
        }
    }
}

extension SetRetention: CommandVerb {
    static let trial = OptionDeclaration(flag: "try", help: "Show which episodes the policy would hide; set nothing.")

    static let options = [trial]

    static func command(_ view: View) throws(ToolFailure) -> any CommandVerb {
        let command = try read(view)
        guard view.isSet(trial) else { return command }
        return TryRetention {
            $0.feed = command.feed
            $0.keep = command.keep
        }
    }

    static func show(_ reply: RetentionListReply, _ view: View) {
        ListRetention.show(reply, view)
        if let released = reply.released, released > 0 {
            view.aside(
                "\(counted(released, "downloaded file")) released with their episodes; to keep the episodes and request the files "
                    + "again: podcastctl undo")
        }
        guard view.isTerminal, let hidden = reply.hidden else { return }
        view.line("\(counted(hidden, "episode")) hidden from lists by this")
    }
}

extension TryRetention: PagedVerb, TableVerb {
    static let none = "no episode would be hidden"

    static func cursor(of row: TrialReply) -> Int64? { row.episode.rawValue }

    static let table: [TableColumn<TrialReply>] =
        TrialReply.columns + [
            .init("FEED", minimum: 8, dropRank: 1, says: "from {}") { $0.feedTitle },
            .init("WHY", minimum: 16, dropRank: 3, says: "because of {}") { $0.why },
        ]

    static func show(_ reply: RetentionTrialListReply, _ view: View) {
        showRows(reply.episodes, view)
        let files = reply.released > 0 ? ", \(counted(reply.released, "downloaded file")) released" : ""
        let total = "\(counted(reply.count, "episode")) would be hidden\(files)"
        if reply.hasAfter {
            view.more("\(total), \(reply.episodes.count) shown; more: --limit all")
        } else if reply.count > 0, view.isTerminal {
            view.line(total)
        } else if reply.released > 0 {
            view.aside(total)
        }
    }
}

/// Joins the words of a shell to the text of a filter: the shell removes the quotes of `title:"best of"`.
enum FilterWords {
    /// The words as one text. A word that is one condition whose value has spaces is quoted again. A word that contains quotes or
    /// several conditions is not changed; `feed:f1 Fog` has two, because an id ends at the space.
    static func joined(_ words: [String]) -> String { words.map(quoted).joinedText(" ") }

    private static func quoted(_ word: String) -> String {
        guard word.contains(" "), !word.contains("\""), let colon = word.utf8.firstIndex(of: .colon) else {
            return word
        }
        let key = word[..<colon]
        let value = word[word.utf8.index(after: colon)...]
        let parts = value.lowercased().split(separator: " ")
        let isIDs = parts.first?.split(separator: ",").allSatisfy { $0.first == "f" && Int($0.dropFirst()) != nil }
        let hasMore =
            key == "feed" && isIDs == true || parts.contains { $0 == "then" || $0.contains(":") }
            || zip(parts, parts.dropFirst()).contains {
                ["or", "and"].contains($0) && EpisodeCondition.State(rawValue: String($1)) != nil
            }
        guard !hasMore, ["title", "feed", "tag"].contains(key) else { return word }
        return "\(key):\"\(value)\""
    }
}
