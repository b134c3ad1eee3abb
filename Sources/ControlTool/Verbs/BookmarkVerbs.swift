internal import CommandLineTool
internal import ControlProtocol
internal import PodcastModel
internal import Presentation

extension EditBookmark: CommandVerb {
    static func command(_ view: View) throws(ToolFailure) -> EditBookmark {
        let command = try read(view)
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
        .init("ID", .right, says: "bookmark {}") { "\($0.id)" },
        .init("POSITION", .right, says: "at {}") { $0.place }, .init("TEXT", minimum: 16) { $0.text },
        .init("TITLE", minimum: 12) { $0.title }, .init("EPISODE", .right, dropRank: 2) { $0.episode.label },
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
