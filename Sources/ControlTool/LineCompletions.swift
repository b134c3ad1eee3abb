internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol

/// What may follow in a command line of podcastctl, for programs that read such lines themselves.
public enum LineCompletions {
    /// What a word may become.
    public struct Wanted: Equatable, Sendable {
        /// Commands, options or their values that begin as the word does.
        public var words: [String] = []
        /// Names that only the daemon knows: the first argument of `podcastctl complete`; nil for none.
        public var names: String?
    }

    /// The candidates for a word. Asks the daemon and waits for its answer.
    public static func candidates(after words: [String], beginning: String, socket: String) -> [String] {
        let wanted = wanted(after: words, beginning: beginning)
        guard let kind = wanted.names else { return wanted.words }
        return wanted.words
            + CompleteVerb.names(
                CompleteVerb.Kind(rawValue: kind), beginning, after: words.last ?? "", socket: socket)
    }

    /// What a word may become, without the daemon.
    ///
    /// - Parameters:
    ///   - words: the whole words before it.
    ///   - beginning: what is typed of it.
    public static func wanted(after words: [String], beginning: String) -> Wanted {
        let commands = Verb.all.map(\.subcommand).filter { $0.group != nil }
        let (first, second) = (words.first, words.count == 1 ? words.first : nil)
        guard first != nil else { return Wanted(words: unique(commands.map { $0.words[0] }, beginning)) }
        let seconds = commands.filter { $0.words.count > 1 && $0.words[0] == second }.map { $0.words[1] }
        let verbs = unique(seconds, beginning)
        guard let command = Verb.find(VerbNames.spelledOut(words[...]))?.subcommand else {
            return Wanted(words: verbs)
        }
        if beginning.hasPrefix("-") {
            return Wanted(words: unique(command.options.filter { !$0.isHidden }.map { "--\($0.name)" }, beginning))
        }
        if let last = words.last, let option = command.options.first(where: { "--\($0.name)" == last }),
            option.placeholder != nil
        {
            return values(option.kind, beginning)
        }
        let place = words.count - command.words.count
        let isRepeated = command.arguments.last.map { $0.count == .any || $0.count == .some } ?? false
        let argument =
            place < command.arguments.count
            ? command.arguments[max(0, place)] : isRepeated ? command.arguments.last : nil
        var wanted = argument.map { values($0.offered, beginning) } ?? Wanted()
        wanted.words = verbs + wanted.words
        return wanted
    }

    private static func values(_ kind: ValueKind, _ beginning: String) -> Wanted {
        switch kind {
        case .choice(let words): Wanted(words: unique(words, beginning))
        case .name(let kind): Wanted(names: kind)
        case .text, .file, .folder, .integer, .limit, .number, .time: Wanted()
        }
    }

    private static func unique(_ words: [String], _ beginning: String) -> [String] {
        Set(words).filter { $0.hasPrefix(beginning) }.sorted()
    }
}
