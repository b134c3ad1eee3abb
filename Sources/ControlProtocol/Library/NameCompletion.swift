public import ControlLanguage

/// What a title belongs to when it is completed.
public enum CompletedKind: String, Sendable, CaseIterable {
    case feed, episode
    case any
}

extension CompletedKind: ParameterChoice {}

public struct CompleteName: Command {
    public var beginning = ""
    public var kind = CompletedKind.any
    public var limit = 50

    public static let form = CommandForm<CompletionsReply>(
        "library.complete", "Complete a title that is being typed, for shells and clients.", .read)
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("beginning", &beginning, help: "What is typed so far. Titles that begin with it come first.")
        parameters.declare("kind", &kind, spelling: .option, help: "What the title may belong to.")
        parameters.declareLimit(&limit)
    }
}

public typealias CompletionsReply = ListReply<CompletionReply>

/// A title that may be meant.
public struct CompletionReply: RowReply {
    public var title = ""
    public var label = ""
    public var feedTitle: String?

    public init() {}

    public init(title: String, label: String, feedTitle: String?) {
        (self.title, self.label, self.feedTitle) = (title, label, feedTitle)
    }

    public static let rowsMember = "names"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("title", &title, isRequired: true)
        members.declare("label", &label, isRequired: true, "The id with its kind: `f5`, `e3124`.")
        members.declare("feedTitle", &feedTitle, "The title of an episode's feed.")
    }
}
