internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import Presentation
internal import SystemCalls

extension GetStatus: CommandVerb {
    static let follow = OptionDeclaration(flag: "follow", "f", help: "Keep showing changes until interrupted.")
    static let plain = OptionDeclaration(
        flag: "plain", help: "One change per line, without columns, redrawing or colour.")

    static let options = [follow, plain]

    func run(_ view: View) throws(ToolFailure) -> ExitStatus {
        if view.isSet(Self.follow) {
            // A daemon must be running now; later it may be started again.
            try view.withConnection { $0.close() }
            return try StatusFollower(view).run()
        }
        return try finish(view.call(self), view)
    }
}

extension StatusReply: ShownReply {
    func show(_ view: View) {
        view.lines(
            view.isSet(GetStatus.plain) || view.isSpoken
                ? StatusText.plain(self) : StatusText.lines(self, terminal: view.terminal))
    }
}

extension PlayerStateReply: ShownReply {
    /// Prints the number of queued episodes and the status; one line for speech.
    func show(_ view: View) throws(ToolFailure) {
        if let queued { view.line("queued \(counted(queued, "episode"))") }
        if let note { view.line(note) }
        let status = try view.call(GetStatus())
        guard view.isSpoken else { return status.show(view) }
        let player = StatusText.settled(status.player) ?? status.player
        view.line(StatusText.follow(player, activities: [], isSpoken: true))
    }
}

extension PositionReply: ShownReply {
    func show(_ view: View) { view.line(StatusText.place(self, isSpoken: view.isSpoken)) }
}

extension GoToChapter: CommandVerb {
    static func show(_ reply: PositionReply, _ view: View) {
        if let title = reply.chapter?.chapter.title { view.line("chapter: \(title)") }
        reply.show(view)
    }
}

/// A command that shows a value, or sets it to its argument.
protocol ValueVerb: CommandVerb {
    static var argument: ArgumentDeclaration { get }
}

extension ValueVerb {
    static func adjust(_ subcommand: inout SubcommandDeclaration) { subcommand.arguments = [argument] }

    static func isQuery(_ view: View) -> Bool { view.text(argument) == nil }
}

extension SetVolume: ValueVerb {
    static let argument = ArgumentDeclaration(
        "LEVEL", isRequired: false, help: "Percentage: N, or +N / -N to change it (default: show it).")

    static func command(_ view: View) throws(ToolFailure) -> any CommandVerb {
        guard let text = view.text(argument) else { return SetVolume() }
        let (level, change) = try Self.level(text)
        return SetVolume {
            $0.level = level
            $0.change = change
        }
    }

    static func level(_ text: String) throws(ToolFailure) -> (level: Int?, change: Int?) {
        var text = text
        if text.utf8.last == .percent { text.removeLast() }
        let isChange = text.utf8.first == .plus || text.utf8.first == .dash
        guard let number = Int(text), (isChange ? -100...100 : 0...100).contains(number) else {
            throw .usage(
                "LEVEL is a whole number from 0 to 100, or a change such as +5 or -5, not '\(SafeText.line(text))'")
        }
        return isChange ? (nil, number) : (number, nil)
    }

}

extension VolumeReply: OneLineReply {
    var line: String { "volume \(volume) %" }
}

extension SetSpeed: ValueVerb {
    static let argument = ArgumentDeclaration(
        "SPEED", isRequired: false, help: "0.5 to 4, or +N / -N to change it, such as +0.1 (default: show it).")

    static func command(_ view: View) throws(ToolFailure) -> any CommandVerb {
        guard let text = view.text(argument) else { return SetSpeed() }
        let sign = text.utf8.first
        let isChange = sign == .plus || sign == .dash
        if isChange, let number = PlaybackSpeed.factor(parsing: String(text.dropFirst())), number <= 3.5 {
            return SetSpeed { $0.change = sign == .dash ? -number : number }
        }
        if !isChange, let speed = PlaybackSpeed(parsing: text) { return SetSpeed { $0.speed = speed.factor } }
        throw .usage(
            "SPEED is a number from 0.5 to 4 such as 1.5, or a change such as +0.1 or -0.1, not '\(SafeText.line(text))'"
        )
    }

}

