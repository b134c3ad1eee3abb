internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol

/// What may follow in a command line of podcastctl, for programs that read such lines themselves.
public enum LineCompletions {
    /// The candidates for a word.
    ///
    /// - Parameters:
    ///   - words: the whole words before it.
    ///   - beginning: what is typed of it.
    public static func candidates(after words: [String], beginning: String, socket: String) -> [String] {
        let commands = Verb.all.map(\.subcommand).filter { $0.group != nil }
        let (first, second) = (words.first, words.count == 1 ? words.first : nil)
        guard first != nil else { return unique(commands.map { $0.words[0] }, beginning) }
        let seconds = commands.filter { $0.words.count > 1 && $0.words[0] == second }.map { $0.words[1] }
        let verbs = unique(seconds, beginning)
        guard let command = Verb.find(VerbNames.spelledOut(words[...]))?.subcommand else { return verbs }
        if beginning.hasPrefix("-") {
            return unique(command.options.filter { !$0.isHidden }.map { "--\($0.name)" }, beginning)
        }
        if let last = words.last, let option = command.options.first(where: { "--\($0.name)" == last }),
            option.placeholder != nil
        {
            return values(option.kind, beginning, socket)
        }
        let place = words.count - command.words.count
        let isRepeated = command.arguments.last.map { $0.count == .any || $0.count == .some } ?? false
        let argument =
            place < command.arguments.count
            ? command.arguments[max(0, place)] : isRepeated ? command.arguments.last : nil
        return verbs + (argument.map { values($0.kind, beginning, socket) } ?? [])
    }

    private static func values(_ kind: ValueKind, _ beginning: String, _ socket: String) -> [String] {
        switch kind {
        case .choice(let words): unique(words, beginning)
        case .name(let kind): CompleteVerb.names(CompleteVerb.Kind(rawValue: kind), beginning, socket: socket)
        case .text, .file, .folder, .integer, .limit, .number, .time: []
        }
    }

    private static func unique(_ words: [String], _ beginning: String) -> [String] {
        Set(words).filter { $0.hasPrefix(beginning) }.sorted()
    }
}
