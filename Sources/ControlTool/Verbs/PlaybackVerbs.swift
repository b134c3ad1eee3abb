internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import PodcastModel
internal import Presentation
internal import SystemCalls

extension GetStatus: CommandVerb {
    static let follow = OptionDeclaration(flag: "follow", "f", help: "Keep showing changes until interrupted.")
    static let plain = OptionDeclaration(
        flag: "plain", help: "One change per line, without columns, redrawing or colour.")
    static let stats = OptionDeclaration(flag: "stats", help: "Also show counters since the daemon started.")
    /// The former name of `stats`.
    static let figures = OptionDeclaration(flag: "figures", isHidden: true, help: "")

    static func adjust(_ subcommand: inout SubcommandDeclaration) {
        subcommand.options = [follow, plain, stats, figures]
    }

    static func run(_ line: CommandLineUse) throws(ToolFailure) -> ExitStatus {
        let view = try line.connect()
        if view.isSet(follow) {
            try line.checkTemplate(Reply.members)
            return try StatusFollower(view).run()
        }
        guard view.isSet(stats) || view.isSet(figures) else { return try Self.answer(GetStatus(), view) }
        let answer = try view.wireAnswer(to: GetStatus())
        let counters = try view.wireAnswer(to: GetMetrics())
        let declared = Reply.members + MetricListReply.members
        try line.checkTemplate(declared)
        if case .object(let members) = answer, case .object(let others) = counters,
            try line.printForProgram(.object(members + others), declared)
        {
            return .success
        }
        let status = try finish(answer, view)
        try view.lines(StatusText.lines(MetricListReply(json: counters) ?? MetricListReply()))
        return status
    }

    static func show(_ reply: StatusReply, _ view: View) throws(ToolFailure) {
        try view.lines(
            view.isSet(plain) || view.isSpoken
                ? StatusText.plain(reply) : StatusText.lines(reply, terminal: view.terminal))
    }
}

/// A command that starts or stops playback: the status afterwards is shown.
protocol PlaybackVerb: CommandVerb where Reply == PlayerStateReply {}

extension PlaybackVerb {
    static func show(_ reply: PlayerStateReply, _ view: View) throws(ToolFailure) {
        try view.showPlayback()
    }
}

extension View {
    /// The status after a command that starts or stops playback; for speech one line.
    func showPlayback() throws(ToolFailure) {
        let status = try call(GetStatus())
        if isSpoken { return try line(StatusText.follow(status.player, activities: [], isSpoken: true)) }
        try GetStatus.show(status, self)
    }
}

extension Pause: PlaybackVerb {}
extension TogglePlayback: PlaybackVerb {}
extension Stop: PlaybackVerb {}
extension PlayNext: PlaybackVerb {}
extension PlayPrevious: PlaybackVerb {}

extension Seek: CommandVerb {
    static func show(_ reply: PositionReply, _ view: View) throws(ToolFailure) {
        try view.line(StatusText.place(reply, isSpoken: view.isSpoken))
    }
}

extension GoToChapter: CommandVerb {
    static func show(_ reply: PositionReply, _ view: View) throws(ToolFailure) {
        if let title = reply.chapter?.chapter.title { try view.line("chapter: \(title)") }
        try view.line(StatusText.place(reply, isSpoken: view.isSpoken))
    }
}

extension SetVolume: CommandVerb {
    static let argument = ArgumentDeclaration(
        "LEVEL", count: .optional, help: "Percentage: N, or +N / -N to change it (default: show it).")

    static func adjust(_ subcommand: inout SubcommandDeclaration) { subcommand.arguments = [argument] }

    static func command(_ line: CommandLineUse) throws(ToolFailure) -> SetVolume {
        guard var text = line.parsed.text(argument) else { return SetVolume() }
        if text.utf8.last == UInt8(ascii: "%") { text.removeLast() }
        let isChange = text.utf8.first == UInt8(ascii: "+") || text.utf8.first == UInt8(ascii: "-")
        guard let number = Int(text), (isChange ? -100...100 : 0...100).contains(number) else {
            throw ToolFailure(
                .usage,
                "LEVEL is a whole number from 0 to 100, or a change such as +5 or -5, not '\(SafeText.line(text))'")
        }
        return SetVolume { if isChange { $0.change = number } else { $0.level = number } }
    }

    static func isQuery(_ line: CommandLineUse) -> Bool { line.parsed.text(argument) == nil }

    static func show(_ reply: VolumeReply, _ view: View) throws(ToolFailure) {
        try view.line("volume \(reply.volume) %")
    }
}

