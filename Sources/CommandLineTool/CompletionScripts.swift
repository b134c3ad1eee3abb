/// A shell for which completions can be generated.
public enum Shell: String, Sendable, CaseIterable {
    /// With or without the bash-completion package.
    case bash
    case zsh
    case fish
}

extension ProgramDeclaration {
    public func completionScript(for shell: Shell) -> String {
        let model = CompletionModel(self)
        return switch shell {
        case .bash: model.bash
        case .zsh: model.zsh
        case .fish: model.fish
        }
    }
}

/// The data for all shells: the program's options, and words, options and arguments of each command.
struct CompletionModel {
    let name: String
    let options: [OptionDeclaration]
    let arguments: [ArgumentDeclaration]
    let commands: [SubcommandDeclaration]

    init(_ program: ProgramDeclaration) {
        name = program.name
        options =
            program.options.filter { !$0.isHidden }
            + [ProgramDeclaration.helpOption, ProgramDeclaration.versionOption]
        arguments = program.arguments
        commands = program.commandsByGroup.flatMap(\.commands)
    }

    /// First words of commands, each with the summary of the first command that begins with it.
    var firstWords: [(word: String, summary: String)] {
        var words: [(word: String, summary: String)] = []
        for command in commands where !words.contains(where: { $0.word == command.words[0] }) {
            words.append((command.words[0], command.summary))
        }
        return words
    }

    /// Second words of the commands that begin with `first`.
    func secondWords(after first: String) -> [(word: String, summary: String)] {
        commands.filter { $0.words.count > 1 && $0.words[0] == first }.map { ($0.words[1], $0.summary) }
    }

    var identifier: String {
        String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }

    /// The text in single quotes, which all three shells read the same way.
    static func quoted(_ text: String) -> String {
        var result = "'"
        for character in text { result += character == "'" ? "'\\''" : String(character) }
        return result + "'"
    }
}
