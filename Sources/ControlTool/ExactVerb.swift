internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import PodcastModel
internal import Presentation
internal import SystemCalls

/// A command that removes something: it acts on exact names, although it can be undone, because a wrong match is easily overlooked.
/// For a part of a title it asks on a terminal; in a script the daemon's refusal is the answer.
protocol ExactVerb: CommandVerb {
    /// What is asked before a title: `unsubscribe from`.
    static var question: String { get }
}

extension ExactVerb {
    static func run(_ line: CommandLineUse) throws(ToolFailure) -> ExitStatus {
        var command = try command(line)
        try line.checkTemplate(Reply.members)
        let view = try line.connect()
        while true {
            switch try view.outcome(settling: &command, isLong: isLong) {
            case .success(let answer): return try finish(answer, view)
            case .failure(let error):
                guard case .refused(let refusal) = error, let word = refusal.inexactName,
                    let meant = refusal.candidates.first, line.canAsk
                else { throw view.failure(error, of: Self.self) }
                let question = "\(question) '\(SafeText.line(meant.title))' (\(meant.label))?"
                guard try Confirmation.isGiven(question, on: line.streams) else {
                    throw ToolFailure(.usage, "nothing was changed")
                }
                command = try command.replacing(word, by: meant.label)
            }
        }
    }
}

extension [NamedReply] {
    /// Shows what each of several words became.
    func show(_ view: View) throws(ToolFailure) {
        if count < 2 { return }
        for row in self {
            let id = row.id.map { "\(row.kind == .feed ? "f" : "e")\($0)" }
            let name = row.title.map { "\(id ?? "") \($0)" } ?? row.what
            try view.line(row.kind == .episode ? name : "\(name): \(counted(row.count, "episode"))")
        }
    }
}
