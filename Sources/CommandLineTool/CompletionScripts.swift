/// A shell for which completions are made.
public enum Shell: String, Sendable, CaseIterable {
    /// GNU Bash, with or without the bash-completion package.
    case bash
    /// Z shell.
    case zsh
    /// Fish.
    case fish

    /// The name under which the file of a program's completions is installed.
    public func fileName(for program: String) -> String {
        switch self {
        case .bash: program
        case .zsh: "_\(program)"
        case .fish: "\(program).fish"
        }
    }
}

extension ProgramDeclaration {
    /// A completion script, made from the same declaration as the help.
    public func completionScript(for shell: Shell) -> String {
        let model = CompletionModel(self)
        return switch shell {
        case .bash: model.bash
        case .zsh: model.zsh
        case .fish: model.fish
        }
    }
}

/// What all shells are told: the program's options, and of each command its words, options and arguments.
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

    /// First words with the summary of the command that each begins; of several, the first.
    var firstWords: [(word: String, summary: String)] {
        var words: [(word: String, summary: String)] = []
        for command in commands where !words.contains(where: { $0.word == command.words[0] }) {
            words.append((command.words[0], command.summary))
        }
        return words
    }

    /// Second words after a first one.
    func secondWords(after first: String) -> [(word: String, summary: String)] {
        commands.filter { $0.words.count > 1 && $0.words[0] == first }.map { ($0.words[1], $0.summary) }
    }

    var identifier: String {
        String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }

    /// A word of shell source that stands for the text: single quotes, as all three shells read them alike.
    static func quoted(_ text: String) -> String {
        var result = "'"
        for character in text { result += character == "'" ? "'\\''" : String(character) }
        return result + "'"
    }
}
