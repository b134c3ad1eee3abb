# bash completion for pod-example; made from its declaration
_pod_example() {
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
    local word="${typed[last]}" previous="${typed[last-1]}"
    local command="" place=0 options="" words=""
    COMPREPLY=(); index=1
    case "$previous" in
        --data-dir) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$word")); return ;;
        --jobs|-j) :; return ;;
        --skip) :; return ;;
    esac
    while [ "$index" -lt "$last" ]; do
        case "${typed[index]}" in
            --data-dir|--jobs|-j|--skip) index=$((index+1)) ;;
            -*) ;;
            *)
                place=$((place+1))
                if [ "$place" -eq 1 ]; then command="${typed[index]}"
                elif [ "$place" -eq 2 ]; then
                    case "$command ${typed[index]}" in
                        'output enable') command='output enable'; place=1 ;;
                        'output level') command='output level'; place=1 ;;
                    esac
                fi ;;
        esac
        index=$((index+1))
    done
    options='--data-dir --json --help --version'
    case "$command:$place" in
        :0) words='refresh import seek output' ;;
        output:1) words='enable level' ;;
        'import':1) case "$word" in -*) ;; *) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$word")); return ;; esac ;;
        'output level':1) case "$word" in -*) ;; *) COMPREPLY=($(compgen -W 'low high' -- "$word")); return ;; esac ;;
    esac
    case "$command" in
        'refresh') options="$options --jobs --force --skip" ;;
    esac
    case "$word" in
        -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
        *) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
    esac
}
complete -F _pod_example pod-example
