internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import Presentation

extension AddBookmark: CommandVerb {
    static let words = ArgumentDeclaration("TEXT", count: .any, help: "What it is about.")

    static func adjust(_ subcommand: inout SubcommandDeclaration) { subcommand.arguments = [words] }

    static func command(_ view: View) throws(ToolFailure) -> AddBookmark {
        var command = try readOptions(view)
        command.text = Array(view.parsed.texts(words)).joinedText(" ")
        return command
    }
}

extension EditBookmark: CommandVerb {
    static let number = ArgumentDeclaration("BOOKMARK", .integer(1...Int64.max), count: .one, help: "Its number.")
    static let words = ArgumentDeclaration("TEXT", count: .any, help: "Its new text (default: the old one).")

    static func adjust(_ subcommand: inout SubcommandDeclaration) {
        subcommand.arguments = [number, words]
        subcommand.arguments[0].kind.names = Completions.Kind.bookmark.rawValue
    }

    static func command(_ view: View) throws(ToolFailure) -> EditBookmark {
        var command = try readOptions(view)
        command.bookmark = BookmarkID(view.parsed.text(number).flatMap { Int64($0) } ?? 0)
        let text = view.parsed.texts(words)
        if !text.isEmpty { command.text = Array(text).joinedText(" ") }
        if command.text == nil, command.at == nil, command.skipTo == nil {
            throw ToolFailure(.usage, "a new TEXT, --at TIME or --skip-to TIME is needed")
        }
        return command
    }
}

extension RemoveBookmarks: CommandVerb {
    static func text(_ reply: BookmarksRemovedReply) -> String? {
        "removed \(counted(reply.bookmarks.count, "bookmark"))"
    }
}

extension ListBookmarks: PagedVerb, TableVerb {
    static let none = "no bookmarks"

    static func cursor(of row: Bookmark) -> Int64? { row.id.rawValue }

    static let table: [TableColumn<Bookmark>] = [
        .init("ID", .right, says: "bookmark {}") { row, _ in "\(row.id)" },
        .init("POSITION", .right, says: "at {}", cell: \.place), .init("TEXT", minimum: 16, cell: \.text),
        .init("TITLE", minimum: 12, cell: \.title), .init("EPISODE", .right, dropRank: 2, cell: \.episode.label),
        .init("CREATED", dropRank: 1, says: "created {}") { row, view in view.time(row.created) },
    ]
}

extension Bookmark: ShownReply {
    /// `bookmark 3 at 12:34 of Title: text`, and the note below it.
    func show(_ view: View) throws(ToolFailure) {
        try view.line("bookmark \(id) at \(place) of \(title)\(text.isEmpty ? "" : ": \(text)")")
        if let note { try view.line(note) }
    }
}