extension SetSpeed: CommandVerb {
    static let argument = ArgumentDeclaration(
        "SPEED", count: .optional, help: "0.5 to 4, or +N / -N to change it, such as +0.1 (default: show it).")

    static func adjust(_ subcommand: inout SubcommandDeclaration) { subcommand.arguments = [argument] }

    static func command(_ line: CommandLineUse) throws(ToolFailure) -> SetSpeed {
        guard let text = line.parsed.text(argument) else { return SetSpeed() }
        let sign = text.utf8.first
        let isChange = sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
        if isChange, let number = PlaybackSpeed.factor(parsing: String(text.dropFirst())), number <= 3.5 {
            return SetSpeed { $0.change = sign == UInt8(ascii: "-") ? -number : number }
        }
        if !isChange, let speed = PlaybackSpeed(parsing: text) { return SetSpeed { $0.speed = speed.factor } }
        throw ToolFailure(
            .usage,
            "SPEED is a number from 0.5 to 4 such as 1.5, or a change such as +0.1 or -0.1, not '\(SafeText.line(text))'"
        )
    }

    static func isQuery(_ line: CommandLineUse) -> Bool { line.parsed.text(argument) == nil }

    static func show(_ reply: SpeedReply, _ view: View) throws(ToolFailure) {
        try view.line("speed \(StatusText.number(reply.speed))" + (reply.feed.map { " (feed \($0.label))" } ?? ""))
    }
}

extension Undo: CommandVerb {
    static let list = OptionDeclaration(
        flag: "list", help: "Only show what would be undone, the last act first, and what 'redo' would do again.")

    static let yes = OptionDeclaration(flag: "yes", "y", help: "Undo without a confirmation what was done long ago.")

    static let columns: [ColumnLayout.Column] = [
        .init("ACT"), .init("COUNT", .right), .init("TITLE", minimum: 16), .init("COMMAND", dropRank: 1),
    ]

    static func adjust(_ subcommand: inout SubcommandDeclaration) { subcommand.options += [list, yes] }

    static func run(_ line: CommandLineUse) throws(ToolFailure) -> ExitStatus {
        let view = try line.connect()
        guard view.isSet(list) else {
            try line.checkTemplate(Reply.members)
            while let last = UndoableListReply(json: try view.wireAnswer(to: ListUndoable()))?.acts.first {
                try confirm(last, line)
                var undo = Undo { $0.act = last.id }
                switch try view.outcome(settling: &undo) {
                case .success(let answer): return try finish(answer, view)
                // Another client has just undone this act.
                case .failure(.refused(let error)) where error.status == Int(ExitStatus.tryAgain.rawValue): continue
                case .failure(let error): throw view.failure(error, of: Undo.self)
                }
            }
            return try answer(Undo(), view)
        }
        try line.checkTemplate(UndoableListReply.members)
        let answer = try view.wireAnswer(to: ListUndoable())
        if try line.printForProgram(answer, UndoableListReply.members) { return .success }
        let reply = UndoableListReply(json: answer) ?? UndoableListReply()
        let rows = reply.acts.map { row($0, "undo") } + reply.undone.map { row($0, "redo") }
        try view.table(columns, rows, empty: "nothing to undo or redo")
        return .success
    }

    /// Seconds after which an act is named before it is undone.
    private static let longAgo = 600.0

    /// Asks before an act is undone that was long ago.
    private static func confirm(_ act: UndoableAct, _ line: CommandLineUse) throws(ToolFailure) {
        guard act.obstacle == nil, !line.parsed.isSet(yes) else { return }
        let age = Double(Timestamp.now.milliseconds - act.time.milliseconds) / 1000
        if age < longAgo { return }
        let what = "'\(act.act.rawValue) \(SafeText.line(act.title))' of \(Int(age / 60)) minutes ago"
        guard line.canAsk else {
            throw ToolFailure(
                .usage, "the last change is \(what); nothing was changed", hint: "podcastctl undo --yes undoes it")
        }
        guard try Confirmation.isGiven("undo \(what)?", on: line.streams) else {
            throw ToolFailure(.usage, "nothing was changed")
        }
    }

    private static func row(_ act: UndoableAct, _ command: String) -> [String] {
        let reason = act.obstacle.map { " (cannot be \(command == "undo" ? "undone" : "redone"): \($0))" } ?? ""
        return [act.act.rawValue, act.count > 0 ? "\(act.count)" : "", act.title + reason, command]
    }

    static func show(_ undone: UndoneReply, _ view: View) throws(ToolFailure) { try view.line(UndoText.undone(undone)) }
}

extension Redo: CommandVerb {
    static func show(_ redone: UndoneReply, _ view: View) throws(ToolFailure) { try view.line(UndoText.redone(redone)) }
}
