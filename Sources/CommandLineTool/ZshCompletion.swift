extension CompletionModel {
    /// A function for `_arguments` of zsh's completion system.
    var zsh: String {
        var script = "#compdef \(name)\n# zsh completion for \(name); made from its declaration\n\n"
        script += "_\(identifier)() {\n    local curcontext=\"$curcontext\" state line\n    typeset -A opt_args\n"
        let common = options.map(Self.zshOption)
        if commands.isEmpty {
            script += Self.zshArguments(common + arguments.map(Self.zshArgument), indent: "    ")
            return script + "}\n\n_\(identifier) \"$@\"\n"
        }
        script += Self.zshArguments(
            common + ["'1:command:->command'", "'*::argument:->argument'"], flags: "-C", indent: "    ")
        script += "    case $state in\n        command)\n            local -a commands=(\n"
        for (word, summary) in firstWords {
            script += "                \(Self.quoted(word + ":" + summary.replacingEach(":", with: "\\:")))\n"
        }
        script +=
            "            )\n            _describe command commands ;;\n        argument)\n            case $line[1] in\n"
        for (word, _) in firstWords {
            script += "                \(word))\n"
            let second = secondWords(after: word)
            if second.isEmpty, let command = commands.first(where: { $0.words == [word] }) {
                script += Self.zshArguments(Self.zshParts(command), indent: "                    ")
            } else {
                script += zshSecondWords(after: word, second.map(\.word))
            }
            script += "                    ;;\n"
        }
        return script + "            esac ;;\n    esac\n}\n\n_\(identifier) \"$@\"\n"
    }

    /// In the state `argument`, `words` begins with the first word of the command.
    private func zshSecondWords(after first: String, _ seconds: [String]) -> String {
        let indent = "                    "
        var script = "\(indent)if (( CURRENT == 2 )); then\n\(indent)    compadd \(seconds.joined(separator: " "))\n"
        script += "\(indent)else\n\(indent)    shift words; (( CURRENT-- ))\n\(indent)    case $words[1] in\n"
        for command in commands where command.words.count > 1 && command.words[0] == first {
            script += "\(indent)        \(command.words[1]))\n"
            script += Self.zshArguments(Self.zshParts(command), indent: indent + "            ")
            script += "\(indent)            ;;\n"
        }
        return script + "\(indent)    esac\n\(indent)fi\n"
    }

    private static func zshParts(_ command: SubcommandDeclaration) -> [String] {
        command.options.filter { !$0.isHidden }.map(zshOption) + command.arguments.map(zshArgument)
    }

    private static func zshArguments(_ parts: [String], flags: String = "", indent: String) -> String {
        let head = "\(indent)_arguments" + (flags.isEmpty ? "" : " \(flags)")
        return ([head] + parts.map { "\(indent)    \($0)" }).joined(separator: " \\\n") + "\n"
    }

    private static func zshOption(_ option: OptionDeclaration) -> String {
        let help = bracketed(option.help)
        let value = option.placeholder.map { ":\($0):\(action(option.kind))" } ?? ""
        let star = option.isRepeatable && option.placeholder != nil ? "*" : ""
        let long = quoted("\(star)--\(option.name)\(option.placeholder == nil ? "" : "=")[\(help)]\(value)")
        guard let letter = option.letter else { return long }
        return quoted("\(star)-\(letter)[\(help)]\(value)") + " " + long
    }

    private static func zshArgument(_ argument: ArgumentDeclaration) -> String {
        let message = argument.help.replacingEach(":", with: "\\:")
        return switch argument.count {
        case .one: quoted(":\(message):\(action(argument.kind))")
        case .optional: quoted("::\(message):\(action(argument.kind))")
        case .any, .some: quoted("*:\(message):\(action(argument.kind))")
        }
    }

    private static func action(_ kind: ValueKind) -> String {
        switch kind {
        case .choice(let words): "(\(words.joined(separator: " ")))"
        case .file: "_files"
        case .folder: "_files -/"
        case .text, .integer, .limit, .number, .time: " "
        }
    }

    private static func bracketed(_ text: String) -> String {
        text.replacingEach("[", with: "\\[").replacingEach("]", with: "\\]").replacingEach(":", with: "\\:")
    }
}
