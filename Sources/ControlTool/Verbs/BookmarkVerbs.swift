internal import CommandLineTool
internal import ControlProtocol
internal import PodcastModel
internal import Presentation

extension EditBookmark: CommandVerb {
    func complete(_ view: View) throws(ToolFailure) {
        if text == nil, at == nil, skipTo == nil {
            throw .usage("a new TEXT, --at TIME or --skip-to TIME is needed")
        }
    }
}

extension BookmarksRemovedReply: OneLineReply {
    var line: String { "removed \(counted(bookmarks.count, "bookmark"))" }
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
    func show(_ view: View) {
        view.line("bookmark \(id) at \(place) of \(title)\(text.isEmpty ? "" : ": \(text)")")
        if let note { view.line(note) }
    }
}
