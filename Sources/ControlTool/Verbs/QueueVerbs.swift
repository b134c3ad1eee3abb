internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import Presentation

extension ListQueue: CommandVerb {
    static func run(_ line: CommandLineUse) throws(ToolFailure) -> ExitStatus {
        let view = try line.connect()
        return try finish(all(view), view)
    }

    /// All pages of the queue as one.
    static func all(_ view: View) throws(ToolFailure) -> QueueListReply {
        var reply = try view.call(ListQueue())
        while reply.hasAfter, let last = reply.entries.last {
            let page = try view.call(ListQueue { ($0.after, $0.limit) = (last.index, largestPage) })
            // A page that brings nothing new would be followed for ever.
            if page.entries.last?.index ?? 0 <= last.index { break }
            reply.entries += page.entries
            reply.hasAfter = page.hasAfter
        }
        reply.hasAfter = false
        return reply
    }

    static let columns: [ColumnLayout.Column] = [
        .init(name: "CURRENT (> or nothing)"), .init("#", .right, name: "INDEX"), .init("TITLE", minimum: 16),
        .init("FEED", minimum: 8, dropRank: 1, says: "from {}"), .init("DURATION", .right),
    ]

    static func show(_ reply: QueueListReply, _ view: View) throws(ToolFailure) {
        let rows: [[String]] = reply.entries.compactMap { entry in
            guard let episode = entry.episode?.episode else { return nil }
            return [
                entry.isCurrent ? view.isSpoken ? "current" : ">" : "", "#\(entry.index)", episode.title,
                episode.feedTitle, episode.timeText,
            ]
        }
        try view.table(columns, rows, empty: "the queue is empty; to fill it: podcastctl add playlist:new")
    }
}

/// Rows of a page at most.
let largestPage = 1000

/// A command that queues something: what was queued is shown.
protocol QueueingVerb: CommandVerb where Reply == QueueAdditionReply {
    var what: [String] { get set }
}

extension QueueingVerb {
    static func run(_ line: CommandLineUse) throws(ToolFailure) -> ExitStatus { try queue(line) }

    fileprivate static func queue(_ line: CommandLineUse) throws(ToolFailure) -> ExitStatus {
        var command = try command(line)
        let view = try line.connect()
        for index in command.what.indices where HandedFile.isPath(command.what[index]) {
            command.what[index] = try HandedFile.episode(command.what[index], view)
        }
        return try answer(command, view)
    }

    static func show(_ reply: QueueAdditionReply, _ view: View) throws(ToolFailure) {
        try reply.named.show(view)
        if reply.entries.isEmpty, reply.named.count == 1, reply.named[0].kind == .episode,
            let entry = reply.already.first
        {
            return try view.line("'\(reply.named[0].title ?? "")' is already queued at #\(entry.index)")
        }
        var what = counted(reply.entries.count, "episode")
        if reply.named.count == 1, reply.named[0].kind == .episode { what = "'\(reply.named[0].title ?? "")'" }
        let skipped = reply.skipped > 0 ? ", \(reply.skipped) queued already" : ""
        try view.line("queued \(what)\(skipped) (\(reply.length) in queue)")
    }
}

extension AddToQueue: QueueingVerb {
    private static let next = OptionDeclaration(flag: "next", help: "Queue as the next entry, as 'insert' does.")

    static func adjust(_ subcommand: inout SubcommandDeclaration) { subcommand.options.append(next) }

    static func run(_ line: CommandLineUse) throws(ToolFailure) -> ExitStatus {
        guard line.parsed.isSet(next) else { return try queue(line) }
        if try command(line).at != nil { throw ToolFailure(.usage, "give only one of --at and --next") }
        return try InsertIntoQueue.queue(line)
    }
}

extension InsertIntoQueue: QueueingVerb {}

/// A command that edits the queue: its length afterwards is shown.
protocol QueueEditVerb: CommandVerb where Reply == QueueLengthReply {}

extension QueueEditVerb {
    static func show(_ reply: QueueLengthReply, _ view: View) throws(ToolFailure) {
        try view.line("queue: \(reply.length) \(reply.length == 1 ? "entry" : "entries")")
    }
}

extension RemoveFromQueue: CommandVerb {
    static func show(_ reply: QueueEditReply, _ view: View) throws(ToolFailure) {
        if reply.count == 1, let entry = reply.entries.first {
            return try view.line("removed '\(entry.title)' (\(reply.length) in queue)")
        }
        for entry in reply.entries { try view.line("#\(entry.index) \(entry.title)") }
        let others = reply.count - reply.entries.count
        if others > 0 { try view.line("and \(others) more") }
        let entries = "\(reply.count) \(reply.count == 1 ? "entry" : "entries")"
        try view.line("removed \(entries) (\(reply.length) in queue)")
    }
}

extension MoveInQueue: CommandVerb {
    static func show(_ reply: QueueEditReply, _ view: View) throws(ToolFailure) {
        guard let entry = reply.entries.first else { return }
        let others = reply.count > 1 ? " and \(reply.count - 1) more" : ""
        try view.line("moved '\(entry.title)'\(others) to #\(entry.index)")
    }
}

extension ClearQueue: QueueEditVerb {}
extension CropQueue: QueueEditVerb {}
extension ShuffleQueue: QueueEditVerb {}

extension Episode {
    /// The duration, or what is left of an episode that has begun: `-12:34`.
    var timeText: String {
        guard let duration else { return "" }
        if state.hasBegun, state.position < duration { return "-\(duration - state.position)" }
        return duration.description
    }
}
