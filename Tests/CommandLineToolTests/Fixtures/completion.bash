# bash completion for pod-example
_pod_example() {
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
    done < <(pod-example --complete "${typed[@]:1:last-1}" "$plain" 2>/dev/null)
    if [ -z "$quote" ] && [[ "$COMP_WORDBREAKS" == *:* && "$word" == *:* ]]; then
        before="${word%"${word##*:}"}"
        for index in "${!COMPREPLY[@]}"; do COMPREPLY[index]="${COMPREPLY[index]#"$before"}"; done
    fi
    [[ "${COMPREPLY[*]}" != *: ]] || compopt -o nospace 2>/dev/null
}
complete -F _pod_example pod-example
