internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import Presentation

extension AddBookmark: CommandVerb {
    static let words = ArgumentDeclaration("TEXT", count: .any, help: "What it is about.")

    static func adjust(_ subcommand: inout SubcommandDeclaration) { subcommand.arguments = [words] }

    static func command(_ line: CommandLineUse) throws(ToolFailure) -> AddBookmark {
        var command = try AddBookmark(given: VerbSpelling.optionValues(of: declaration, line.parsed))
        command.text = Array(line.parsed.texts(words)).joinedText(" ")
        return command
    }

    static func show(_ bookmark: BookmarkReply, _ view: View) throws(ToolFailure) {
        try bookmark.show(view)
    }
}

extension EditBookmark: CommandVerb {
    static let number = ArgumentDeclaration("BOOKMARK", .integer(1...Int64.max), count: .one, help: "Its number.")
    static let words = ArgumentDeclaration("TEXT", count: .any, help: "Its new text (default: the old one).")

    static func adjust(_ subcommand: inout SubcommandDeclaration) {
        subcommand.arguments = [number, words]
        subcommand.arguments[0].names = CompleteVerb.Kind.bookmark.rawValue
    }

    static func command(_ line: CommandLineUse) throws(ToolFailure) -> EditBookmark {
        let id = line.parsed.text(number).flatMap { Int64($0) } ?? 0
        var command = EditBookmark { $0.bookmark = BookmarkID(id) }
        if let at = line.parsed.text(OptionDeclaration("at", nil, "TIME", .time, help: "")) {
            command.at = TimeArgument(parsing: at)
        }
        if let end = line.parsed.text(OptionDeclaration("skip-to", nil, "TIME", .time, help: "")) {
            command.skipTo = TimeArgument(parsing: end)
        }
        let text = line.parsed.texts(words)
        if !text.isEmpty { command.text = Array(text).joinedText(" ") }
        if command.text == nil, command.at == nil, command.skipTo == nil {
            throw ToolFailure(.usage, "a new TEXT, --at TIME or --skip-to TIME is needed")
        }
        return command
    }

    static func show(_ bookmark: BookmarkReply, _ view: View) throws(ToolFailure) {
        try bookmark.show(view)
    }
}

extension PlayBookmark: PlaybackVerb {}

extension RemoveBookmarks: CommandVerb {
    static func show(_ reply: BookmarksRemovedReply, _ view: View) throws(ToolFailure) {
        try view.line("removed \(counted(reply.bookmarks.count, "bookmark"))")
    }
}

extension ListBookmarks: ContinuedList {
    static let columns: [ColumnLayout.Column] = [
        .init("ID", .right, says: "bookmark {}"), .init("POSITION", .right, says: "at {}"), .init("TEXT", minimum: 16),
        .init("TITLE", minimum: 12),
        .init("EPISODE", .right, dropRank: 2), .init("CREATED", dropRank: 1, says: "created {}"),
    ]

    static let afterHelp = "Show the bookmarks that follow the one with this number."

    mutating func begin(after word: String, _ view: View) throws(ToolFailure) {
        guard let id = Int64(word), id > 0 else {
            throw ToolFailure(.usage, "--after must be the number of a bookmark, not '\(SafeText.line(word))'")
        }
        after = id
    }
    mutating func continueAfter(_ reply: BookmarkListReply) { after = reply.bookmarks.last?.id.rawValue }
    static func rowCount(_ reply: BookmarkListReply) -> Int { reply.bookmarks.count }
    static func hasAfter(_ reply: BookmarkListReply) -> Bool { reply.hasAfter }
    static func append(_ page: BookmarkListReply, to reply: inout BookmarkListReply) {
        reply.bookmarks += page.bookmarks
        reply.hasAfter = page.hasAfter
    }

    static func show(_ reply: BookmarkListReply, _ view: View) throws(ToolFailure) {
        let rows: [[String]] = reply.bookmarks.map { bookmark in
            [
                bookmark.id.description, bookmark.place, bookmark.text, bookmark.title,
                bookmark.episode.label, view.time(bookmark.created),
            ]
        }
        try view.table(columns, rows, empty: "no bookmarks")
        if reply.hasAfter, let last = reply.bookmarks.last {
            try view.more("there are more: --limit all, --after \(last.id)")
        }
    }
}

extension BookmarkReply {
    /// `bookmark 3 at 12:34 of Title: text`, and the note below it.
    fileprivate func show(_ view: View) throws(ToolFailure) {
        try view.line("bookmark \(id) at \(place) of \(title)\(text.isEmpty ? "" : ": \(text)")")
        if let note { try view.line(note) }
    }

    /// `12:34`; `12:34-13:00` of a part that is skipped.
    var place: String { skipTo.map { "\(position)-\($0)" } ?? position.description }
}
