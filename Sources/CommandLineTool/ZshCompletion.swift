extension CompletionModel {
    /// A function for `_arguments` of zsh's completion system.
    var zsh: String {
        var script =
            "#compdef \(name)\n# zsh completion for \(name); made from its declaration\n\n"
            + (hasNames ? Self.zshNames : "")
        script += "_\(identifier)() {\n    local curcontext=\"$curcontext\" state line\n    typeset -A opt_args\n"
        let common = options.map(zshOption)
        if commands.isEmpty {
            script += Self.zshArguments(common + arguments.map(zshArgument), indent: "    ")
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
                script += Self.zshArguments(zshParts(command), indent: "                    ")
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
            script += Self.zshArguments(zshParts(command), indent: indent + "            ")
            script += "\(indent)            ;;\n"
        }
        return script + "\(indent)    esac\n\(indent)fi\n"
    }

    private func zshParts(_ command: SubcommandDeclaration) -> [String] {
        command.options.filter { !$0.isHidden }.map(zshOption) + command.arguments.map(zshArgument)
    }

    private static func zshArguments(_ parts: [String], flags: String = "", indent: String) -> String {
        let head = "\(indent)_arguments" + (flags.isEmpty ? "" : " \(flags)")
        return ([head] + parts.map { "\(indent)    \($0)" }).joined(separator: " \\\n") + "\n"
    }

    private func zshOption(_ option: OptionDeclaration) -> String {
        let help = Self.bracketed(option.help)
        let value = option.placeholder.map { ":\($0):\(Self.action(option.kind, of: name))" } ?? ""
        let star = option.isRepeatable && option.placeholder != nil ? "*" : ""
        let long = Self.quoted("\(star)--\(option.name)\(option.placeholder == nil ? "" : "=")[\(help)]\(value)")
        guard let letter = option.letter else { return long }
        return Self.quoted("\(star)-\(letter)[\(help)]\(value)") + " " + long
    }

    private func zshArgument(_ argument: ArgumentDeclaration) -> String {
        let message = argument.help.replacingEach(":", with: "\\:")
        return switch argument.count {
        case .one: Self.quoted(":\(message):\(Self.action(argument.offered, of: name))")
        case .optional: Self.quoted("::\(message):\(Self.action(argument.offered, of: name))")
        case .any, .some: Self.quoted("*:\(message):\(Self.action(argument.offered, of: name))")
        }
    }

    private static func action(_ kind: ValueKind, of program: String) -> String {
        switch kind {
        case .choice(let words): "(\(words.joined(separator: " ")))"
        case .file: "_files"
        case .folder: "_files -/"
        // The space prevents _arguments from passing options for compadd before these words.
        case .name(let kind): " _podcast_names \(program) \(kind)"
        case .text, .integer, .limit, .number, .time: " "
        }
    }

    /// Offers names that the program prints; ignores case, and a word of a name suffices.
    private static let zshNames = #"""
        _podcast_names() {
            local line
            local -a names=()
            for line in "${(@f)$($1 complete $2 -- "${(Q)PREFIX}" "${(Q)words[CURRENT-1]}" 2>/dev/null)}"; do
                [[ -n $line ]] && names+=("${line%%$'\t'*}")
            done
            compadd -U -S '' -- "${(@M)names:#*:}"
            compadd -U -- "${(@)names:#*:}"
        }

        """#

    private static func bracketed(_ text: String) -> String {
        text.replacingEach("[", with: "\\[").replacingEach("]", with: "\\]").replacingEach(":", with: "\\:")
    }
}
