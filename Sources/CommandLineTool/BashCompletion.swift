extension CompletionModel {
    /// A function that offers the options, words and files of the command. Does not need the bash-completion package.
    var bash: String {
        let valued = (options + commands.flatMap(\.options)).filter { $0.placeholder != nil }
        var script = """
            # bash completion for \(name); made from its declaration
            \(hasNames ? Self.bashNames : "")_\(identifier)() {
            \(Self.bashWords)
                local word="${typed[last]}" previous="${typed[last-1]}"
                local command="" place=0 options="" words=""
                COMPREPLY=(); index=1
                case "$previous" in

            """
        for option in valued { script += bashValue(of: option) }
        script += """
                esac
                while [ "$index" -lt "$last" ]; do
                    case "${typed[index]}" in

            """
        let patterns = Self.unique(valued.flatMap(Self.spellings))
        if !patterns.isEmpty {
            script += "            \(patterns.joined(separator: "|"))) index=$((index+1)) ;;\n"
        }
        script += """
                        -*) ;;
                        *)
                            place=$((place+1))
                            if [ "$place" -eq 1 ]; then command="${typed[index]}"
                            elif [ "$place" -eq 2 ]; then
                                case "$command ${typed[index]}" in

            """
        for command in commands where command.words.count > 1 {
            script +=
                "                        \(Self.quoted(command.name))) command=\(Self.quoted(command.name)); place=1 ;;\n"
        }
        script += """
                                esac
                            fi ;;
                    esac
                    index=$((index+1))
                done
                options=\(Self.quoted(Self.words(options)))
                case "$command:$place" in

            """
        if commands.isEmpty {
            for (index, argument) in arguments.enumerated() {
                script += bashArgument(argument, command: "*", place: index, isLast: index == arguments.count - 1)
            }
        } else {
            script += "        :0) words=\(Self.quoted(firstWords.map(\.word).joined(separator: " "))) ;;\n"
            for first in firstWords {
                let second = secondWords(after: first.word)
                if !second.isEmpty {
                    script +=
                        "        \(first.word):1) words=\(Self.quoted(second.map(\.word).joined(separator: " "))) ;;\n"
                }
            }
            for command in commands {
                for (index, argument) in command.arguments.enumerated() {
                    script += bashArgument(
                        argument, command: Self.quoted(command.name), place: index + 1,
                        isLast: index == command.arguments.count - 1)
                }
            }
        }
        script += "    esac\n    case \"$command\" in\n"
        for command in commands where command.options.contains(where: { !$0.isHidden }) {
            script += "        \(Self.quoted(command.name))) options=\"$options \(Self.words(command.options))\" ;;\n"
        }
        script += """
                esac
                case "$word" in
                    -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
                    *) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
                esac
            }
            complete -F _\(identifier) \(name)

            """
        return script
    }

    private static func spellings(_ option: OptionDeclaration) -> [String] {
        ["--\(option.name)"] + (option.letter.map { ["-\($0)"] } ?? [])
    }

    private static func words(_ options: [OptionDeclaration]) -> String {
        options.filter { !$0.isHidden }.map { "--\($0.name)" }.joined(separator: " ")
    }

    private static func unique(_ texts: [String]) -> [String] {
        var seen: Set<String> = []
        return texts.filter { seen.insert($0).inserted }
    }

    private func bashValue(of option: OptionDeclaration) -> String {
        let pattern = Self.spellings(option).joined(separator: "|")
        return "        \(pattern)) \(Self.bashReply(option.kind, of: name) ?? ":"); return ;;\n"
    }

    private static func bashReply(_ kind: ValueKind, of program: String) -> String? {
        switch kind {
        case .choice(let words): "COMPREPLY=($(compgen -W \(quoted(words.joined(separator: " "))) -- \"$word\"))"
        case .file: "compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- \"$word\"))"
        case .folder: "compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- \"$word\"))"
        case .name(let kind): "_podcast_names \(program) \(kind)"
        case .text, .integer, .limit, .number, .time: nil
        }
    }

    var hasNames: Bool {
        let kinds =
            (options + commands.flatMap(\.options)).map(\.kind)
            + (arguments + commands.flatMap(\.arguments)).map(\.offered)
        return kinds.contains { if case .name = $0 { true } else { false } }
    }

    /// The words up to the cursor as typed: Readline splits them at each ':'.
    private static let bashWords = #"""
            local rest="${COMP_LINE:0:${COMP_POINT:-0}}" index=0 last=-1 part gap
            local -a typed=()
            while [ "$index" -le "$COMP_CWORD" ]; do
                part="${COMP_WORDS[index]}"; gap="$rest"
                if [ -n "$part" ]; then gap="${rest%%"$part"*}"; rest="${rest#"$gap$part"}"; fi
                if [ -z "$gap" ] && [ "$last" -ge 0 ] && [[ "$part" == :* || "${typed[last]}" == *: ]]; then
                    typed[last]+="$part"
                else
                    typed+=("$part"); last=$((last+1))
                fi
                index=$((index+1))
            done
        """#

    /// Offers names that the program prints, with the quoting of the typed word. Readline replaces the text after the
    /// last open quote, so the script offers only the part of a name after the text before that quote.
    private static let bashNames = #"""
        _podcast_names() {
            local name char plain="" before="" quote="" index=0
            while [ "$index" -lt "${#word}" ]; do
                char="${word:index:1}"
                case "$quote$char" in
                    \\|\"\\) index=$((index+1)); plain+="${word:index:1}" ;;
                    \'|\") [ "${plain: -1}" != '$' ] || return; quote="$char"; before="$plain" ;;
                    \'\'|\"\") quote="" ;;
                    *) plain+="$char" ;;
                esac
                index=$((index+1))
            done
            while IFS=$'\t' read -r name _; do
                if [ -z "$quote" ]; then
                    printf -v name %q "$name"
                else
                    [ "${name:0:${#before}}" = "$before" ] || continue
                    name="${name:${#before}}"
                fi
                case "$quote" in
                    \') name="${name//\'/\'\\\'\'}" ;;
                    \") name="${name//\\/\\\\}"; name="${name//\"/\\\"}"; name="${name//\$/\\\$}"
                        name="${name//\`/\\\`}"; name="${name//!/\"\'!\'\"}" ;;
                esac
                COMPREPLY+=("$name")
            done < <("$1" complete "$2" -- "$plain" "$previous" 2>/dev/null)
            if [ -z "$quote" ] && [[ "$COMP_WORDBREAKS" == *:* && "$word" == *:* ]]; then
                before="${word%"${word##*:}"}"
                for index in "${!COMPREPLY[@]}"; do COMPREPLY[index]="${COMPREPLY[index]#"$before"}"; done
            fi
            [[ "${COMPREPLY[*]}" != *: ]] || compopt -o nospace 2>/dev/null
        }

        """#

    private func bashArgument(
        _ argument: ArgumentDeclaration, command: String, place: Int, isLast: Bool
    ) -> String {
        guard let reply = Self.bashReply(argument.offered, of: name) else { return "" }
        let repeats = isLast && (argument.count == .any || argument.count == .some)
        let pattern = repeats ? "\(command):*" : "\(command):\(place)"
        return "        \(pattern)) case \"$word\" in -*) ;; *) \(reply); return ;; esac ;;\n"
    }
}