extension SpeedReply: OneLineReply {
    var line: String {
        "speed \(StatusText.number(speed))" + (feed.map { " (feed \($0.label))" } ?? "")
            + (heardSpeed.map { "; the output plays at speed \(StatusText.number($0))" } ?? "")
    }
}

extension Undo: CommandVerb {
    static let list = OptionDeclaration(
        flag: "list", help: "Only show what would be undone, the last act first, and what 'redo' would do again.")

    static let yes = OptionDeclaration(flag: "yes", "y", help: "Undo without a confirmation what was done long ago.")

    static var columns: [ColumnLayout.Column] { ListUndoable.columns }

    static let options = [list, yes]

    static func command(_ view: View) throws(ToolFailure) -> any CommandVerb {
        try view.isSet(list) ? ListUndoable() : read(view)
    }

    func run(_ view: View) throws(ToolFailure) -> ExitStatus {
        while let last = try view.call(ListUndoable()).acts.first {
            try Self.confirm(last, view)
            let reply: UndoneReply
            do throws(ClientFailure) {
                reply = try view.attempt(Undo { $0.act = last.id })
            } catch {
                // Another client has just undone this act.
                if case .refused(let refusal) = error, refusal.status == Int(ExitStatus.tryAgain.rawValue) { continue }
                throw ToolFailure(error)
            }
            return try finish(reply, view)
        }
        return try finish(view.call(self), view)
    }

    /// Seconds after which an act is named before it is undone.
    private static let longAgo: Int64 = 600

    /// Asks before an act is undone that was long ago.
    private static func confirm(_ act: UndoableAct, _ view: View) throws(ToolFailure) {
        guard act.obstacle == nil, !view.isSet(yes) else { return }
        if act.time.adding(seconds: longAgo) > .now { return }
        let what = "'\(act.act.rawValue) \(SafeText.line(act.title))' of \(view.timeInText(act.time))"
        try view.confirm("the last change is \(what)", ask: "undo it?", hint: "podcastctl undo --yes undoes it")
    }

    static func text(_ undone: UndoneReply) -> String? { UndoText.undone(undone) }
}

extension ListUndoable: TableVerb {
    static let none = "nothing to undo or redo"

    static let table: [TableColumn<(act: UndoableAct, command: String)>] = [
        .init("ACT") { $0.act.act.rawValue },
        .init("COUNT", .right) { $0.act.count > 0 ? "\($0.act.count)" : "" },
        .init("TITLE", minimum: 16) { row in
            let done = row.command == "undo" ? "undone" : "redone"
            return row.act.title + (row.act.obstacle.map { " (cannot be \(done): \($0))" } ?? "")
        },
        .init("COMMAND", dropRank: 1) { $0.command },
    ]

    static func rows(of reply: UndoableListReply) -> [(act: UndoableAct, command: String)] {
        reply.acts.map { ($0, "undo") } + reply.undone.map { ($0, "redo") }
    }
}

extension Redo: CommandVerb {
    static func text(_ redone: UndoneReply) -> String? { UndoText.redone(redone) }
}

extension SetSleepTimer: CommandVerb {
    /// `until 7:00` may be two words.
    static func adjust(_ subcommand: inout SubcommandDeclaration) { subcommand.arguments[1].kind = .string }

    static func command(_ view: View) throws(ToolFailure) -> any CommandVerb {
        let words = view.words
        var command = words.first == "until" ? Self { $0.when = words.joinedText(" ") } : try read(view)
        if let when = command.when, SleepRequest.said(when, episodes: command.episodes) == nil {
            throw .usage(
                command.episodes == nil || when == "end-of-episode"
                    ? "WHEN is a number of minutes, a time up to 24 hours such as 1h30m or +10m, a time of day such as 23:30, "
                        + "end-of-episode, end-of-chapter or off, not '\(SafeText.line(when))'"
                    : "EPISODES needs end-of-episode, not '\(SafeText.line(when))'")
        }
        command.when = command.when.map(SleepRequest.sent)
        return command
    }

    static func isQuery(_ view: View) -> Bool { view.words.isEmpty }
}

extension SleepReply: OneLineReply {
    var line: String { "sleep timer: \(sleep.map(StatusText.sleep) ?? "off")" }
}
