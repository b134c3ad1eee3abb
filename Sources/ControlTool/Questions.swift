internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import JSON
internal import PodcastModel
internal import Presentation
internal import SystemCalls

extension View {
    /// Whether the user can be asked: stdin and stderr are terminals.
    var canAsk: Bool { streams.mayAsk && TerminalInput.isTerminal(0) && TerminalInput.isTerminal(2) }

    /// Asks on a terminal. Everything but `y` and `yes` is no.
    func isConfirmed(_ question: String) -> Bool {
        ["y", "yes"].contains(answer("\(question) [y/N] ").lowercased())
    }

    /// Asks on a terminal, and refuses otherwise.
    /// - Parameters:
    ///   - fact: the consequence, as a sentence without its point.
    ///   - hint: how to answer in advance.
    func confirm(_ fact: String, ask question: String, hint: String) throws(ToolFailure) {
        guard canAsk else { throw .usage("\(fact); nothing was changed", hint: hint) }
        if !isConfirmed("\(fact); \(question)") { throw .usage("nothing was changed") }
    }

    /// Asks for a short line on a terminal; empty at the end of the input.
    fileprivate func answer(_ question: String) -> String {
        streams.errors.write(question)
        streams.showQuestion()
        return String(utf8: SecretInput.nextLine())
    }
}

/// The question which feed or episode a name means.
enum Choice {
    /// The command with an id in place of a name that was ambiguous or, for commands that remove something, only a part of a title: such a
    /// wrong match is easily overlooked, although the command can be undone. Nil if the command failed for another reason, or if the user
    /// cannot be asked.
    static func resolved<Called: Command>(
        _ command: Called, _ failure: ClientFailure, _ view: View
    ) throws(ToolFailure) -> Called? {
        guard case .refused(let refusal) = failure, view.canAsk else { return nil }
        if let name = refusal.inexactName, let meant = refusal.candidates.first {
            let question = (Called.self as? any CommandVerb.Type)?.question ?? Called.name
            guard view.isConfirmed("\(question) '\(SafeText.line(meant.title))' (\(meant.label))?") else {
                throw .usage("nothing was changed")
            }
            return try command.replacing(name, by: meant.label)
        }
        guard let name = refusal.ambiguousName else { return nil }
        let candidates = refusal.candidates
        let errors = view.streams.errors
        errors.line("\(SafeText.line(refusal.what)):")
        for (index, row) in ToolFailure.lines(of: candidates, on: errors, indent: candidates.count < 10 ? 3 : 4)
            .enumerated()
        {
            let label = "\(index + 1))"
            errors.line(label + (errors.isSpoken ? " \(row)" : String(row.dropFirst(label.count))))
        }
        while true {
            let answer = view.answer("number (Enter cancels): ").filter { !$0.isWhitespace }
            if answer.isEmpty { throw .usage("nothing was chosen") }
            guard let number = Int(answer), candidates.indices.contains(number - 1) else { continue }
            return try command.replacing(name, by: candidates[number - 1].label)
        }
    }
}

extension Command {
    /// The command with an id in place of a name. Other parameters, such as the text of a note, may have the same words.
    func replacing(_ name: String, by id: String) throws(ToolFailure) -> Self {
        let params = Request(id: nil, self).params
        var members: [JSONValue.Member] = []
        for parameter in Self.declaration.parameters {
            guard let value = params?[parameter.name] else { continue }
            let isName = (parameter.kind.elements.first ?? parameter.kind).syntax == .what
            members.append(.init(parameter.name, isName ? Self.replacing(name, by: id, in: value) : value))
        }
        return try Self(given: .object(members))
    }

    /// A parameter with another text for a name, which may be several words of a list.
    private static func replacing(_ name: String, by id: String, in value: JSONValue) -> JSONValue {
        switch value {
        case .string(name): return .string(id)
        case .array(let elements):
            let words = elements.compactMap(\.stringValue)
            for start in words.indices where words.count == elements.count {
                for end in words.indices[start...] where words[start...end].map(\.self).joinedText(" ") == name {
                    return .array(elements[..<start] + [.string(id)] + elements[(end + 1)...])
                }
            }
            return value
        case .null, .bool, .integer, .number, .string, .object: return value
        }
    }
}
