internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import Presentation

extension ListQueue: PagedVerb, TableVerb {
    static func cursor(of row: EntryReply) -> Int { row.index }

    static let none = "the queue is empty; to fill it: podcastctl add playlist:new"

    static let table: [TableColumn<EntryReply>] = [
        .init(name: "CURRENT (> or nothing)") { $0.isCurrent ? $1.isSpoken ? "current" : ">" : "" },
        .init("#", .right, name: "INDEX") { "#\($0.index)" },
        .init("TITLE", minimum: 16) { $0.episode?.episode.title ?? "" },
        .init("FEED", minimum: 8, dropRank: 1, says: "from {}") { $0.episode?.episode.feedTitle ?? "" },
        .init("DURATION", .right) { row, view in
            row.episode?.episode.timeText(isSpoken: view.isSpoken) ?? ""
        },
        .init(name: "PART (S2 E5, trailer, or nothing)", dropRank: 2) { row, _ in
            row.episode?.episode.part ?? ""
        },
    ]

    static func show(_ reply: QueueListReply, _ view: View) {
        showRows(rows(of: reply), view)
        if view.isTerminal || view.isSpoken, let time = reply.remaining.text {
            view.line("\(time) left")
        }
        showMore(reply, view)
    }

    static func rows(of reply: QueueListReply) -> [EntryReply] { reply.entries.filter { $0.episode != nil } }
}

/// A command that queues something: what was queued is shown.
protocol QueueingVerb: CommandVerb where Reply == QueueAdditionReply {
    var what: [String] { get set }
}

extension QueueingVerb {
    func run(_ view: View) throws(ToolFailure) -> ExitStatus { try finish(queued(view), view) }

    func queued(_ view: View) throws(ToolFailure) -> Reply {
        var command = self
        for index in command.what.indices where HandedFile.isPath(command.what[index]) {
            command.what[index] = try HandedFile.episode(command.what[index], view)
        }
        return try view.call(command)
    }

    static func show(_ reply: QueueAdditionReply, _ view: View) {
        reply.named.show(view)
        let only = reply.named.count == 1 && reply.named[0].kind == .episode ? reply.named[0] : nil
        let title = only.map { "'\($0.title ?? "")'" }
        if reply.entries.isEmpty, let title, let entry = reply.already.first {
            return view.line("\(title) is already queued at #\(entry.index)")
        }
        let what = title ?? counted(reply.entries.count, "episode")
        let skipped = reply.skipped > 0 ? ", \(reply.skipped) queued already" : ""
        let many = reply.entries.count > 50 ? "; 'podcastctl undo' removes them" : ""
        view.line("queued \(what)\(skipped) (\(reply.length) in queue)\(many)")
    }
}

extension AddToQueue: QueueingVerb {
    private static let next = OptionDeclaration(flag: "next", help: "Queue as the next entry, as 'insert' does.")

    static let options = [next]

    static func command(_ view: View) throws(ToolFailure) -> any CommandVerb {
        let command = try read(view)
        guard view.isSet(next) else { return command }
        if command.at != nil { throw .usage("give only one of --at and --next") }
        return try InsertIntoQueue.read(view)
    }
}

extension InsertIntoQueue: QueueingVerb {}

extension QueueLengthReply: OneLineReply {
    var line: String { "queue: \(counted(length, "entry", "entries"))" }
}

extension RemoveFromQueue: CommandVerb {
    static func show(_ reply: QueueEditReply, _ view: View) {
        if reply.count == 1, let entry = reply.entries.first {
            return view.line("removed '\(entry.title)' (\(reply.length) in queue)")
        }
        for entry in reply.entries { view.line("#\(entry.index) \(entry.title)") }
        let others = reply.count - reply.entries.count
        if others > 0 { view.line("and \(others) more") }
        view.line("removed \(counted(reply.count, "entry", "entries")) (\(reply.length) in queue)")
    }
}

extension MoveInQueue: CommandVerb {
    static func text(_ reply: QueueEditReply) -> String? {
        let others = reply.count > 1 ? " and \(reply.count - 1) more" : ""
        return reply.entries.first.map { "moved '\($0.title)'\(others) to #\($0.index)" } ?? "no entry was moved"
    }
}

extension Episode {
    /// The duration, or what is left of an episode that has begun: `-12:34`.
    func timeText(isSpoken: Bool) -> String {
        guard let duration else { return "" }
        if state.hasBegun, state.position < duration {
            let left = duration - state.position
            return isSpoken ? "\(left) left" : "-\(left)"
        }
        return duration.description
    }
}
