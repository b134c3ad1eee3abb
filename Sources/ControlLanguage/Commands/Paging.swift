internal import PodcastModel

// List commands are paged by the key of a row, because a key stays valid while rows are added and removed.

/// The requested page of a list with keys.
public struct PageRequest: Equatable, Sendable {
    public var limit = 50
    public var after: String?
    public var before: String?
    public var isLast = false

    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declareLimit(&limit)
        parameters.declareAfter(&after)
        parameters.declare(
            "before", &before, spelling: .wireOnly, help: "The `key` of the row after the page.")
        parameters.declare("last", &isLast, spelling: .wireOnly, help: "Return the last page.")
    }
}

/// A command whose reply is a page of a list with keys.
public protocol PagedCommand: Command {
    var page: PageRequest { get set }
}

extension ParameterExchange {
    public mutating func declareLimit(_ limit: inout Int, spelling: ParameterDeclaration.Spelling = .rows) {
        declare("limit", &limit, .integer(1...1000), spelling: spelling, help: "Show at most N rows.")
    }

    public mutating func declareAfter(_ key: inout String?) {
        declare("after", &key, spelling: .wireOnly, help: "The `key` of the row before the page.")
    }
}
