extension CompletionModel {
    /// One `complete` line for each option, word and argument.
    var fish: String {
        var lines = ["# fish completion for \(name); made from its declaration"]
        if hasNames { lines.append(Self.fishNames) }
        lines.append("complete -c \(name) -f")
        for option in options { lines.append(fishLine(option, condition: nil)) }
        for argument in arguments where commands.isEmpty { lines += fishLines(argument, condition: nil) }
        for (word, summary) in firstWords {
            lines.append("complete -c \(name) -n __fish_use_subcommand -a \(word) -d \(Self.fishQuoted(summary))")
        }
        for command in commands {
            let condition = command.words.map { "__fish_seen_subcommand_from \($0)" }.joined(separator: "; and ")
            if command.words.count > 1 {
                let first =
                    "__fish_seen_subcommand_from \(command.words[0]); and not __fish_seen_subcommand_from "
                    + secondWords(after: command.words[0]).map(\.word).joined(separator: " ")
                lines.append(
                    "complete -c \(name) -n \(Self.fishQuoted(first)) -a \(command.words[1]) -d \(Self.fishQuoted(command.summary))"
                )
            }
            for option in command.options where !option.isHidden {
                lines.append(fishLine(option, condition: condition))
            }
            for argument in command.arguments { lines += fishLines(argument, condition: condition) }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func fishLine(_ option: OptionDeclaration, condition: String?) -> String {
        var line = "complete -c \(name)" + (condition.map { " -n \(Self.fishQuoted($0))" } ?? "") + " -l \(option.name)"
        if let letter = option.letter { line += " -s \(letter)" }
        if option.placeholder != nil {
            switch option.kind {
            case .choice(let words): line += " -x -a \(Self.fishQuoted(words.joined(separator: " ")))"
            case .file: line += " -r -F"
            case .folder: line += " -x -a '(__fish_complete_directories)'"
            case .name(let kind): line += " -x -a \(Self.fishQuoted(names(kind)))"
            case .text, .integer, .limit, .number, .time: line += " -x"
            }
        }
        return line + " -d \(Self.fishQuoted(option.help))"
    }

    private func fishLines(_ argument: ArgumentDeclaration, condition: String?) -> [String] {
        let head = "complete -c \(name)" + (condition.map { " -n \(Self.fishQuoted($0))" } ?? "")
        return switch argument.offered {
        case .choice(let words): ["\(head) -a \(Self.fishQuoted(words.joined(separator: " ")))"]
        case .file: ["\(head) -F"]
        case .folder: ["\(head) -a '(__fish_complete_directories)'"]
        case .name(let kind): ["\(head) -a \(Self.fishQuoted(names(kind)))"]
        case .text, .integer, .limit, .number, .time: []
        }
    }

    private func names(_ kind: String) -> String { "(__podcast_names \(name) \(kind))" }

    /// Offers names that the program prints. The typed word may contain an open quote.
    private static let fishNames = #"""
        function __podcast_names
            set -l word (commandline -ct)
            set word (string unescape -- $word; or string unescape -- $word"'"; or string unescape -- $word'"'; or echo -- $word)
            set -l before (commandline -opc)
            $argv[1] complete $argv[2] -- "$word" "$before[-1]" 2>/dev/null
        end
        """#

    /// Fish reads `\'` and `\\` inside single quotes.
    private static func fishQuoted(_ text: String) -> String {
        "'" + text.replacingEach("\\", with: "\\\\").replacingEach("'", with: "\\'") + "'"
    }
}

extension String {
    /// The standard library's function is in its regex module, which we do not link.
    func replacingEach(_ character: Character, with text: String) -> String {
        var result = ""
        for each in self { result += each == character ? text : String(each) }
        return result
    }
}
