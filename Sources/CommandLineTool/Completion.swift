internal import PodcastModel

/// A word that a shell offers, with its description.
public struct Candidate: Equatable, Sendable {
    public var word: String
    public var description: String

    public init(_ word: String, _ description: String = "") {
        self.word = word
        self.description = description
    }

    /// Stands for the names of files, which the shell offers itself.
    static let files = Candidate(":file")
    static let folders = Candidate(":folder")

    public var standsForPaths: Bool { self == .files || self == .folders }
}

extension ProgramDeclaration {
    /// The first argument of a call that prints completions: `PROGRAM --complete WORD…`. A line has a candidate for the last
    /// word, a tab and a description; `:file` and `:folder` stand for paths.
    static let completeOption = "--complete"

    /// Completions of the last word of a command line.
    /// - Parameter line: the words without the program's name; the last one may be empty.
    public func completions(of line: [String]) -> [Candidate] {
        guard let beginning = line.last else { return [] }
        let words = Array(line.dropLast())
        let common = options + Self.commonOptions
        var command: SubcommandDeclaration?
        var known: [OptionDeclaration] { common + (command?.options ?? []) }
        var positionals: [String] = []
        var valued: OptionDeclaration?
        for word in words {
            if valued != nil {
                valued = nil
            } else if word.hasPrefix("-") {
                valued = known.first { word == "--\($0.name)" || word == $0.letter.map { "-\($0)" } }
                if valued?.placeholder == nil { valued = nil }
            } else {
                positionals.append(word)
                // A command has at most two words.
                if positionals.count > 2 { continue }
                command = subcommands?.find(positionals[...])
            }
        }
        if let valued { return values(valued.kind, beginning, after: words) }
        if beginning.hasPrefix("-") {
            return Self.matching(known.filter { !$0.isHidden }.map { Candidate("--\($0.name)", $0.help) }, beginning)
        }
        let arguments = command?.arguments ?? (subcommands == nil || positionals.isEmpty ? self.arguments : [])
        let index = positionals.count - (command?.words.count ?? 0)
        let last = arguments.last.flatMap { $0.isRepeatable ? $0 : nil }
        let argument = index < 0 ? nil : index < arguments.count ? arguments[index] : last
        return commandWords(after: positionals, beginning)
            + (argument.map { values($0.kind, beginning, after: words) } ?? [])
    }

    /// The first words of commands, or the second words of the commands with a first word.
    private func commandWords(after positionals: [String], _ beginning: String) -> [Candidate] {
        guard let subcommands, positionals.count < 2 else { return [] }
        var found: [Candidate] = []
        for command in subcommands.all() where command.group != nil && command.words.count > positionals.count {
            let word = command.words[positionals.count]
            if positionals.first ?? command.words[0] == command.words[0], !found.contains(where: { $0.word == word }) {
                found.append(Candidate(word, command.summary))
            }
        }
        return Self.matching(found, beginning)
    }

    private func values(_ kind: ValueKind, _ beginning: String, after words: [String]) -> [Candidate] {
        if let kind = kind.names { return names(kind, beginning, words) }
        return switch kind.syntax {
        case .file: [.files]
        case .folder: [.folders]
        default: Self.matching(kind.words.map { Candidate($0) }, beginning)
        }
    }

    private static func matching(_ candidates: [Candidate], _ beginning: String) -> [Candidate] {
        candidates.filter { $0.word.hasPrefix(beginning) }
    }

    /// The script asks the program for completions (see `completeOption`).
    public func completionScript(for shell: Shell) -> String {
        let script =
            switch shell {
            case .bash: Self.bash
            case .zsh: Self.zsh
            case .fish: Self.fish
            }
        let function = "_" + String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
        return script.replacing("FUNCTION", with: function).replacing("PROGRAM", with: name)
    }

    /// Readline splits words at each ':' and replaces the text after the last open quote. So the script joins the words
    /// again, and offers only the part of a candidate after the text before that quote, with the quoting of the typed word.
    private static let bash = #"""
        # bash completion for PROGRAM
        FUNCTION() {
            local rest="${COMP_LINE:0:${COMP_POINT:-0}}" index=0 last=-1 part gap
            local name char word plain="" before="" quote=""
            local -a typed=()
            COMPREPLY=()
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
            word="${typed[last]}"; index=0
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
                case "$name" in
                    :file) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -f -- "$word")); continue ;;
                    :folder) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -d -- "$word")); continue ;;
                esac
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
            done < <(PROGRAM --complete "${typed[@]:1:last-1}" "$plain" 2>/dev/null)
            if [ -z "$quote" ] && [[ "$COMP_WORDBREAKS" == *:* && "$word" == *:* ]]; then
                before="${word%"${word##*:}"}"
                for index in "${!COMPREPLY[@]}"; do COMPREPLY[index]="${COMPREPLY[index]#"$before"}"; done
            fi
            [[ "${COMPREPLY[*]}" != *: ]] || compopt -o nospace 2>/dev/null
        }
        complete -F FUNCTION PROGRAM

        """#

    /// The option -U of compadd adds candidates that do not begin with the typed word, such as titles that contain the word.
    private static let zsh = #"""
        #compdef PROGRAM
        # zsh completion for PROGRAM
        FUNCTION() {
            local line
            local -a names=() texts=() open=()
            for line in "${(@f)$(PROGRAM --complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
                case "${line%%$'\t'*}" in
                    :file) _files ;;
                    :folder) _files -/ ;;
                    *:) open+=("${line%%$'\t'*}") ;;
                    ?*) names+=("${line%%$'\t'*}"); texts+=("${line/$'\t'/  }") ;;
                esac
            done
            compadd -U -S '' -- "${(@)open}"
            compadd -U -l -d texts -- "${(@)names}"
        }

        FUNCTION "$@"

        """#

    /// The typed word may contain an open quote.
    private static let fish = #"""
        # fish completion for PROGRAM
        function _FUNCTION
            set -l word (commandline -ct)
            set word (string unescape -- $word; or string unescape -- $word"'"; or string unescape -- $word'"'; or echo -- $word)
            set -l before (commandline -opc)
            set -e before[1]
            set -l found (PROGRAM --complete $before "$word" 2>/dev/null)
            switch "$found[1]"
                case ':file*'
                    __fish_complete_path "$word"
                case ':folder*'
                    __fish_complete_directories "$word"
                case '*'
                    printf '%s\n' $found
            end
        end
        complete -c PROGRAM -f -a '(_FUNCTION)'

        """#
}

/// A shell for which completions can be generated.
public enum Shell: String, Sendable, CaseIterable {
    /// With or without the bash-completion package.
    case bash
    case zsh, fish
}
